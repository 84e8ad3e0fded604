import Cryptography
import Foundation
import GRDB
import RelayRules
import SMP

/// Rows of `RelaySchema` and what they stand for.
enum QueueRows {
    static func apply(_ change: StoreChange, in database: Database) throws {
        switch change {
        case .saveQueue(let record): try save(record, in: database)
        case .saveLink(let queue, let link?):
            try run(
                "INSERT OR REPLACE INTO link (queue, id, fixed, user) VALUES (?, ?, ?, ?)",
                [queue, data(link.id.bytes), data(link.data.fixed), data(link.data.user)], in: database)
        case .saveLink(let queue, nil): try run("DELETE FROM link WHERE queue = ?", [queue], in: database)
        case .addMessage(let queue, let message): try add(message, to: queue, in: database)
        case .removeMessage(let number): try run("DELETE FROM message WHERE number = ?", [number], in: database)
        case .blockAddress(let origin, let isBlocked):
            let sql =
                isBlocked
                ? "INSERT OR REPLACE INTO blockedAddress (address) VALUES (?)"
                : "DELETE FROM blockedAddress WHERE address = ?"
            try run(sql, [origin.description], in: database)
        case .saveAge(let seconds):
            try run("INSERT OR REPLACE INTO age (id, seconds) VALUES (1, ?)", [seconds], in: database)
        case .removeQueue(let number):
            try run("DELETE FROM queue WHERE number = ?", [number], in: database)
            try run("DELETE FROM link WHERE queue = ?", [number], in: database)
        }
    }

    /// Bodies of messages, by their numbers.
    ///
    /// - Throws: GRDB's errors.
    static func bodies(of numbers: [Int64], in database: Database) throws -> [Int64: [UInt8]] {
        let statement = try database.cachedStatement(sql: "SELECT body FROM message WHERE number = ?")
        var result: [Int64: [UInt8]] = [:]
        for number in numbers {
            if let row = try Row.fetchOne(statement, arguments: [number]) { result[number] = bytes(row["body"]) }
        }
        return result
    }

    /// Reads everything but the bodies of messages.
    ///
    /// - Throws: `RelayStorageError.damaged`, or GRDB's errors.
    static func load(_ database: Database) throws -> PersistedQueues {
        var decoder = PersistedQueuesDecoder()
        for table in PersistedQueuesDecoder.Table.allCases {
            let rows = try Row.fetchCursor(database, sql: selection(table))
            while let row = try rows.next() { try decoder.add((0..<row.count).map { columnValue(row[$0]) }, to: table) }
        }
        return decoder.finish()
    }

    private static func selection(_ table: PersistedQueuesDecoder.Table) -> String {
        let columns = table.columns.map { table == .message && $0 == "count" ? "length(body)" : $0 }
        // Rows of a queue or message by their number, of a link by that of its queue.
        return "SELECT \(columns.joined(separator: ", ")) FROM \(table.rawValue) ORDER BY 1"
    }

    private static func columnValue(_ value: DatabaseValue) -> ColumnValue {
        switch value.storage {
        case .null: .null
        case .int64(let number): .integer(number)
        case .double(let number): .real(number)
        case .string(let text): .text(text)
        case .blob(let data): .bytes(bytes(data))
        }
    }

    private static func save(_ record: QueueRecord, in database: Database) throws {
        let keys = try ByteWriter.build { writer in
            for key in record.recipientKeys { try writer.bytes(key.derRepresentation) }
        }
        let (status, blocking) = encoded(record.status)
        try run(
            """
            INSERT OR REPLACE INTO queue (number, recipientID, senderID, recipientKeys, secret, mode, senderKey, notifierID,
                notifierKey, notifierSecret, status, blockingReason, blockingNotice)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                record.number, data(record.recipientID.bytes), data(record.senderID.bytes), data(keys),
                data(record.secret.bytes), record.mode.map { Int64($0.rawValue) },
                record.senderKey.map { data($0.derRepresentation) }, record.notifier.map { data($0.id.bytes) },
                record.notifier.map { data($0.key.derRepresentation) }, record.notifier.map { data($0.secret.bytes) },
                status, blocking?.reason, blocking?.notice,
            ], in: database)
    }

    private static func add(_ message: StoredMessage, to queue: Int64, in database: Database) throws {
        var notify: Bool?
        var body: Data?
        if case .message(_, let flag, let bytes) = message.body { (notify, body) = (flag, data(bytes)) }
        try run(
            "INSERT INTO message (number, queue, id, time, seen, notify, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [message.number, queue, data(message.id.bytes), message.time, message.seen, notify, body], in: database)
    }

    private static func encoded(_ status: StoredQueue.Status) -> (Int64, SMPError.BlockingInfo?) {
        switch status {
        case .active: (0, nil)
        case .off: (1, nil)
        case .blocked(let info): (2, info)
        }
    }

    private static func run(
        _ sql: String, _ values: [(any DatabaseValueConvertible)?], in database: Database
    ) throws {
        try database.cachedStatement(sql: sql).execute(arguments: StatementArguments(values))
    }

    private static func data(_ bytes: [UInt8]) -> Data { Data(bytes) }

    private static func bytes(_ data: Data?) -> [UInt8] { data.map { Array($0) } ?? [] }
}
