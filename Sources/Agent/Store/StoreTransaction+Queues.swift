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
            sql: "UPDATE receiveQueue SET isFast = ?, isCandidate = ? WHERE id = ?",
            arguments: [record.isFast, record.isCandidate, record.id])
        try seal(
            [
                "relay": .bytes(Array(record.relay.utf8)),
                "recipientID": .bytes(record.recipientID),
                "senderID": .bytes(record.senderID),
                "authenticationKey": .secret(record.authenticationKey),
                "deliverySecret": .secret(record.deliverySecret),
                "queueKey": .secret(record.queueKey),
                "queueSecret": .secret(record.queueSecret),
                "peerAuthenticationKey": .bytes(record.peerAuthenticationKey),
                "shortLink": .bytes(record.shortLink.map { Array($0.utf8) }),
                "linkKey": .secret(record.linkKey),
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
        func secret(_ column: String) throws -> SecretBytes {
            try openRequiredSecret(row, Self.receiveTable, column, row: String(id))
        }
        let queueSecret = try openSecret(row, Self.receiveTable, "queueSecret", row: String(id))
        return ReceiveQueueRecord(
            id: id, connection: ConnectionID(rawValue: row["connection"]), isFast: row["isFast"],
            isCandidate: row["isCandidate"],
            relay: String(decoding: try bytes("relay"), as: UTF8.self), recipientID: try bytes("recipientID"),
            senderID: try bytes("senderID"), authenticationKey: try secret("authenticationKey"),
            deliverySecret: try secret("deliverySecret"), queueKey: try secret("queueKey"),
            queueSecret: queueSecret,
            peerAuthenticationKey: try open(row, Self.receiveTable, "peerAuthenticationKey", row: String(id)),
            shortLink: try open(row, Self.receiveTable, "shortLink", row: String(id)).map {
                String(decoding: $0, as: UTF8.self)
            }, linkKey: try openSecret(row, Self.receiveTable, "linkKey", row: String(id)))
    }

    // MARK: Send queues

    /// Adds a send queue; returns it with its number.
    func insert(_ record: SendQueueRecord) throws -> SendQueueRecord {
        try database.execute(
            sql: "INSERT INTO sendQueue (connection, isFast, clientVersion, isCandidate) VALUES (?, ?, ?, ?)",
            arguments: [record.connection.rawValue, record.isFast, Int(record.clientVersion), record.isCandidate])
        var stored = record
        stored.id = database.lastInsertedRowID
        try seal(
            [
                "relay": .bytes(Array(stored.relay.utf8)),
                "senderID": .bytes(stored.senderID),
                "authenticationKey": .secret(stored.authenticationKey),
                "queueKey": .secret(stored.queueKey),
                "queueSecret": .secret(stored.queueSecret),
            ], Self.sendTable, row: String(stored.id))
        return stored
    }

    /// A candidate becomes the queue to send to; the one before it goes.
    func promoteSendQueue(_ record: SendQueueRecord) throws {
        try database.execute(
            sql: "DELETE FROM sendQueue WHERE connection = ? AND id <> ?",
            arguments: [record.connection.rawValue, record.id])
        try database.execute(sql: "UPDATE sendQueue SET isCandidate = 0 WHERE id = ?", arguments: [record.id])
    }

    /// Removes a send queue.
    func deleteSendQueue(_ id: Int64) throws {
        try database.execute(sql: "DELETE FROM sendQueue WHERE id = ?", arguments: [id])
    }

    /// The queue a connection sends to.
    func sendQueue(of connection: ConnectionID) throws -> SendQueueRecord? {
        try sendQueues(of: connection).first { !$0.isCandidate }
    }

    /// The send queues of one connection, candidates included.
    func sendQueues(of connection: ConnectionID) throws -> [SendQueueRecord] {
        try rows(of: Self.sendTable, connection).map(sendQueue)
    }

    private func sendQueue(_ row: Row) throws -> SendQueueRecord {
        let id: Int64 = row["id"]
        func bytes(_ column: String) throws -> [UInt8] {
            try openRequired(row, Self.sendTable, column, row: String(id))
        }
        func secret(_ column: String) throws -> SecretBytes {
            try openRequiredSecret(row, Self.sendTable, column, row: String(id))
        }
        guard let version = UInt16(exactly: row["clientVersion"] as Int) else {
            throw StoreError.damaged("sendQueue.clientVersion")
        }
        return SendQueueRecord(
            id: id, connection: ConnectionID(rawValue: row["connection"]), isFast: row["isFast"],
            clientVersion: version, isCandidate: row["isCandidate"],
            relay: String(decoding: try bytes("relay"), as: UTF8.self),
            senderID: try bytes("senderID"), authenticationKey: try secret("authenticationKey"),
            queueKey: try secret("queueKey"), queueSecret: try secret("queueSecret"))
    }

    private func rows(of table: String, _ connection: ConnectionID?) throws -> [Row] {
        guard let connection else { return try Row.fetchAll(database, sql: "SELECT * FROM \(table) ORDER BY id") }
        return try Row.fetchAll(
            database, sql: "SELECT * FROM \(table) WHERE connection = ? ORDER BY id",
            arguments: [connection.rawValue])
    }
}
