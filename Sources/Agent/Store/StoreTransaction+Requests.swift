import GRDB

/// A request at a contact address that the application has not answered.
struct RequestRecord: Equatable, Sendable {
    /// Given by the store.
    var id: Int64 = 0
    /// The address it came in at.
    var address: ConnectionID
    /// Seconds since 1970, by the relay's clock.
    var brokerTime: Int64
    /// The requester's invitation in binary form.
    var link: [UInt8]
    /// What the requester says of itself.
    var information: [UInt8]
}

extension StoreTransaction {
    private static let table = "request"

    /// Adds a request; returns it with its number.
    func insert(_ record: RequestRecord) throws -> RequestRecord {
        try database.execute(
            sql: "INSERT INTO request (address, brokerTime) VALUES (?, ?)",
            arguments: [record.address.rawValue, record.brokerTime])
        var stored = record
        stored.id = database.lastInsertedRowID
        try seal(
            ["link": .bytes(stored.link), "information": .bytes(stored.information)], Self.table,
            row: String(stored.id))
        return stored
    }

    /// The requests nobody has answered, oldest first; not those at an address that is to go.
    func requests() throws -> [RequestRecord] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT request.* FROM request JOIN connection ON connection.id = address WHERE isDeleting = 0
                ORDER BY request.id
                """
        ).map(request)
    }

    /// How many requests wait for an answer, at one address or at all.
    func requestCount(at address: ConnectionID? = nil) throws -> Int {
        try Int.fetchOne(
            database,
            sql: """
                SELECT COUNT(*) FROM request JOIN connection ON connection.id = address
                WHERE isDeleting = 0 AND (? IS NULL OR address = ?)
                """,
            arguments: [address?.rawValue, address?.rawValue]) ?? 0
    }

    /// One request.
    func request(_ id: Int64) throws -> RequestRecord? {
        try Row.fetchOne(database, sql: "SELECT * FROM request WHERE id = ?", arguments: [id]).map(request)
    }

    /// Removes a request that was answered.
    func deleteRequest(_ id: Int64) throws {
        try database.execute(sql: "DELETE FROM request WHERE id = ?", arguments: [id])
    }

    private func request(_ row: Row) throws -> RequestRecord {
        let id: Int64 = row["id"]
        return RequestRecord(
            id: id, address: ConnectionID(rawValue: row["address"]), brokerTime: row["brokerTime"],
            link: try openRequired(row, Self.table, "link", row: String(id)),
            information: try openRequired(row, Self.table, "information", row: String(id)))
    }
}
