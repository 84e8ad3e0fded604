import MediaRules
import Parley

extension SoundRequest {
    /// How a tone is played: the ring as the person wants it, the others where calls are heard. Our own sounds are among the
    /// program's resources.
    init(_ tone: CallTones.Tone, ring: RingChoices, speaker: MediaDevice?) {
        let own = SoundFile.resource("/im/parley/Parley/sounds/\(tone.rawValue).flac")
        guard tone == .ring else {
            // No call rings there, or is restored, for so long.
            self.init(own, repetition: tone.isRepeated ? .seconds(300) : nil, device: speaker)
            return
        }
        self.init(
            ring.file.map { .file($0) } ?? own, substitute: ring.file == nil ? nil : own,
            repetition: CallTones.longestRing, device: ring.device, volume: ring.volume)
    }
}
