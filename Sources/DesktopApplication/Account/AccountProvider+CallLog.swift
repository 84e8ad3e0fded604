import Calling
import Parley

// The log of the account's calls.
extension AccountProvider {
    func callLog(
        _ filter: CallLogFilter, text: String?, limit: Int, before number: LoggedCall.ID
    ) async throws -> any CallLogPages {
        AccountCallLog(await (try opened()).callLog(filter, text: text, limit: limit, before: number))
    }

    func contactsInLog(named names: [String]) async throws -> Set<ContactID> {
        try await opened().contactsInLog(named: names)
    }

    func deleteCalls(_ ids: Set<LoggedCall.ID>) async throws { try await opened().deleteCalls(ids) }

    func deleteAllCalls() async throws { try await opened().deleteAllCalls() }

    func callLogSettings() async -> CallLogSettings? { await (try? opened())?.callLogSettings }

    func setCallLogSettings(_ settings: CallLogSettings) async throws {
        try await opened().setCallLogSettings(settings)
    }

    func setKeepsCalls(_ keeps: Bool, with contact: ContactItem) async throws {
        await (try opened()).setKeepsCalls(keeps, with: ContactID(rawValue: contact.id))
    }
}

/// A query of the account behind the window.
@MainActor private final class AccountCallLog: CallLogPages {
    private let query: CallLogQuery

    init(_ query: CallLogQuery) { self.query = query }

    var hasNext: Bool { query.hasNext }

    var changes: AsyncStream<CallLogChange> { query.changes }

    func next() async throws -> [LoggedCall] { try await query.next() }
}
