import Foundation
import GRDB

extension StoreTransaction {
    private static let table = "received"

    /// Adds a message that came in, findable by its relay's id and by its content; returns it with its number.
    ///
    /// - Parameter content: the encrypted message; nil when nothing could be made of it.
    func insert(_ record: ReceivedRecord, relayID: [UInt8], content: [UInt8]?) throws -> ReceivedRecord {
        try database.execute(
            sql: """
                INSERT INTO received
                (connection, receiveQueue, relayMark, contentMark, receivedAt, brokerTime, isAcknowledged)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                record.connection.rawValue, record.receiveQueue, Data(sealer.fingerprint(relayID)),
                content.map { Data(sealer.fingerprint($0)) }, record.receivedAt, record.brokerTime,
                record.isAcknowledged,
            ])
        var stored = record
        stored.id = database.lastInsertedRowID
        try forgetOldest(of: record.receiveQueue)
        if stored.body != nil || stored.integrity != nil {
            try seal(
                [
                    "integrity": .bytes(stored.integrity), "body": .bytes(stored.body),
                    "receipt": .bytes(stored.receipt),
                ], Self.table, row: String(stored.id))
        }
        return stored
    }

    /// How many marks of finished messages are kept for each queue: a relay that lost what it had not written to disk, or a
    /// sender that had no answer, brings again what came last.
    static let marksPerQueue = 8_192
    /// The same for messages of which nothing was made, as they can't be read or came before; a queue holds 128 (SMP fact
    /// sheet §9.4).
    static let uselessMarksPerQueue = 512

    /// Whoever sends without end does not make the store grow. Looks every so many messages of a queue.
    private func forgetOldest(of queue: Int64) throws {
        let count =
            try Int.fetchOne(
                database, sql: "SELECT COUNT(*) FROM received WHERE receiveQueue = ?", arguments: [queue]) ?? 0
        guard count.isMultiple(of: 64) else { return }
        for (condition, kept) in [("NOT NULL", Self.marksPerQueue), ("NULL", Self.uselessMarksPerQueue)] {
            try database.execute(
                sql: """
                    DELETE FROM received WHERE id IN (
                        SELECT id FROM received
                        WHERE receiveQueue = ? AND isAcknowledged = 1 AND contentMark IS \(condition)
                        ORDER BY id DESC LIMIT -1 OFFSET ?)
                    """,
                arguments: [queue, kept])
        }
    }

    /// What is known of a message by the id its relay gave it.
    func receptionRecord(queue: Int64, relayID: [UInt8]) throws -> ReceptionMachine.Record {
        let row = try Row.fetchOne(
            database, sql: "SELECT id, isAcknowledged FROM received WHERE receiveQueue = ? AND relayMark = ?",
            arguments: [queue, Data(sealer.fingerprint(relayID))])
        guard let row else { return .unknown }
        return row["isAcknowledged"] ? .finished : .waiting(row["id"])
    }

    /// Whether the same encrypted message came in before under any relay id.
    func hasContent(_ content: [UInt8], connection: ConnectionID) throws -> Bool {
        try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM received WHERE connection = ? AND contentMark = ?)",
            arguments: [connection.rawValue, Data(sealer.fingerprint(content))]) ?? false
    }

    /// Records that the application is done with a message and forgets its content. Returns the message's queue, or nil
    /// when there is no such message or it was acknowledged before.
    func acknowledge(_ id: Int64, connection: ConnectionID) throws -> Int64? {
        let queue = try Int64.fetchOne(
            database,
            sql: "SELECT receiveQueue FROM received WHERE id = ? AND connection = ? AND isAcknowledged = 0",
            arguments: [id, connection.rawValue])
        guard let queue else { return nil }
        try database.execute(
            sql: "UPDATE received SET isAcknowledged = 1, integrity = NULL, body = NULL, receipt = NULL WHERE id = ?",
            arguments: [id])
        return queue
    }

    /// The messages the application has not acknowledged, in order.
    func waitingMessages() throws -> [ReceivedRecord] {
        try Row.fetchAll(database, sql: "SELECT * FROM received WHERE isAcknowledged = 0 ORDER BY id").map(received)
    }

    /// The same of one connection.
    func waitingMessages(of connection: ConnectionID) throws -> [ReceivedRecord] {
        try Row.fetchAll(
            database, sql: "SELECT * FROM received WHERE connection = ? AND isAcknowledged = 0 ORDER BY id",
            arguments: [connection.rawValue]
        ).map(received)
    }

    /// One message that came in.
    func received(_ id: Int64) throws -> ReceivedRecord? {
        try Row.fetchOne(database, sql: "SELECT * FROM received WHERE id = ?", arguments: [id]).map(received)
    }

    /// Forgets marks that no relay can need any more.
    func forgetReceived(before time: Int64) throws {
        try database.execute(
            sql: "DELETE FROM received WHERE isAcknowledged = 1 AND receivedAt < ?", arguments: [time])
    }

    private func received(_ row: Row) throws -> ReceivedRecord {
        let id: Int64 = row["id"]
        return ReceivedRecord(
            id: id, connection: ConnectionID(rawValue: row["connection"]), receiveQueue: row["receiveQueue"],
            receivedAt: row["receivedAt"], brokerTime: row["brokerTime"], isAcknowledged: row["isAcknowledged"],
            integrity: try open(row, Self.table, "integrity", row: String(id)),
            body: try open(row, Self.table, "body", row: String(id)),
            receipt: try open(row, Self.table, "receipt", row: String(id)))
    }
}
