import BaseKit
import CGStreamer
import GLibKit
import MediaRules

/// Stands between the network and webrtcbin's RTP session, and keeps a peer's packets within bounds.
///
/// What it refuses is dropped and counted; the call goes on. Watches the elements that webrtcbin makes inside itself; holds
/// none of them.
final class PacketGuard: Sendable {
    /// RTCP packets a second, and at once: feedback about each picture and each loss stays far below.
    static let reportRate = 400
    /// Retransmitted packets a second, and at once: a tenth of 3,000 packets, which is 25 Mbit/s.
    static let retransmissionRate = 300

    private struct State: Sendable {
        /// What our description lists; nil until there is one: then all are taken.
        var payloadTypes: Set<Int>?
        /// Whether the peer gives feedback on each packet: then its reports say nothing new.
        var hasTransportFeedback = false
    }

    private let state = Lock(State())
    private let counters: MediaCounters
    private let onRefusal: @Sendable (UInt32) -> Void
    private let onKeyFrameWish: @Sendable (UInt32) -> Void
    private let onView: @Sendable (PeerView) -> Void
    private let onStatement: @Sendable (MediaStatement) -> Void
    private let onReception: @Sendable (ReceptionReport) -> Void
    private let onDeparture: @Sendable () -> Void
    private let onMedia: @Sendable (UnsafeRawBufferPointer) -> Void

    /// `onRefusal` is called for each own source of which the peer wanted something that it does not get: a packet again, or a key
    /// frame. `onKeyFrameWish` is called for each source of which a key frame is wanted, whether it is known or not. `onView` is called when the peer tells at which size it shows a picture of ours, `onStatement` when it says which of its sources are on,
    /// `onReception` when it says what it gets and gives no feedback on each packet, `onDeparture` once when it says that it leaves the
    /// call, `onMedia` for each packet of media. All are called on a streaming thread.
    init(
        counters: MediaCounters, onRefusal: @escaping @Sendable (UInt32) -> Void = { _ in },
        onKeyFrameWish: @escaping @Sendable (UInt32) -> Void = { _ in },
        onView: @escaping @Sendable (PeerView) -> Void = { _ in },
        onStatement: @escaping @Sendable (MediaStatement) -> Void = { _ in },
        onReception: @escaping @Sendable (ReceptionReport) -> Void = { _ in },
        onDeparture: @escaping @Sendable () -> Void,
        onMedia: @escaping @Sendable (UnsafeRawBufferPointer) -> Void = { _ in }
    ) {
        self.counters = counters
        self.onRefusal = onRefusal
        self.onKeyFrameWish = onKeyFrameWish
        self.onView = onView
        self.onStatement = onStatement
        self.onReception = onReception
        self.onDeparture = onDeparture
        self.onMedia = onMedia
    }

    /// Takes the payload types of our own description: with any other, the RTP session would end the call with an error.
    func admit(payloadTypes: Set<Int>) { state.withLock { $0.payloadTypes = payloadTypes } }

    /// Takes one more payload type: that of tones, which never come as far as the RTP session's decoders.
    func admit(payloadType: Int) { state.withLock { _ = $0.payloadTypes?.insert(payloadType) } }

    /// Puts guards on an element that has just been made, if it is one that needs them.
    func watch(_ element: Element) {
        switch element.factoryName {
        case "nicesrc": guardNetwork(element)
        case "nicesink": element.pad("sink")?.onSizes { [counters] in counters.countSent(bytes: $0) }
        case "srtpdec": guardSession(element)
        case "rtprtxsend": guardRetransmission(element)
        default: break
        }
    }

    /// Before decryption: counts what arrives, and bounds the table that the decryption keeps of all sources.
    private func guardNetwork(_ element: Element) {
        let sources = Lock(SourceBudget(limit: SourceBudget.unauthenticated))
        element.pad("src")?.filterPackets { [counters] packet in
            counters.countPacket(bytes: packet.count)
            // RFC 7983: from 128 to 191 RTP and RTCP; the rest is DTLS.
            guard packet.count >= 12, (128...191).contains(packet[0]), !(192...223).contains(packet[1]) else {
                return true
            }
            let source = packet.word(at: 8)
            return counters.check(sources.withLock { $0.admits(source) })
        }
    }

    /// After decryption, so from the peer itself.
    private func guardSession(_ element: Element) {
        let peer = Lock(Peer())
        element.pad("rtp_src")?.filterPackets { [counters, onMedia, weak self] packet in
            guard let header = RTPHeader(packet), self?.admits(header.payloadType) ?? true else {
                return counters.check(false)
            }
            guard counters.check(peer.withLock { $0.hears(header.source) }) else { return false }
            onMedia(packet)
            return true
        }
        let reports = Lock(TokenBucket(rate: Self.reportRate, burst: Self.reportRate))
        element.pad("rtcp_src")?.filterPackets {
            [counters, onRefusal, onKeyFrameWish, onView, onStatement, onDeparture, weak self] packet in
            guard let compound = RTCPCompound(packet) else { return counters.check(false) }
            guard reports.withLock({ $0.admits(now: .now) }) else {
                for source in Set(compound.wanted) { onRefusal(source) }
                return counters.check(false)
            }
            let (isAdmitted, leaves) = peer.withLock { $0.reads(compound) }
            if leaves { onDeparture() }
            if isAdmitted { for source in compound.keyFrames { onKeyFrameWish(source) } }
            if isAdmitted { for view in compound.views { onView(view) } }
            if isAdmitted, let statement = compound.statement { onStatement(statement) }
            if isAdmitted { self?.tellReception(of: compound) }
            return counters.check(isAdmitted)
        }
    }

    private func tellReception(of compound: RTCPCompound) {
        let isNeeded = state.withLock { state in
            if compound.hasTransportFeedback { state.hasTransportFeedback = true }
            return !state.hasTransportFeedback
        }
        if isNeeded, let reception = compound.reception { onReception(reception) }
    }

    /// The one at the other end, as its packets show it.
    private struct Peer: Sendable {
        private var budget = SourceBudget(limit: SourceBudget.authenticated)
        private var departure = PeerDeparture()

        /// Whether media of a source are taken.
        mutating func hears(_ source: UInt32) -> Bool {
            guard budget.admits(source) else { return false }
            departure.heard(source)
            return true
        }

        /// Whether a compound is taken, and whether the peer leaves by it.
        mutating func reads(_ compound: RTCPCompound) -> (isAdmitted: Bool, leaves: Bool) {
            guard compound.sources.allSatisfy({ budget.admits($0) }) else { return (false, false) }
            return (true, compound.goodbyes.reduce(false) { departure.receive($1) || $0 })
        }
    }

    /// A peer may ask for the same packets again and again; one RTCP packet can ask for thousands.
    private func guardRetransmission(_ element: Element) {
        let bucket = Lock(TokenBucket(rate: Self.retransmissionRate, burst: Self.retransmissionRate))
        element.pad("src")?.filterUpstreamEvents { [counters, onRefusal] event in
            guard let wish = RetransmissionWish(event), !bucket.withLock({ $0.admits(now: .now) }) else {
                return true
            }
            if let source = wish.source { onRefusal(source) }
            return counters.check(false)
        }
    }

    private func admits(_ payloadType: Int) -> Bool {
        state.withLock { $0.payloadTypes?.contains(payloadType) ?? true }
    }
}
