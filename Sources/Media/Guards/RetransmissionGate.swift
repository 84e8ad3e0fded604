import BaseKit
import CGStreamer
import GLibKit
import MediaRules

/// Keeps what is sent again within its ``RetransmissionBudget``: looks at the peer's wishes on their way to the element that
/// holds the packets of late.
///
/// What is refused is a hole that the peer can't fill. It would wait for the packet for seconds before it asks for a key frame, so
/// each refusal tells the source's encoder that one is due.
final class RetransmissionGate: Sendable {
    /// Bytes of a packet, as most of a picture are.
    private static let packetSize = 1_200

    private let budget = Lock(RetransmissionBudget(rate: 0))
    private let onRefusal = Lock<[UInt32: @Sendable () -> Void]>([:])
    /// The element that holds the packets, and where the peer's wishes come to it.
    private let watched = Lock<(element: Element, wishes: Pad)?>(nil)

    /// Bits a second that may be sent in all; before it is set everything is sent again.
    func setRate(_ rate: Int) { budget.withLock { $0.rate = rate } }

    /// Calls `body` for each refused wish for a packet of this source, on the thread that receives RTCP, which holds locks: it must
    /// call nothing of GStreamer's.
    func onRefusal(of source: UInt32, _ body: @escaping @Sendable () -> Void) {
        onRefusal.withLock { $0[source] = body }
    }

    /// Watches an `rtprtxsend`.
    func watch(_ element: Element) {
        guard let pad = element.pad("src") else { return }
        watched.withLock { $0 = (element, pad) }
        pad.filterUpstreamEvents { [weak self] event in
            guard let self, let wish = RetransmissionWish(event), !admits() else { return true }
            if let source = wish.source { refuse(source) }
            return false
        }
    }

    /// Has packets of these sources sent again by others that are known beforehand. Before the first of them leaves.
    func map(_ sources: [UInt32: UInt32]) {
        guard let element = watched.withLock({ $0?.element }), let map = gst_structure_new_empty("ssrc-map") else {
            return
        }
        for (source, other) in sources {
            let value = Value(type: g_type_from_name("guint"))
            value.set(other)
            gst_structure_set_value(map, String(source), value.storage)
        }
        element.set("ssrc-map", Boxed(type: gst_structure_get_type(), adopting: map))
    }

    /// Whether packets can be sent again at all.
    var canRepeat: Bool { watched.withLock { $0 != nil } }

    /// Sends a packet of ours again that the peer did not ask for; false when that is not possible.
    func repeats(_ sequenceNumber: UInt16, of source: UInt32) -> Bool {
        guard let pad = watched.withLock({ $0?.wishes }) else { return false }
        let text = RetransmissionWish.text(sequenceNumber: sequenceNumber, source: source)
        guard let structure = gst_structure_from_string(text, nil) else { return false }
        return gst_pad_send_event(pad.pointer(), gst_event_new_custom(GST_EVENT_CUSTOM_UPSTREAM, structure)) != 0
    }

    /// Lets go of the element.
    func clear() { watched.withLock { $0 = nil } }

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

    private static let name = "GstRTPRetransmissionRequest", own = "parley-probe"

    /// A wish of our own, in GStreamer's text form: no bound on the peer's counts for it.
    static func text(sequenceNumber: UInt16, source: UInt32) -> String {
        "\(name), seqnum=(uint)\(sequenceNumber), ssrc=(uint)\(source), \(own)=(boolean)true"
    }

    /// Nil for any other event, and for a wish of our own.
    init?(_ event: UnsafeMutablePointer<GstEvent>) {
        guard let structure = gst_event_get_structure(event), gst_structure_has_name(structure, Self.name) != 0,
            gst_structure_has_field(structure, Self.own) == 0
        else { return nil }
        var source: guint = 0
        self.source = gst_structure_get_uint(structure, "ssrc", &source) != 0 ? source : nil
    }
}
