import BaseKit
import MediaRules

/// The feedback between us and a forwarding server, both ways.
final class ServerFeedback: Sendable {
    private let splitter = Lock(FeedbackSplitter())
    private let plausible = Lock(PlausibleFeedback())

    /// Has ours leave so that the server heeds it. `reports` is where it leaves the RTP session.
    func split(at reports: Pad) {
        reports.splitPackets { [weak self] compound in self?.splitter.withLock { $0.split(compound) } }
    }

    /// Counts what leaves the RTP session.
    func count(at departures: Pad) {
        departures.onPackets { [weak self] _, _ in self?.plausible.withLock { $0.sent() } }
    }

    /// Whether the server's feedback about so many packets may be true.
    func admits(count: Int) -> Bool { plausible.withLock { $0.admits(count: count) } }
}
