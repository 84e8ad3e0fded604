import BaseKit
import CGStreamer
import GLibKit
import MediaRules
import Synchronization

/// Keeps what is sent again within its ``RetransmissionBudget``: looks at the peer's wishes on their way to the element that
/// holds the packets of late.
///
/// What is refused is a hole that the peer can't fill. It would wait for the packet for seconds before it asks for a key frame, so
/// each refusal tells the source's encoder that one is due.
final class RetransmissionGate: Sendable {
    /// Bytes of a packet, as most of a picture are.
    private static let packetSize = 1_200

    private let budget = Mutex(RetransmissionBudget(rate: 0))
    private let onRefusal = Mutex<[UInt32: @Sendable () -> Void]>([:])

    /// Bits a second that may be sent in all; before it is set everything is sent again.
    func setRate(_ rate: Int) { budget.withLock { $0.rate = rate } }

    /// Calls `body` for each refused wish for a packet of this source, on the thread that receives RTCP, which holds locks: it must
    /// call nothing of GStreamer's.
    func onRefusal(of source: UInt32, _ body: @escaping @Sendable () -> Void) {
        onRefusal.withLock { $0[source] = body }
    }

    /// Watches an `rtprtxsend`.
    func watch(_ element: Element) {
        element.pad("src")?.filterUpstreamEvents { [weak self] event in
            guard let self, let wish = RetransmissionWish(event), !admits() else { return true }
            if let source = wish.source { refuse(source) }
            return false
        }
    }

    /// A wish for something of this source was refused, here or before it came here.
    func refuse(_ source: UInt32) { onRefusal.withLock { $0[source] }?() }

    private func admits() -> Bool {
        let now = Instant.now
        return budget.withLock { $0.rate == 0 || $0.admits(size: Self.packetSize, now: now) }
    }
}

/// The peer wants a packet again, as the RTP session says it inside a pipeline.
struct RetransmissionWish: Sendable, Equatable {
    /// Whose packet; nil if that is not said.
    let source: UInt32?

    /// Nil for any other event.
    init?(_ event: UnsafeMutablePointer<GstEvent>) {
        guard let structure = gst_event_get_structure(event),
            gst_structure_has_name(structure, "GstRTPRetransmissionRequest") != 0
        else { return nil }
        var source: guint = 0
        self.source = gst_structure_get_uint(structure, "ssrc", &source) != 0 ? source : nil
    }
}
