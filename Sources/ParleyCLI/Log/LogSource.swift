import CallControl
import Calling
import Parley
import Wording

/// Where the log of calls is: in a profile that is open here, or in the Parley that has it open.
protocol LogSource: Sendable {
    /// Gives the calls, newest first, so many at most.
    func visit(_ conditions: LogConditions, limit: Int, _ body: (LogFacts) -> Void) async throws
    func delete(_ numbers: [Int64]) async throws
    func deleteAll() async throws
}

/// The log of an account that is open here.
struct AccountLog: LogSource {
    let account: Account

    func visit(_ conditions: LogConditions, limit: Int, _ body: (LogFacts) -> Void) async throws {
        var filter = conditions.filter
        if !conditions.contacts.isEmpty {
            filter.contacts = try await account.contactsInLog(named: conditions.contacts)
        }
        let query = await account.callLog(filter, text: conditions.text, limit: min(limit, 500))
        var rest = limit
        while rest > 0, query.hasNext {
            let calls = try await query.next().prefix(rest)
            rest -= calls.count
            for call in calls { body(LogFacts(call)) }
        }
    }

    func delete(_ numbers: [Int64]) async throws { try await account.deleteCalls(Set(numbers)) }

    func deleteAll() async throws { try await account.deleteAllCalls() }
}

/// The log of the running Parley.
struct BusLog: LogSource {
    let holder: ProfileHolder

    func visit(_ conditions: LogConditions, limit: Int, _ body: (LogFacts) -> Void) async throws {
        let client = try await LogClient(bus: holder.bus)
        var (rest, before): (Int, Int64) = (limit, 0)
        repeat {
            let page = try await client.calls(conditions.query, limit: min(rest, 500), before: before)
            rest -= page.calls.count
            before = page.next
            for call in page.calls { body(call) }
        } while rest > 0 && before != 0
    }

    func delete(_ numbers: [Int64]) async throws { try await LogClient(bus: holder.bus).delete(numbers) }

    func deleteAll() async throws { try await LogClient(bus: holder.bus).deleteAll() }
}
