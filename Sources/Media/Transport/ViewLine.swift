import BaseKit
import GLibKit
import MediaRules

/// The sizes at which the two ends of one transport show each other's pictures, told beside their reports.
final class ViewLine: Sendable {
    private struct State: Sendable {
        var news = PeerView.Subject.allCases.map(PeerViewNews.init)
        /// Whether the peer wants to be told.
        var isAgreed = false
        /// What the peer told last.
        var peer: [PeerView.Subject: PictureSize] = [:]
    }

    private let state = Lock(State())

    /// The peer's description says whether it wants to be told.
    func agree(_ takesView: Bool) { state.withLock { $0.isAgreed = takesView } }

    /// We show what the peer sends in these sizes; what is missing is not known.
    func show(_ sizes: [PeerView.Subject: PictureSize]) {
        state.withLock { state in
            for index in state.news.indices { state.news[index].shows(sizes[state.news[index].subject]) }
        }
    }

    /// What the peer told last of a picture of ours; nil before it did.
    func peer(_ subject: PeerView.Subject) -> PictureSize? { state.withLock { $0.peer[subject] } }

    /// The peer tells its size. On a streaming thread.
    func receive(_ view: PeerView) { state.withLock { $0.peer[view.subject] = view.size } }

    /// Adds what is to be told to the reports that leave by this pad.
    func begin(at pad: Pad) {
        pad.replacePackets { [weak self] packet in
            guard let due = self?.due, !due.isEmpty else { return nil }
            return due.reduce(Array(packet)) { compound, view in
                compound.withUnsafeBytes { view.appended(to: $0) }
            }
        }
    }

    private var due: [PeerView] {
        let now = Instant.now
        return state.withLock { state in
            guard state.isAgreed else { return [] }
            return state.news.indices.compactMap { state.news[$0].next(now: now) }
        }
    }
}
