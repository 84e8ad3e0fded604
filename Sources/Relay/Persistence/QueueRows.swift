import Cryptography
import Foundation
import GRDB
import RelayRules
import SMP
import SMPSession

/// Rows of `RelaySchema` and what they stand for.
enum QueueRows {
    /// Numbers and seconds that a relay can come to, with room above for more.
    private static let numbers = 0...Int64(1) << 60

    /// What messages are sealed with has a fixed length, as the id that is their nonce has.
    private static let secretCount = 32

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
        var result = PersistedQueues()
        result.age = try Int64.fetchOne(database, sql: "SELECT seconds FROM age") ?? 0
        guard numbers.contains(result.age) else { throw RelayStorageError.damaged("age \(result.age)") }
        for text in try String.fetchAll(database, sql: "SELECT address FROM blockedAddress") {
            guard case .origin(let origin)? = ConnectionOrigin.read(text) else {
                throw RelayStorageError.damaged("address \(text)")
            }
            result.blockedOrigins.insert(origin)
        }
        var positions: [Int64: Int] = [:]
        let queues = try Row.fetchCursor(database, sql: "SELECT * FROM queue ORDER BY number")
        while let row = try queues.next() {
            let queue = try queue(row)
            positions[queue.number] = result.queues.count
            result.queues.append(queue)
            result.lastNumber = max(result.lastNumber, queue.number)
        }
        let links = try Row.fetchCursor(database, sql: "SELECT queue, id, fixed, user FROM link")
        while let row = try links.next() {
            guard let position = positions[row["queue"]] else { continue }
            result.queues[position].link = StoredQueue.Link(
                id: EntityID(bytes(row["id"])), data: LinkData(fixed: bytes(row["fixed"]), user: bytes(row["user"])))
        }
        let messages = try Row.fetchCursor(
            database,
            sql: "SELECT number, queue, id, time, seen, notify, length(body) AS count FROM message ORDER BY number")
        while let row = try messages.next() {
            let message = message(row)
            guard numbers.contains(message.number), message.id.bytes.count == MessageID.count else {
                throw RelayStorageError.damaged("message \(message.number)")
            }
            result.lastNumber = max(result.lastNumber, message.number)
            guard let position = positions[row["queue"]] else { continue }
            result.queues[position].messages.append(message)
            result.queues[position].canWrite = !message.isMarker
        }
        return result
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

    private static func queue(_ row: Row) throws -> StoredQueue {
        let number: Int64 = row["number"]
        guard numbers.contains(number) else { throw RelayStorageError.damaged("queue \(number)") }
        do {
            var reader = ByteReader(bytes(row["recipientKeys"]))
            var keys: [AuthenticationPublicKey] = []
            while reader.remaining > 0 { keys.append(try reader.authenticationKey()) }
            let mode: Int64? = row["mode"]
            var queue = StoredQueue(
                number: number, recipientID: EntityID(bytes(row["recipientID"])),
                senderID: EntityID(bytes(row["senderID"])), recipientKeys: keys,
                secret: try secret(row["secret"]),
                mode: mode.flatMap { UInt8(exactly: $0) }.flatMap(QueueMode.init(rawValue:)))
            queue.senderKey = try optional(row["senderKey"]).map(AuthenticationPublicKey.init(der:))
            if let id = optional(row["notifierID"]) {
                queue.notifier = StoredQueue.Notifier(
                    id: EntityID(id), key: try AuthenticationPublicKey(der: bytes(row["notifierKey"])),
                    secret: try secret(row["notifierSecret"]))
            }
            queue.status = try status(row["status"], reason: row["blockingReason"], notice: row["blockingNotice"])
            return queue
        } catch {
            throw RelayStorageError.damaged("queue \(number)")
        }
    }

    private static func secret(_ data: Data?) throws -> SecretBytes {
        guard let data, data.count == secretCount else { throw RelayStorageError.damaged("secret") }
        return SecretBytes(bytes(data))
    }

    private static func message(_ row: Row) -> StoredMessage {
        let time: Int64 = row["time"]
        let notify: Bool? = row["notify"]
        let count: Int? = row["count"]
        return StoredMessage(
            number: row["number"], id: MessageID(bytes(row["id"])), time: time, seen: row["seen"],
            content: notify.map { .message(notify: $0, count: count ?? 0) } ?? .marker)
    }

    private static func encoded(_ status: StoredQueue.Status) -> (Int64, SMPError.BlockingInfo?) {
        switch status {
        case .active: (0, nil)
        case .off: (1, nil)
        case .blocked(let info): (2, info)
        }
    }

    private static func status(_ number: Int64, reason: String?, notice: String?) throws -> StoredQueue.Status {
        switch number {
        case 0: .active
        case 1: .off
        case 2: .blocked(SMPError.BlockingInfo(reason: reason ?? "", notice: notice))
        default: throw RelayStorageError.damaged("status \(number)")
        }
    }

    private static func run(
        _ sql: String, _ values: [(any DatabaseValueConvertible)?], in database: Database
    ) throws {
        try database.cachedStatement(sql: sql).execute(arguments: StatementArguments(values))
    }

    private static func data(_ bytes: [UInt8]) -> Data { Data(bytes) }

    private static func bytes(_ data: Data?) -> [UInt8] { data.map { Array($0) } ?? [] }

    private static func optional(_ data: Data?) -> [UInt8]? { data.map { Array($0) } }
}
