import Agent
import BaseKit
import Calling

/// Calls of the log that somebody looks for, newest first, page by page.
///
/// Calls that end meanwhile are told by ``changes`` and are in no page; those that are deleted are missing in pages that come later. No
/// call is in two pages.
public final class CallLogQuery: Sendable {
    private let log: CallLog
    private let filter: CallLogFilter
    private let text: CallLogText?
    private let limit: Int
    private let state: Lock<State>

    private struct State {
        var cursor: CallLogCursor
        var last: Task<[LoggedCall], any Error>?
        var loading = 0
    }

    package init(
        _ log: CallLog, _ filter: CallLogFilter = CallLogFilter(), text: CallLogText? = nil,
        limit: Int = Account.callLogPage, before number: Int64 = .max
    ) {
        self.log = log
        self.filter = filter
        self.text = text
        self.limit = max(1, limit)
        state = Lock(State(cursor: CallLogCursor(filter, text: text, before: number)))
    }

    /// Whether there are more calls. Only those that were there have been looked at: true before the first page.
    public var hasNext: Bool { state.withLock { $0.cursor.hasNext } }

    /// Whether a page is being read.
    var isLoading: Bool { state.withLock { $0.loading > 0 } }

    /// The next calls: as many as one page has, fewer if there are no more. Pages that are asked for at once come one after the other.
    /// - Throws: `AccountError`; then the same page can be asked for again.
    public func next() async throws(AccountError) -> [LoggedCall] {
        let page = state.withLock { state in
            let page = Task { [previous = state.last] in
                _ = await previous?.result
                return try await self.load()
            }
            state.last = page
            state.loading += 1
            return page
        }
        defer { state.withLock { $0.loading -= 1 } }
        do {
            return try await page.value
        } catch {
            throw (error as? AgentError).map(AccountError.init) ?? .store(.other(Cause(error)))
        }
    }

    private func load() async throws -> [LoggedCall] {
        let (cursor, calls) = try await log.page(state.withLock { $0.cursor }, limit: limit)
        state.withLock { $0.cursor = cursor }
        return calls
    }

    /// What happens to the calls that are looked for, from now on. Each use is a new stream.
    public var changes: AsyncStream<CallLogChange> {
        log.changes.stream(where: { [filter, text] change in
            guard case .inserted(let call) = change else { return true }
            let key = CallRecordKey(call.record)
            return filter.matches(key) && text?.matches(key.contacts, called: key.name) ?? true
        })
    }
}
