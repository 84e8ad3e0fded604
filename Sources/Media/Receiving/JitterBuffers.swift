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
        /// Milliseconds that pictures wait.
        var latency: Int
        /// The sources that are sound.
        var sounds: Set<UInt32> = []
    }

    /// Milliseconds from a gap to the first question: packets that overtake others are not lost yet.
    private static let patience = 10

    private let state: Lock<State>

    /// `latency` in milliseconds is the call's.
    init(latency: Int = 0) { state = Lock(State(latency: latency)) }

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

    /// Asks again for a packet after so many milliseconds.
    func setRetry(_ milliseconds: Int) {
        let buffers = state.withLock { state in
            state.retry = milliseconds
            return Array(state.buffers.values)
        }
        for buffer in buffers { buffer.set("rtx-retry-timeout", milliseconds) }
    }

    /// A stream of this source is sound: what is lost of it is not asked for again, the decoder makes up for it.
    func isSound(source: UInt32) {
        let (buffer, latency) = state.withLock { state in
            state.sounds.insert(source)
            return (state.buffers[source], state.latency)
        }
        buffer?.set("do-retransmission", false)
        buffer?.set("latency", PlayoutDelay.wait(latency: latency, own: nil))
    }

    /// Follows the call's latency, in milliseconds, once `rtpbin` has set it on all.
    func setLatency(_ latency: Int) {
        let buffers = state.withLock { state in
            state.latency = latency
            return state.sounds.compactMap { state.buffers[$0] }
        }
        for buffer in buffers { buffer.set("latency", PlayoutDelay.wait(latency: latency, own: nil)) }
    }

    /// Lets go of all buffers.
    func clear() {
        state.withLock {
            $0.buffers = [:]
            $0.sounds = []
        }
    }
}
