/// How loud the person wants a call to be, here and at the other side. It holds for that call alone.
public struct SoundVolumes: Sendable, Hashable {
    /// The factors that can be chosen, 1 for as it is. Above this, sound is cut off at its peaks.
    public static let range = 0.0...2.0

    /// What the own microphone's sound is multiplied with before it leaves.
    public var microphone: Double { didSet { microphone = Self.admitted(microphone) } }
    /// What the peer's sound is multiplied with before it is played.
    public var speaker: Double { didSet { speaker = Self.admitted(speaker) } }
    /// Whether the peer's sound is played at all.
    public var isSpeakerOn: Bool

    /// As they are, or as given; what is out of ``range`` is brought into it.
    public init(microphone: Double = 1, speaker: Double = 1, isSpeakerOn: Bool = true) {
        self.microphone = Self.admitted(microphone)
        self.speaker = Self.admitted(speaker)
        self.isSpeakerOn = isSpeakerOn
    }

    /// What the peer's sound is multiplied with now.
    package var played: Double { isSpeakerOn ? speaker : 0 }

    private static func admitted(_ factor: Double) -> Double {
        factor.isNaN ? 1 : min(max(factor, range.lowerBound), range.upperBound)
    }
}
