import CGStreamer
import GLibKit
import Synchronization

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
    }

    private let state = Mutex(State())
    private let counters: MediaCounters

    init(counters: MediaCounters) { self.counters = counters }

    /// Takes the payload types of our own description: with any other, the RTP session would end the call with an error.
    func admit(payloadTypes: Set<Int>) { state.withLock { $0.payloadTypes = payloadTypes } }

    /// Puts guards on an element that has just been made, if it is one that needs them.
    func watch(_ element: Element) {
        switch element.factoryName {
        case "nicesrc": guardNetwork(element)
        case "srtpdec": guardSession(element)
        case "rtprtxsend": guardRetransmission(element)
        default: break
        }
    }

    /// Before decryption: counts what arrives, and bounds the table that the decryption keeps of all sources.
    private func guardNetwork(_ element: Element) {
        let sources = Mutex(SourceBudget(limit: SourceBudget.unauthenticated))
        element.pad("src")?.filterPackets { [counters] packet in
            counters.countPacket()
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
        let sources = Mutex(SourceBudget(limit: SourceBudget.authenticated))
        let nobody: @Sendable (UInt32) -> Bool = { source in sources.withLock { $0.admits(source) } }
        element.pad("rtp_src")?.filterPackets { [counters, weak self] packet in
            guard let header = RTPHeader(packet), self?.admits(header.payloadType) ?? true else {
                return counters.check(false)
            }
            return counters.check(nobody(header.source))
        }
        let reports = Mutex(TokenBucket(rate: Self.reportRate, burst: Self.reportRate))
        element.pad("rtcp_src")?.filterPackets { [counters] packet in
            guard reports.withLock({ $0.take(now: Self.now) }), let compound = RTCPCompound(packet) else {
                return counters.check(false)
            }
            return counters.check(compound.sources.allSatisfy(nobody))
        }
    }

    /// A peer may ask for the same packets again and again; one RTCP packet can ask for thousands.
    private func guardRetransmission(_ element: Element) {
        let bucket = Mutex(TokenBucket(rate: Self.retransmissionRate, burst: Self.retransmissionRate))
        element.pad("src")?.filterUpstreamEvents { [counters] event in
            guard gst_event_has_name(event, "GstRTPRetransmissionRequest") != 0 else { return true }
            return counters.check(bucket.withLock { $0.take(now: Self.now) })
        }
    }

    private func admits(_ payloadType: Int) -> Bool {
        state.withLock { $0.payloadTypes?.contains(payloadType) ?? true }
    }

    /// Milliseconds of the monotonic clock.
    private static var now: Int64 { Int64(g_get_monotonic_time() / 1_000) }
}

extension MediaCounters {
    /// Counts a packet that is not admitted; gives back whether it is.
    func check(_ isAdmitted: Bool) -> Bool {
        if !isAdmitted { countRefusedPacket() }
        return isAdmitted
    }
}

extension SessionDescription {
    /// All payload types that its m-lines list.
    var payloadTypes: Set<Int> { Set(media.flatMap { $0.formats.compactMap { Int($0) } }) }
}
