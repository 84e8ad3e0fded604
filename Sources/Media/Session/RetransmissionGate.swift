import CGStreamer
import GLibKit
import Synchronization

/// Keeps what is sent again within its ``RetransmissionBudget``: looks at the peer's wishes on their way to the element that
/// holds the packets of late.
final class RetransmissionGate: Sendable {
    /// Bytes of a packet, as most of a picture are.
    private static let packetSize = 1_200

    private let budget = Mutex(RetransmissionBudget(rate: 0))

    /// Bits a second that may be sent in all; before it is set everything is sent again.
    func setRate(_ rate: Int) { budget.withLock { $0.rate = rate } }

    /// Watches an `rtprtxsend`.
    func watch(_ element: Element) {
        element.pad("src")?.filterUpstreamEvents { [weak self] event in
            guard let structure = gst_event_get_structure(event),
                gst_structure_has_name(structure, "GstRTPRetransmissionRequest") != 0
            else { return true }
            return self?.admits() ?? true
        }
    }

    private func admits() -> Bool {
        let now = PeerSession.now
        return budget.withLock { $0.rate == 0 || $0.admits(size: Self.packetSize, now: now) }
    }
}
