/// Why a per-queue box cannot be made or opened.
public enum QueueEnvelopeError: Error, Equatable, Sendable {
    /// The message does not fit the padded size.
    case messageTooLarge
    /// The box was made with other keys, or changed.
    case notDecrypted
    /// The box holds something else than a message.
    case malformed
}
