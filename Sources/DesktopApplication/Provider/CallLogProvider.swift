import Calling
import Parley

/// The log of calls.
@MainActor package protocol CallLogProvider: AnyObject {
    /// Looks for calls before a number, newest first, so many at a time; `text` is in the names of their contacts.
    func callLog(
        _ filter: CallLogFilter, text: String?, limit: Int, before number: LoggedCall.ID
    ) async throws -> any CallLogPages
    /// Who is meant by names of contacts, each as it is now or has been in calls of the log.
    func contactsInLog(named names: [String]) async throws -> Set<ContactID>
    /// Deletes calls from the log.
    func deleteCalls(_ ids: Set<LoggedCall.ID>) async throws
    /// Deletes all calls from the log.
    func deleteAllCalls() async throws
    /// Whether and how long the log is kept; nil before the account is open.
    func callLogSettings() async -> CallLogSettings?
    /// Keeps the log so from now on.
    func setCallLogSettings(_ settings: CallLogSettings) async throws
    /// Keeps calls with a contact in the log, or not.
    func setKeepsCalls(_ keeps: Bool, with contact: ContactItem) async throws
}

/// Calls that are looked for, page by page.
@MainActor package protocol CallLogPages: AnyObject {
    /// Whether there are more.
    var hasNext: Bool { get }
    /// What happens to them, from the first use on.
    var changes: AsyncStream<CallLogChange> { get }
    /// The next ones.
    func next() async throws -> [LoggedCall]
}
