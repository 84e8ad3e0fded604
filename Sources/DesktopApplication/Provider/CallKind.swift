/// What a call carries.
package enum CallKind: Sendable, Hashable {
    /// Sound only.
    case audio
    /// Sound and pictures.
    case video
}
