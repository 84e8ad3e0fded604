import CallControl
import Calling
import Parley
import Signaling
import Wording

/// Lets other programs of the session read the log of calls and delete from it.
@MainActor final class LogExport {
    private let service: LogService
    private let provider: @MainActor () -> any CallLogProvider
    private var listening: Task<Void, Never>?

    /// Exports the log by this service.
    init(_ service: LogService, _ provider: @escaping @MainActor () -> any CallLogProvider) {
        self.service = service
        self.provider = provider
        listening = Task { [weak self, requests = service.requests] in
            for await request in requests { self?.handle(request) }
        }
    }

    isolated deinit { listening?.cancel() }

    /// Lets other programs read the log, or not.
    func setEnabled(_ isEnabled: Bool) { service.setEnabled(isEnabled) }

    private func handle(_ pending: PendingLogRequest) {
        Task { [provider = provider()] in
            do {
                switch pending.request {
                case .list(let query, let limit, let before):
                    var filter = CallLogFilter(query)
                    if let names = query.contacts { filter.contacts = try await provider.contactsInLog(named: names) }
                    let pages = try await provider.callLog(filter, text: query.text, limit: limit, before: before)
                    let calls = try await pages.next()
                    pending.finish(.calls(calls.map(LogFacts.init), next: pages.hasNext ? calls.last?.id ?? 0 : 0))
                case .delete(let ids):
                    try await provider.deleteCalls(Set(ids))
                    pending.finish(.done)
                case .deleteAll:
                    try await provider.deleteAllCalls()
                    pending.finish(.done)
                }
            } catch AccountError.unknownContact {
                pending.finish(.refused(.noSuchContact))
            } catch {
                pending.finish(.refused(.notReachable))
            }
        }
    }
}

extension CallLogFilter {
    /// What another program asks for, but for the contacts.
    fileprivate init(_ query: LogQuery) {
        self.init()
        direction = query.isIncoming.map { $0 ? .incoming : .outgoing }
        media = query.isVideo.map { $0 ? .video : .audio }
        onlyMissed = query.onlyMissed
        results = query.results.map { Set($0.compactMap(CallResult.init(name:))) }
        since = query.since
        until = query.until
    }
}
