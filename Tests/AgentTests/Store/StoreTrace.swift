import GRDB
import Synchronization

@testable import Agent

/// The transactions and the looks at the store of one agent, from when this is made.
final class StoreTrace: Sendable {
    /// The statements of each.
    private let transactions = Mutex<[[String]]>([])

    init(_ agent: Agent) async throws {
        // What the agent is doing ends first.
        _ = try await agent.connections()
        try agent.store.read { (transaction: StoreTransaction) throws -> Void in
            transaction.database.database.trace { [self] event in note("\(event)") }
        }
    }

    private func note(_ statement: String) {
        transactions.withLock { transactions in
            if ["BEGIN", "PRAGMA query_only = 1"].contains(where: statement.hasPrefix) { transactions.append([]) }
            guard !transactions.isEmpty else { return }
            transactions[transactions.count - 1].append(statement)
        }
    }

    /// Those that are not only about a message on its way out, as a receipt is.
    var incoming: [[String]] {
        transactions.withLock { $0 }.filter { statements in
            let (isOutgoing, isIncoming) = (Self.use("outgoing", statements), Self.use("received", statements))
            return isIncoming || !isOutgoing
        }
    }

    private static func use(_ table: String, _ statements: [String]) -> Bool {
        statements.contains { statement in
            ["FROM \(table) ", "INTO \(table)\n", "UPDATE \(table) ", "INTO \(table) "].contains(
                where: statement.contains)
        }
    }
}
