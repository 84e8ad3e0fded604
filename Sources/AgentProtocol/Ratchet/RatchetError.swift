/// Why the double ratchet cannot encrypt or decrypt a message.
public enum RatchetError: Error, Equatable, Sendable {
    /// The side that made the link cannot send before it has received the first message.
    case noSendingChain
    /// No key of this ratchet opens the message's header: the message belongs to another ratchet, or is too old.
    case header
    /// The bytes do not have the layout of a ratchet message or header.
    case malformed
    /// The message with the last received number came again.
    case duplicateMessage
    /// A message before the expected one, whose key is gone; the number says how far back it is.
    case earlierMessage(UInt32)
    /// The message is further ahead than `SkippedKeys.maximumGap`; the number says how many would be skipped.
    case tooManySkipped(UInt32)
    /// The header opened, and the body did not: it was changed on the way.
    case authenticationFailed
    /// The body does not fit the padded size.
    case messageTooLarge
    /// The keys of the other side are not usable.
    case invalidKey
    /// The other side mixes a post-quantum secret into the ratchet that this side never offered to share.
    case postQuantumRequired
    /// The versions of both sides have nothing in common.
    case incompatibleVersion
    /// A chain has used all its numbers.
    case exhausted
    /// The stored bytes are no ratchet of this program.
    case invalidState
}
