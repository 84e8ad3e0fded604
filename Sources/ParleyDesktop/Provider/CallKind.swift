/// What a call carries.
enum CallKind: Sendable, Hashable {
    /// Sound only.
    case audio
    /// Sound and pictures.
    case video
}
