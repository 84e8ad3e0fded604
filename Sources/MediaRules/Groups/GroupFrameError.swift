/// Why a frame of a group call was not accepted, or could not be sealed.
public enum GroupFrameError: Error, Equatable, Sendable {
    /// Shorter than its clear prefix and what must follow it.
    case tooShort
    /// The place for the result has the wrong size.
    case wrongSize
    /// Members have numbers from 1 to 255, keys 32 bytes, calls identifiers of 16.
    case invalidKey
    /// Not from the member that is expected.
    case foreignMember
    /// Of a stream that there is not, or that has no place here.
    case foreignStream
    /// No key of this member is known, or none of the frame's epoch.
    case unknownKey
    /// Of a step that is over, or further ahead than is looked for.
    case foreignStep
    /// The tag does not fit: another key, or changed on the way.
    case notAuthentic
    /// It was accepted before, or is too old to tell.
    case replayed
    /// There is no further counter for this stream, or no further step of this key: another epoch is needed.
    case exhausted
}
