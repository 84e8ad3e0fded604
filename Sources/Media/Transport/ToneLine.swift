import BaseKit
import Cryptography
import GLibKit
import MediaRules

/// The tones of one transport, both ways, beside its webrtcbin rather than through it.
///
/// webrtcbin 1.22 makes a stream of its own of each payload type, and ends the call with an error at one that it does not know. So it
/// never sees tones: on their way out they take the place of packets of the voice when those have left the RTP session, with
/// their sequence numbers, and come out of the way in before the jitter buffer, which takes them for packets that were lost.
final class ToneLine: Sendable {
    private typealias Waiter = CheckedContinuation<ToneError?, Never>

    private struct State: Sendable {
        /// What our description has; nil: no tones.
        var own: Int?
        /// What both have.
        var agreed: Int?
        var sender = ToneSender()
        var receiver = ToneReceiver()
        var waiters: [Waiter] = []
        var isOver = false
    }

    private let isOffered: Bool
    private let protection: FrameProtection
    private let counters: MediaCounters
    private let onTone: @Sendable (Tone) -> Void
    private let state = Lock(State())

    /// `isOffered`: whether tones are taken at all. `onTone` is called on a streaming thread.
    init(
        isOffered: Bool, protection: FrameProtection, counters: MediaCounters,
        onTone: @escaping @Sendable (Tone) -> Void
    ) {
        (self.isOffered, self.protection, self.counters, self.onTone) = (isOffered, protection, counters, onTone)
    }

    // MARK: Descriptions

    /// The peer's offer has tones of this payload type, or none: so has our answer.
    func prepare(answering payloadType: Int?) {
        state.withLock { state in
            state.own = isOffered ? payloadType : nil
            state.isOver = payloadType == nil
        }
    }

    /// Our description uses these payload types. An offer gets one for tones; an answer has the peer's.
    func promise(used: Set<Int>) {
        guard isOffered else { return }
        state.withLock { state in
            if let own = state.own {
                if used.contains(own) { state.own = nil }
            } else if !state.isOver {
                state.own = ToneFormat.freePayloadType(used)
            }
        }
    }

    /// A description of ours, with tones where it has them.
    func add(to text: String) -> String {
        state.withLock { $0.own }.map { ToneFormat.adding($0, to: text) } ?? text
    }

    /// The peer's description has this payload type; gives it when ours has the same.
    func agree(on payloadType: Int?) -> Int? {
        state.withLock { state in
            state.agreed = payloadType == state.own ? payloadType : nil
            return state.agreed
        }
    }

    /// Whether tones can be sent.
    var isAgreed: Bool { state.withLock { $0.agreed != nil } }

    // MARK: Sending

    /// Sends tones behind those that are being sent; gives nil when they have left, otherwise why they did not.
    func send(_ tones: ToneSequence) async -> ToneError? {
        await withCheckedContinuation { continuation in
            let refusal = state.withLock { state -> ToneError? in
                guard state.agreed != nil else { return .interrupted }
                guard state.sender.add(tones) else { return .tooLong }
                state.waiters.append(continuation)
                return nil
            }
            if let refusal { continuation.resume(returning: refusal) }
        }
    }

    /// Sends no more of those that wait.
    func cancel() {
        let waiters = state.withLock { state -> [Waiter] in
            state.sender = ToneSender()
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: .interrupted) }
    }

    /// Puts tones in the place of the packets of `voice` that leave by this pad.
    func begin(at pad: Pad, voice: UInt32) {
        pad.replacePackets { [weak self] packet in
            guard packet.count >= 12, packet.word(at: 8) == voice else { return nil }
            return self?.replacement(of: packet)
        }
    }

    private func replacement(of packet: UnsafeRawBufferPointer) -> [UInt8]? {
        let timestamp = TonePacket.timestamp(of: packet)
        let (output, type, done) = state.withLock { state -> (ToneSender.Output?, Int, [Waiter]) in
            guard let type = state.agreed, !state.sender.isDone else { return (nil, 0, []) }
            let output = state.sender.next(timestamp: timestamp)
            guard state.sender.isDone else { return (output, type, []) }
            defer { state.waiters = [] }
            return (output, type, state.waiters)
        }
        for waiter in done { waiter.resume(returning: nil) }
        guard let output, let key = protection.current.frameKey,
            let payload = try? TonePacket.payload(output.event, timestamp: output.timestamp, key: key.key),
            let bytes = TonePacket.replacing(packet, with: output, payload: payload, payloadType: type)
        else { return nil }
        if output.isFirst { counters.countSentTone() }
        return bytes
    }

    // MARK: Receiving

    /// Takes tones out of what comes from the RTP session, if this is the element behind it.
    func watch(_ element: Element) {
        guard isOffered, element.factoryName == "rtpssrcdemux" else { return }
        element.pad("sink")?.filterPackets { [weak self] packet in self?.passes(packet) ?? true }
    }

    /// Whether a packet goes on: all but tones.
    private func passes(_ packet: UnsafeRawBufferPointer) -> Bool {
        guard let header = RTPHeader(packet) else { return true }
        let now = Instant.now
        let isLookedAt = state.withLock { state -> Bool? in
            guard header.payloadType == state.agreed else { return nil }
            return state.receiver.admits(now: now)
        }
        guard let isLookedAt else { return true }
        let current = protection.current
        guard isLookedAt, let key = current.frameKey, !current.isHeld else {
            counters.countRefusedPacket()
            return false
        }
        let timestamp = TonePacket.timestamp(of: packet)
        guard let event = try? TonePacket.event(Array(packet[header.payload]), timestamp: timestamp, key: key.key)
        else {
            counters.countRejectedReceived()
            return false
        }
        switch state.withLock({ $0.receiver.receive(event, timestamp: timestamp, now: now) }) {
        case .tone(let tone):
            counters.countReceivedTone()
            onTone(tone)
        case .known: break
        case .refused: counters.countRefusedPacket()
        }
        return false
    }
}

extension FrameProtection.State {
    /// How frames are protected now: with a key or without one; nil while none may pass.
    fileprivate var frameKey: (key: SecretBytes?, isOpen: Bool)? {
        guard isOpen else { return nil }
        switch encryption {
        case .undecided: return nil
        case .none: return (nil, true)
        case .aes256GCM(let key): return (key, true)
        }
    }
}
