import MediaRules

/// How calls ring; remembered by the profile.
public struct RingChoices: Sendable, Hashable, Codable {
    /// The speaker that rings; nil: the standard one.
    public var device: MediaDevice?
    /// From 0, silence, to 1.
    public var volume: Double = 1
    /// The path of a file with the person's own sound; nil: Parley's ring.
    public var file: String?

    /// Parley's ring at the standard speaker.
    public init() {}
}
