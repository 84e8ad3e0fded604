/// Why a per-queue box cannot be made or opened.
public enum QueueEnvelopeError: Error, Equatable, Sendable {
    /// The message does not fit the padded size.
    case messageTooLarge
    /// The box was made with other keys, or changed.
    case notDecrypted
    /// The box holds something else than a message.
    case malformed
}

extension QueueEnvelopeError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .messageTooLarge: "The message is too large to be sent."
        case .notDecrypted: "The message cannot be decrypted with the keys of this queue."
        case .malformed: "The decrypted message is damaged."
        }
    }
}
