import BaseKit
import GLibKit
import MediaRules

/// What the two ends of one transport tell each other of their sources, beside their reports.
final class StatementLine: Sendable {
    private struct State: Sendable {
        var news = StatementNews()
        /// Whether the peer wants to be told.
        var isAgreed = false
        /// Whether the peer is known to be the one there: before, nothing is believed.
        var isOpen = false
        /// The number of the newest word of the peer's.
        var newest: UInt32?
    }

    private let state = Lock(State())
    private let onNews: @Sendable (MediaStatement) -> Void

    /// `onNews` is called on a streaming thread with each word of the peer's that is newer than those before.
    init(onNews: @escaping @Sendable (MediaStatement) -> Void) { self.onNews = onNews }

    /// The peer's description says whether it wants to be told.
    func agree(_ takesStatements: Bool) { state.withLock { $0.isAgreed = takesStatements } }

    /// Tells the peer this from now on.
    func say(_ statement: MediaStatement) { state.withLock { $0.news.say(statement) } }

    /// The peer says which of its sources are on. On a streaming thread.
    func receive(_ statement: MediaStatement) {
        let isNew = state.withLock { state in
            // It is told again and again.
            guard state.isOpen, state.newest.map({ statement.number > $0 }) ?? true else { return false }
            state.newest = statement.number
            return true
        }
        if isNew { onNews(statement) }
    }

    /// The peer is the announced one: adds what is told to the reports that leave by this pad.
    func begin(at pad: Pad) {
        state.withLock { $0.isOpen = true }
        pad.replacePackets { [weak self] packet in self?.next.map { StatementPacket($0).appended(to: packet) } }
    }

    private var next: MediaStatement? {
        let now = Instant.now
        return state.withLock { $0.isAgreed ? $0.news.next(now: now) : nil }
    }
}
