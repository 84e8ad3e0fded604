import Cryptography
import Signaling

/// The own keys of a call, and what the two sides made of theirs. The peer going without a key is never overlooked: it makes
/// ``isEncrypted`` false.
struct FrameKeyAgreement: Sendable {
    /// Whether frames are encrypted; nil until it is known.
    private(set) var isEncrypted: Bool?
    /// The key for frames; nil until it is agreed, where there is none, and when the call is over.
    private(set) var frameKey: SecretBytes?
    private(set) var keys: CallKeys?

    /// For a call that begins with the own keys.
    init(dialledWith keys: CallKeys) { self.keys = keys }

    /// For a call that rings: the own keys come with the person's consent.
    init(invitedBy invitation: CallInvitation) { isEncrypted = invitation.usableKey != nil }

    /// For a call that is only told about.
    init() {}

    /// The half for the peer; nil where frames are not encrypted.
    var publicKey: X25519.PublicKey? { frameKey == nil ? nil : keys?.publicKey }

    /// The person here accepted an invitation, and these are the own keys.
    ///
    /// - Parameter peerKey: nil only if the person agreed to go without.
    /// - Throws: ``CallEndReason/keyAgreementFailed`` when the peer's key cannot be used; then nothing has changed.
    mutating func accept(_ keys: CallKeys, peerKey: X25519.PublicKey?) throws(CallEndReason) {
        if let peerKey { frameKey = try keys.frameKey(with: peerKey) }
        self.keys = keys
        isEncrypted = frameKey != nil
    }

    /// The peer's key has come, and the own keys are there.
    ///
    /// - Throws: ``CallEndReason/keyAgreementFailed`` when the peer's key cannot be used; then nothing has changed.
    mutating func agree(with peerKey: X25519.PublicKey) throws(CallEndReason) {
        guard let keys else { throw .keyAgreementFailed }
        frameKey = try keys.frameKey(with: peerKey)
        isEncrypted = true
    }

    /// The peer goes without a key.
    mutating func lacksPeerKey() { isEncrypted = false }

    /// What was agreed was for another call, which is given up; the own keys stay.
    mutating func startOver() { frameKey = nil }

    /// The call is over.
    mutating func wipe() {
        keys = nil
        frameKey = nil
    }
}

extension CallInvitation {
    /// The key, if the caller both can encrypt and sent one.
    var usableKey: X25519.PublicKey? { callType.encryption ? publicKey : nil }
}

extension CallOffer {
    /// The key, if the callee both will encrypt and sent one.
    var usableKey: X25519.PublicKey? { callType.encryption ? publicKey : nil }
}
