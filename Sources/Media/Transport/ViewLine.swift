import BaseKit
import GLibKit
import MediaRules

/// The size at which the two ends of one transport show each other's camera, told beside their reports.
final class ViewLine: Sendable {
    private struct State: Sendable {
        var news = PeerViewNews()
        /// Whether the peer wants to be told.
        var isAgreed = false
        /// What the peer told last.
        var peer: PictureSize?
    }

    private let state = Lock(State())

    /// The peer's description says whether it wants to be told.
    func agree(_ takesView: Bool) { state.withLock { $0.isAgreed = takesView } }

    /// We show the peer's camera in this size; nil: it is not known.
    func show(_ size: PictureSize?) { state.withLock { $0.news.shows(size) } }

    /// What the peer told last; nil before it did.
    var peer: PictureSize? { state.withLock { $0.peer } }

    /// The peer tells its size. On a streaming thread.
    func receive(_ view: PeerView) { state.withLock { $0.peer = view.size } }

    /// Adds it to the reports that leave by this pad.
    func begin(at pad: Pad) {
        pad.replacePackets { [weak self] packet in self?.next?.appended(to: packet) }
    }

    private var next: PeerView? {
        let now = Instant.now
        return state.withLock { $0.isAgreed ? $0.news.next(now: now) : nil }
    }
}
