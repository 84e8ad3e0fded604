/// Lengths that both sides know (SMP fact sheet §4, §5, §9.3, §10).
public enum SMPLimits {
    /// Every block on the wire.
    public static let block = 16_384
    /// What is padded before a block is encrypted: a block without its tag.
    static let encryptedBlock = 16_368
    /// Transmissions with their lengths that fit any block: block − tag − length − count.
    public static let batch = block - 19
    /// A message for the recipient before its box.
    static let messageBody = 16_106
    /// The same in its box.
    public static let sealedMessageBody = 16_122
    /// The metadata of a notification before its box.
    static let notificationMeta = 128
    /// A batch before its box on the way through a proxy.
    public static let proxied = 16_226

    /// The longest body of SEND; for forwarded commands `version` is the one in PFWD.
    public static func sentBody(_ version: SMPVersion) -> Int {
        if version >= .blockEncryption { 16_048 } else if version >= .proxying { 16_064 } else { 16_088 }
    }
}
