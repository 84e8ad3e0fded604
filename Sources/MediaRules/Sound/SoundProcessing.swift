/// What is done with the microphone's sound before it leaves.
public struct SoundProcessing: Sendable, Hashable, Codable {
    /// Takes out what the loudspeaker plays.
    public var echoCancellation: Bool
    /// Takes out steady noise.
    public var noiseSuppression: Bool
    /// Makes quiet voices louder and loud ones quieter.
    public var automaticGain: Bool

    /// Everything on, or as given.
    public init(echoCancellation: Bool = true, noiseSuppression: Bool = true, automaticGain: Bool = true) {
        self.echoCancellation = echoCancellation
        self.noiseSuppression = noiseSuppression
        self.automaticGain = automaticGain
    }

    /// The sound as the microphone gives it.
    public static let off = SoundProcessing(echoCancellation: false, noiseSuppression: false, automaticGain: false)
}
