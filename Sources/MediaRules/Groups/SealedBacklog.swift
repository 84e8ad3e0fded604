/// Decides which sealed frames of a picture stream go on to a transport that may be slower than the encoder.
///
/// An encoder that works for several can't wait for one. Where too many frames wait, the following ones are let go up to a key frame,
/// which the encoder is asked for once they have left.
package struct SealedBacklog: Sendable, Equatable {
    /// How many frames may wait, and how many when a key frame is worth it again.
    static let most = 12, few = 3

    private var needsKeyFrame = true

    package init() {}

    package enum Verdict: Sendable, Equatable {
        case send
        /// It is let go; a key frame may be wanted.
        case drop(wantsKeyFrame: Bool)
    }

    /// A frame comes while `waiting` others have not left.
    package mutating func admit(isKeyFrame: Bool, waiting: Int) -> Verdict {
        if waiting > Self.most { needsKeyFrame = true }
        if isKeyFrame, waiting <= Self.few { needsKeyFrame = false }
        return needsKeyFrame ? .drop(wantsKeyFrame: waiting <= Self.few) : .send
    }

    /// Frames have been let go elsewhere, or nothing was sent for a while.
    package mutating func restart() { needsKeyFrame = true }
}
