import Cryptography
import Foundation
import GRDB
import SMP
import TestSupport
import Testing

@testable import Relay
@testable import RelayRules

/// Rows of any content are read, or named as damaged; whatever is read can be used.
@Suite(.timeLimit(.minutes(5))) struct DamagedRowsTests {
    /// A value that the column's type allows.
    private func value(_ type: String, _ random: inout SeededGenerator) -> any DatabaseValueConvertible {
        switch type {
        case "INTEGER":
            let known: [Int64] = [0, 1, 2, 3, -1, .max, .min, 255, 256, 1 << 40]
            return known[Int.random(in: 0..<known.count, using: &random)]
        case "TEXT":
            let known = [
                "", "spam", "\u{0}", "192.0.2.1", "2001:db8::1", "::1", "1.2.3", String(repeating: "a", count: 300),
            ]
            return known[Int.random(in: 0..<known.count, using: &random)]
        default:
            let counts = [0, 1, 12, 24, 32, 44, 91, 255, 16_048]
            let count = counts[Int.random(in: 0..<counts.count, using: &random)]
            return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
    }

    /// A disk with two queues that have everything.
    private func filled() throws -> DatabaseQueue {
        var store = QueueStore()
        store.restore(PersistedQueues())
        let disk = try DatabaseQueue()
        try RelaySchema.migrator.migrate(disk)
        let agreement = try RelayEntropy.system.agreement(X25519.PrivateKey().publicKey)
        for mode in 0..<2 {
            let keys = NotifierKeys(
                authenticationKey: AuthenticationPrivateKey.ed25519(.init()).publicKey,
                agreementKey: agreement.publicKey)
            let request = QueueRequest(
                recipientKey: AuthenticationPrivateKey.ed25519(.init()).publicKey, agreementKey: agreement.publicKey,
                subscribes: false, link: mode == 0 ? .messaging(nil) : .contact(nil), notifier: keys)
            let made = store.create(
                request, correlationID: .random(), agreement: agreement, notifier: agreement, session: 1)
            guard case .plain(.queue(let ids)) = made.reply else { throw SMPError.internalError }
            _ = store.setLinkData(.random(), LinkData(fixed: [1], user: [2]), queue: ids.recipientID)
            for _ in 0..<2 { _ = store.send(ids.senderID, notify: true, body: [1, 2, 3], limit: 10, time: 1) }
        }
        store.operatorBlocks(.ipv4(0xC000_0201))
        store.journal.append(.saveAge(100))
        let changes = store.journal.take()
        try disk.write { database in for change in changes { try QueueRows.apply(change, in: database) } }
        return disk
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func `they are read or named`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let whole = try filled()
        let intact = try whole.read { try QueueRows.load($0) }
        #expect(intact.queues.count == 2 && intact.queues.allSatisfy { $0.messages.count == 2 && $0.link != nil })
        #expect(intact.age == 100 && intact.blockedOrigins == [.ipv4(0xC000_0201)])
        var (damaged, read) = (0, 0)
        for _ in 0..<50 {
            let disk = try DatabaseQueue()
            try whole.backup(to: disk)
            try disk.write { database in
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let tables = ["queue", "link", "message", "age", "blockedAddress"]
                    let table = tables[Int.random(in: 0..<tables.count, using: &random)]
                    let columns = try database.columns(in: table)
                    let column = columns[Int.random(in: 0..<columns.count, using: &random)]
                    let isNull = !column.isNotNull && column.primaryKeyIndex == 0 && Bool.random(using: &random)
                    let new: (any DatabaseValueConvertible)? = isNull ? nil : value(column.type, &random)
                    // A number that is taken, or an age that is not the first, is refused by the table itself.
                    try? database.execute(
                        sql: """
                            UPDATE OR IGNORE \(table) SET \(column.name) = ?
                            WHERE rowid = (SELECT max(rowid) FROM \(table))
                            """,
                        arguments: [new])
                }
            }
            let persisted: PersistedQueues
            do {
                persisted = try disk.read { try QueueRows.load($0) }
            } catch is RelayStorageError {
                damaged += 1
                continue
            }
            read += 1
            use(persisted)
        }
        #expect(damaged > 0 && read > 0)
    }

    /// Does with everything what clients would.
    private func use(_ persisted: PersistedQueues) {
        var store = QueueStore()
        store.restore(persisted)
        for queue in persisted.queues {
            _ = store.subscribe(queue.recipientID, session: 1).events.map(\.reply.brokerMessage)
            _ = store.send(queue.senderID, notify: true, body: [7], limit: 10, time: 1)
            for message in queue.messages {
                _ = store.acknowledge(queue.recipientID, message: message.id, session: 1).reply.brokerMessage
            }
            _ = store.information(queue.recipientID, session: 1)
            if let link = queue.link { _ = store.getLink(link.id) }
        }
        _ = store.expire(before: .max)
        for queue in persisted.queues { _ = store.delete(queue.recipientID, session: 2) }
        #expect(store.queues.isEmpty)
    }
}
