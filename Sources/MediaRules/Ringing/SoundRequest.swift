/// A file with sound.
public enum SoundFile: Sendable, Hashable {
    /// One inside the program; the value is its path among the registered resources, such as `/im/parley/Parley/sounds/ring.flac`.
    case resource(String)
    /// One of the person's; the value is its path.
    case file(String)
}

/// A sound that is to be played outside of a call's media, such as its ring.
public struct SoundRequest: Sendable, Hashable {
    /// What is played. Of a file its first minute, and no more.
    public var file: SoundFile
    /// What is played when the file can't be; nil: nothing.
    public var substitute: SoundFile?
    /// How long it is played over and over; nil: it is played once.
    public var repetition: Duration?
    /// The loudspeaker, while it is there; otherwise, and with nil, the standard one.
    public var device: MediaDevice?
    /// From 0, silence, to 1, as the file is. What lies between follows the ear, as in the desktop's mixer.
    public var volume: Double

    /// A sound, played once and as the file is.
    public init(
        _ file: SoundFile, substitute: SoundFile? = nil, repetition: Duration? = nil, device: MediaDevice? = nil,
        volume: Double = 1
    ) {
        (self.file, self.substitute, self.repetition) = (file, substitute, repetition)
        (self.device, self.volume) = (device, volume)
    }

    /// What a volume multiplies samples with: its cube, as PulseAudio's mixers have it. Volumes beyond 0 and 1 count as these.
    package static func factor(ofVolume volume: Double) -> Double {
        let bounded = min(max(volume, 0), 1)
        return bounded * bounded * bounded
    }
}
