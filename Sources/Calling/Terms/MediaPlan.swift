import Cryptography
import Signaling

/// What one side's media is to be.
public struct MediaPlan: Sendable, Equatable {
    /// Which half of the negotiation media makes.
    public enum Role: Sendable, Hashable {
        /// The callee's: makes the offer.
        case offerer
        /// The caller's: answers.
        case answerer
    }

    /// Which half of the negotiation media makes.
    public let role: Role
    /// Sound, or sound and picture.
    public let media: CallMedia
    /// The key for frames, 32 bytes; nil only when the person agreed to go without.
    public let frameKey: SecretBytes?
    /// Whether the peer announced that it takes tones (RFC 4733): only then they are offered.
    public let offersTones: Bool

    /// Makes a plan.
    public init(role: Role, media: CallMedia, frameKey: SecretBytes?, offersTones: Bool = false) {
        self.offersTones = offersTones
        self.role = role
        self.media = media
        self.frameKey = frameKey
    }
}
