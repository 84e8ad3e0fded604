import Cryptography
import GRDB

extension StoreTransaction {
    private static let receiveTable = "receiveQueue"
    private static let sendTable = "sendQueue"

    // MARK: Receive queues

    /// Adds a receive queue; returns it with its number.
    func insert(_ record: ReceiveQueueRecord) throws -> ReceiveQueueRecord {
        try database.execute(
            sql: "INSERT INTO receiveQueue (connection, isFast) VALUES (?, ?)",
            arguments: [record.connection.rawValue, record.isFast])
        var stored = record
        stored.id = database.lastInsertedRowID
        try update(stored)
        return stored
    }

    /// Writes all columns of a receive queue.
    func update(_ record: ReceiveQueueRecord) throws {
        try database.execute(
            sql: "UPDATE receiveQueue SET isFast = ? WHERE id = ?", arguments: [record.isFast, record.id])
        try seal(
            [
                "relay": Array(record.relay.utf8),
                "recipientID": record.recipientID,
                "senderID": record.senderID,
                "authenticationKey": record.authenticationKey.bytes,
                "deliverySecret": record.deliverySecret.bytes,
                "queueKey": record.queueKey.bytes,
                "queueSecret": record.queueSecret?.bytes,
                "peerAuthenticationKey": record.peerAuthenticationKey,
            ], Self.receiveTable, row: String(record.id))
    }

    /// Removes a receive queue.
    func deleteReceiveQueue(_ id: Int64) throws {
        try database.execute(sql: "DELETE FROM receiveQueue WHERE id = ?", arguments: [id])
    }

    /// One receive queue.
    func receiveQueue(_ id: Int64) throws -> ReceiveQueueRecord? {
        try Row.fetchOne(database, sql: "SELECT * FROM receiveQueue WHERE id = ?", arguments: [id])
            .map(receiveQueue)
    }

    /// The receive queues of one connection, or of all.
    func receiveQueues(of connection: ConnectionID? = nil) throws -> [ReceiveQueueRecord] {
        try rows(of: Self.receiveTable, connection).map(receiveQueue)
    }

    private func receiveQueue(_ row: Row) throws -> ReceiveQueueRecord {
        let id: Int64 = row["id"]
        func bytes(_ column: String) throws -> [UInt8] {
            try openRequired(row, Self.receiveTable, column, row: String(id))
        }
        let queueSecret = try open(row, Self.receiveTable, "queueSecret", row: String(id))
        return ReceiveQueueRecord(
            id: id, connection: ConnectionID(rawValue: row["connection"]), isFast: row["isFast"],
            relay: String(decoding: try bytes("relay"), as: UTF8.self), recipientID: try bytes("recipientID"),
            senderID: try bytes("senderID"), authenticationKey: SecretBytes(try bytes("authenticationKey")),
            deliverySecret: SecretBytes(try bytes("deliverySecret")), queueKey: SecretBytes(try bytes("queueKey")),
            queueSecret: queueSecret.map { SecretBytes($0) },
            peerAuthenticationKey: try open(row, Self.receiveTable, "peerAuthenticationKey", row: String(id)))
    }

    // MARK: Send queues

    /// Adds a send queue; returns it with its number.
    func insert(_ record: SendQueueRecord) throws -> SendQueueRecord {
        try database.execute(
            sql: "INSERT INTO sendQueue (connection, isFast, clientVersion) VALUES (?, ?, ?)",
            arguments: [record.connection.rawValue, record.isFast, Int(record.clientVersion)])
        var stored = record
        stored.id = database.lastInsertedRowID
        try seal(
            [
                "relay": Array(stored.relay.utf8),
                "senderID": stored.senderID,
                "authenticationKey": stored.authenticationKey.bytes,
                "queueKey": stored.queueKey.bytes,
                "queueSecret": stored.queueSecret.bytes,
            ], Self.sendTable, row: String(stored.id))
        return stored
    }

    /// Removes a send queue.
    func deleteSendQueue(_ id: Int64) throws {
        try database.execute(sql: "DELETE FROM sendQueue WHERE id = ?", arguments: [id])
    }

    /// The send queues of one connection, or of all.
    func sendQueues(of connection: ConnectionID? = nil) throws -> [SendQueueRecord] {
        try rows(of: Self.sendTable, connection).map(sendQueue)
    }

    private func sendQueue(_ row: Row) throws -> SendQueueRecord {
        let id: Int64 = row["id"]
        func bytes(_ column: String) throws -> [UInt8] {
            try openRequired(row, Self.sendTable, column, row: String(id))
        }
        guard let version = UInt16(exactly: row["clientVersion"] as Int) else {
            throw StoreError.damaged("sendQueue.clientVersion")
        }
        return SendQueueRecord(
            id: id, connection: ConnectionID(rawValue: row["connection"]), isFast: row["isFast"],
            clientVersion: version, relay: String(decoding: try bytes("relay"), as: UTF8.self),
            senderID: try bytes("senderID"), authenticationKey: SecretBytes(try bytes("authenticationKey")),
            queueKey: SecretBytes(try bytes("queueKey")), queueSecret: SecretBytes(try bytes("queueSecret")))
    }

    private func rows(of table: String, _ connection: ConnectionID?) throws -> [Row] {
        guard let connection else { return try Row.fetchAll(database, sql: "SELECT * FROM \(table) ORDER BY id") }
        return try Row.fetchAll(
            database, sql: "SELECT * FROM \(table) WHERE connection = ? ORDER BY id",
            arguments: [connection.rawValue])
    }
}
