import BaseKit
import CGStreamer
import GLibKit
import MediaRules

/// Plays the peer's sound in a pipeline of its own, so that a missing or failing loudspeaker never stops the call.
///
/// Shares clock and base time with the call, so that the loudspeaker keeps picture and sound together: what it needs itself, sound waits
/// less (``PlayoutDelay``).
final class AudioPlayout: Sendable {
    private let pipeline: Pipeline
    private let mixer: PlayoutMixer
    private let speaker: SpeakerElement
    private let delay: Lock<Delay>

    private struct Delay: Sendable {
        /// The call's.
        var call: PlayoutWait
        /// How long sound needs from the mixer's inlet to the ear, in milliseconds, once that is known.
        var own: Int?

        var wait: Int { PlayoutDelay.wait(call, own: own) }
    }

    /// Opens the loudspeaker. Blocks. `wait` is the call's; `echo` hears what is played. `onLate` is told when a piece of sound comes so late that
    /// the loudspeaker's `buffer` may have run dry: how many milliseconds before it is to be heard. Throws ``MediaError``.
    init(
        _ device: FoundDevice, alongside call: Pipeline, wait: PlayoutWait, buffer: Int, echo: EchoReference? = nil,
        onFailure: @escaping @Sendable (String) -> Void, onLate: @escaping @Sendable (Int) -> Void
    ) throws(MediaError) {
        let own = Shared<Element?>(nil)
        pipeline = try Pipeline { message in
            switch message {
            case .error(let text): onFailure(text)
            case .latencyChanged:
                guard let element = own.value else { return }
                MediaQueue.start { gst_bin_recalculate_latency(element.pointer()) }
            case .endOfStream: break
            }
        }
        own.value = pipeline.element
        let delay = Delay(call: wait)
        self.delay = Lock(delay)
        mixer = try PlayoutMixer(latency: delay.wait)
        speaker = try SpeakerElement(device, callBuffer: buffer)
        pipeline.element.add(mixer.element, speaker.element)
        guard mixer.element.link(to: speaker.element) else { throw .device(.unusable(.speaker, device.device.name)) }
        if let sound = mixer.sound {
            sound.onLatency { [weak self] in self?.follow(latency: $0) }
            echo?.listen(to: sound)
            if speaker.isPulse { SoundArrival.watch(sound, atLeast: SpeakerBuffer.part, onLate: onLate) }
        }
        pipeline.shareTime(with: call)
        guard pipeline.element.setState(GST_STATE_PLAYING) else {
            close()
            throw .device(.notOpened(.speaker, device.device.name, detail: nil))
        }
    }

    /// How long sound needs from where it waits to the ear, in milliseconds; nil while that is not known.
    var own: Int? { delay.withLock { $0.own } }

    /// Lets sound wait as long as the call does.
    func setWait(_ wait: PlayoutWait) {
        mixer.setLatency(
            delay.withLock { delay in
                delay.call = wait
                return delay.wait
            })
    }

    /// Finds out how long sound needs from the mixer on.
    private func follow(latency: GstClockTime) {
        // It may be of a moment in which the mixer's was another; then the next one follows.
        let own = Int(clamping: latency / 1_000_000) - mixer.latency
        let wait = delay.withLock { delay -> Int? in
            let before = delay.wait
            delay.own = own
            return delay.wait == before ? nil : delay.wait
        }
        guard let wait else { return }
        MediaQueue.start { [mixer] in mixer.setLatency(wait) }
    }

    /// Makes what is played louder or quieter: 1 is as it comes.
    func setVolume(_ factor: Double) { mixer.setVolume(factor) }

    /// Makes what one member sends louder or quieter: 1 is as it comes.
    func setVolume(_ factor: Double, of member: UInt8) { mixer.setVolume(factor, of: member) }

    /// Plays a piece of sound at its timestamp, mixed with the others.
    func play(_ sample: Sample, of sound: PlayedSound) { mixer.play(sample, of: sound) }

    /// A sound has ended: the others no longer wait for it.
    func end(_ sound: PlayedSound) { mixer.remove(sound) }

    /// Changes to another loudspeaker while the sound goes on; false when that is not possible with these two.
    func retarget(to device: FoundDevice) -> Bool { speaker.retarget(to: device) }

    /// Closes the loudspeaker. Blocks until its thread is gone.
    func close() { pipeline.close() }
}
