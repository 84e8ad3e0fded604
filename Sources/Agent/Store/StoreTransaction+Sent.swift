import GRDB

/// An application message that was encrypted for the peer, remembered for its receipt.
struct SentRecord: Equatable, Sendable {
    /// Its number as an outgoing message.
    var id: Int64
    var connection: ConnectionID
    /// Its number in the chain, by which receipts name it.
    var chainNumber: Int64
    /// Milliseconds since 1970.
    var sentAt: Int64
    /// SHA-256 of its plaintext.
    var hash: [UInt8]
    /// What the peer said.
    var verdict: ReceiptVerdict?
}

extension StoreTransaction {
    private static let table = "sent"

    /// Remembers a message.
    func insert(_ record: SentRecord) throws {
        try database.execute(
            sql: "INSERT INTO sent (id, connection, chainNumber, sentAt) VALUES (?, ?, ?, ?)",
            arguments: [record.id, record.connection.rawValue, record.chainNumber, record.sentAt])
        try seal(["hash": .bytes(record.hash)], Self.table, row: String(record.id))
    }

    /// A message by its number as an outgoing message.
    func sent(_ id: Int64, connection: ConnectionID) throws -> SentRecord? {
        try Row.fetchOne(
            database, sql: "SELECT * FROM sent WHERE id = ? AND connection = ?", arguments: [id, connection.rawValue]
        ).map(sent)
    }

    /// A message by its number in the chain.
    func sent(chainNumber: Int64, connection: ConnectionID) throws -> SentRecord? {
        try Row.fetchOne(
            database, sql: "SELECT * FROM sent WHERE connection = ? AND chainNumber = ?",
            arguments: [connection.rawValue, chainNumber]
        ).map(sent)
    }

    /// Keeps what the peer said.
    func setVerdict(_ verdict: ReceiptVerdict, sent id: Int64) throws {
        try database.execute(sql: "UPDATE sent SET verdict = ? WHERE id = ?", arguments: [verdict.rawValue, id])
    }

    /// Forgets messages of which nothing will be said any more.
    func forgetSent(before time: Int64) throws {
        try database.execute(sql: "DELETE FROM sent WHERE sentAt < ?", arguments: [time])
    }

    private func sent(_ row: Row) throws -> SentRecord {
        let id: Int64 = row["id"]
        return SentRecord(
            id: id, connection: ConnectionID(rawValue: row["connection"]), chainNumber: row["chainNumber"],
            sentAt: row["sentAt"], hash: try openRequired(row, Self.table, "hash", row: String(id)),
            verdict: (row["verdict"] as Int?).flatMap(ReceiptVerdict.init(rawValue:)))
    }
}
