import GRDB

extension StoreTransaction {
    private static let table = "outgoing"

    /// Adds a message to send; returns it with its number.
    func insert(_ record: OutgoingRecord) throws -> OutgoingRecord {
        try database.execute(
            sql: "INSERT INTO outgoing (connection, kind, notify, createdAt) VALUES (?, ?, ?, ?)",
            arguments: [record.connection.rawValue, record.kind.rawValue, record.notify, record.createdAt])
        var stored = record
        stored.id = database.lastInsertedRowID
        try seal(
            ["body": .bytes(stored.body), "envelope": .bytes(stored.envelope)], Self.table, row: String(stored.id))
        return stored
    }

    /// Keeps what the ratchet made of a message; its plain body is not needed any more.
    func setEnvelope(_ envelope: [UInt8], outgoing id: Int64) throws {
        try seal(["body": .bytes([]), "envelope": .bytes(envelope)], Self.table, row: String(id))
    }

    /// Removes a message that was accepted or given up.
    func deleteOutgoing(_ id: Int64) throws {
        try database.execute(sql: "DELETE FROM outgoing WHERE id = ?", arguments: [id])
    }

    /// Removes the messages of a kind that the ratchet has not encrypted yet.
    func deleteUnsealed(_ kind: OutgoingRecord.Kind, of connection: ConnectionID) throws {
        try database.execute(
            sql: "DELETE FROM outgoing WHERE connection = ? AND kind = ? AND envelope IS NULL",
            arguments: [connection.rawValue, kind.rawValue])
    }

    /// One message to send.
    func outgoing(_ id: Int64) throws -> OutgoingRecord? {
        try Row.fetchOne(database, sql: "SELECT * FROM outgoing WHERE id = ?", arguments: [id]).map(outgoing)
    }

    /// How many messages of a kind wait on a connection.
    func outgoingCount(_ kind: OutgoingRecord.Kind, of connection: ConnectionID) throws -> Int {
        try Int.fetchOne(
            database, sql: "SELECT COUNT(*) FROM outgoing WHERE connection = ? AND kind = ?",
            arguments: [connection.rawValue, kind.rawValue]) ?? 0
    }

    /// Whether a message of a kind with this body waits on a connection to be encrypted.
    func hasOutgoing(_ kind: OutgoingRecord.Kind, _ body: [UInt8], of connection: ConnectionID) throws -> Bool {
        try Row.fetchAll(
            database, sql: "SELECT * FROM outgoing WHERE connection = ? AND kind = ?",
            arguments: [connection.rawValue, kind.rawValue]
        ).contains { try outgoing($0).body == body }
    }

    /// What waits on a connection, in order, as the delivery rules see it.
    func deliveryEntries(of connection: ConnectionID) throws -> [DeliveryMachine.Entry] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT id, kind, createdAt, envelope IS NOT NULL AS isSealed FROM outgoing WHERE connection = ? ORDER BY id
                """,
            arguments: [connection.rawValue])
        return try rows.map { row in
            DeliveryMachine.Entry(
                id: row["id"], kind: try kind(row).deliveryKind, createdAt: row["createdAt"], isSealed: row["isSealed"])
        }
    }

    private func kind(_ row: Row) throws -> OutgoingRecord.Kind {
        guard let kind = OutgoingRecord.Kind(rawValue: row["kind"]) else {
            throw StoreError.damaged("outgoing.kind")
        }
        return kind
    }

    private func outgoing(_ row: Row) throws -> OutgoingRecord {
        let id: Int64 = row["id"]
        return OutgoingRecord(
            id: id, connection: ConnectionID(rawValue: row["connection"]), kind: try kind(row), notify: row["notify"],
            createdAt: row["createdAt"], body: try openRequired(row, Self.table, "body", row: String(id)),
            envelope: try open(row, Self.table, "envelope", row: String(id)))
    }
}
