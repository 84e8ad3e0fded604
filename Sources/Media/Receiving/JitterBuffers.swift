import BaseKit
import GLibKit
import MediaRules

/// The jitter buffers of a call: those of pictures ask for packets that are missing, those of sound don't, and wait for a shorter time.
///
/// webrtcbin 1.22 sets each buffer by all m-lines of a bundle, one after the other, so that the last one decides: in a call
/// with an m-line that is not used nothing was ever asked for again (measured: no whole picture at 10 % loss).
final class JitterBuffers: Sendable {
    private struct State: Sendable {
        var buffers: [UInt32: Element] = [:]
        var retry = 40
        var asksAgain = true
        /// Milliseconds that a packet of sound is waited for.
        var soundLatency: Int
        /// The sources that are sound.
        var sounds: Set<UInt32> = []
        /// How the packets of each source come.
        var delays: [UInt32: ArrivalDelays] = [:]
    }

    /// Milliseconds from a gap to the first question: packets that overtake others are not lost yet.
    private static let patience = 10
    /// The part of pictures and of pieces of sound that are to come in time. What comes late of pictures is shown late; of sound it is not heard.
    private static let inTime = (pictures: 0.95, sound: 1.0)
    /// Hz of RTP times (RFC 7587 §4.1, RFC 7741 §4.1).
    private static let clockRate = (pictures: 90_000, sound: 48_000)

    private let state: Lock<State>

    /// `latency` in milliseconds is what pictures that are missing are waited for at first.
    init(latency: Int) {
        state = Lock(State(soundLatency: PlayoutDelay.wait(PlayoutWait(pictures: latency), own: nil)))
    }

    /// Listens to the `rtpbin` inside a webrtcbin; the connection is the caller's to end.
    func listen(to rtpbin: Element) -> SignalConnection {
        rtpbin.connectOnEmittingThread("new-jitterbuffer") { [weak self] arguments in
            guard let object = arguments.object(0), let source: UInt32 = arguments.get(2) else { return }
            let buffer = Element(retaining: object.pointer() as UnsafeMutableRawPointer)
            // The first packets of a stream may be those of a key frame; of what kind it is, is known later.
            buffer.set("rtx-delay", Self.patience)
            // A packet that has not come when expected is not asked for: paced ones never come so evenly.
            buffer.set("rtx-next-seqnum", false)
            self?.state.withLock { state in
                state.buffers[source] = buffer
                buffer.set("do-retransmission", state.asksAgain)
                buffer.set("rtx-retry-timeout", state.retry)
            }
        }
    }

    /// Whether packets of pictures that are missing are asked for.
    func setAsksAgain(_ asksAgain: Bool) {
        let buffers = state.withLock { state -> [Element] in
            guard state.asksAgain != asksAgain else { return [] }
            state.asksAgain = asksAgain
            return state.buffers.filter { !state.sounds.contains($0.key) }.map(\.value)
        }
        for buffer in buffers { buffer.set("do-retransmission", asksAgain) }
    }

    /// Asks again for a packet after `retry` milliseconds, and waits for one of sound `soundLatency`. To be called again once `rtpbin` has set
    /// another latency on all.
    func set(retry: Int, soundLatency: Int) {
        let (buffers, sounds) = state.withLock { state in
            let isOtherRetry = state.retry != retry
            (state.retry, state.soundLatency) = (retry, soundLatency)
            return (isOtherRetry ? Array(state.buffers.values) : [], state.sounds.compactMap { state.buffers[$0] })
        }
        for buffer in buffers { buffer.set("rtx-retry-timeout", retry) }
        for buffer in sounds { buffer.set("latency", soundLatency) }
    }

    /// It is known what kind of stream a source is. What is lost of sound is not asked for again, the decoder makes up for it.
    func know(source: UInt32, isSound: Bool) {
        let (buffer, latency, isNew) = state.withLock { state in
            if isSound { state.sounds.insert(source) }
            let rate = isSound ? Self.clockRate.sound : Self.clockRate.pictures
            let isNew = state.delays.updateValue(ArrivalDelays(clockRate: rate), forKey: source) == nil
            return (state.buffers[source], state.soundLatency, isNew)
        }
        guard let buffer else { return }
        if isSound {
            buffer.set("do-retransmission", false)
            buffer.set("latency", latency)
        }
        guard isNew else { return }
        buffer.pad("sink")?.onPackets { [weak self] _, packet in self?.arrived(packet, of: source) }
    }

    /// A packet comes to the jitter buffer of its source, on the streaming thread.
    private func arrived(_ packet: UnsafeRawBufferPointer, of source: UInt32) {
        guard packet.count >= 12 else { return }
        let (number, time, now) = (UInt16(packet.half(at: 2)), packet.word(at: 4), Instant.now)
        state.withLock { $0.delays[source]?.note(number: number, time: time, now: now) }
    }

    /// How packets came since the last time.
    func takeArrivals(now: Instant) -> PacketArrivals {
        let (delays, sounds, missing) = state.withLock { state in
            let missing = state.delays.keys.filter { state.delays[$0]?.takeMissing(now: now) == true }
            return (state.delays, state.sounds, missing)
        }
        var (pictures, sound) = (Duration?.none, Duration?.none)
        // Of sound that comes; where none does, of what came.
        var (packet, formerPacket) = (Duration.zero, Duration.zero)
        for (source, delays) in delays {
            let isSound = sounds.contains(source)
            if isSound { formerPacket = max(formerPacket, delays.packet) }
            guard let delay = delays.delay(of: isSound ? Self.inTime.sound : Self.inTime.pictures, now: now) else {
                continue
            }
            guard isSound else {
                pictures = max(pictures ?? .zero, delay)
                continue
            }
            (sound, packet) = (max(sound ?? .zero, delay), max(packet, delays.packet))
        }
        return PacketArrivals(
            pictures: pictures.map { Int($0.wholeMilliseconds) }, sound: sound.map { Int($0.wholeMilliseconds) },
            packet: Int((sound == nil ? formerPacket : packet).wholeMilliseconds), areSomeMissing: !missing.isEmpty)
    }

    /// Lets go of all buffers.
    func clear() {
        state.withLock {
            $0.buffers = [:]
            $0.sounds = []
            $0.delays = [:]
        }
    }
}
