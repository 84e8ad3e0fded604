import GRDB

extension StoreTransaction {
    private static let table = "connection"

    /// Adds a connection.
    func insert(_ record: ConnectionRecord) throws {
        try database.execute(
            sql: """
                INSERT INTO connection (id, role, state, agentVersion, isAddress, isDeleting, createdAt)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                record.id.rawValue, record.role.rawValue, record.state.rawValue, Int(record.agentVersion),
                record.isAddress, record.isDeleting, record.createdAt,
            ])
        try sealColumns(record)
    }

    /// Writes all columns of a connection.
    func update(_ record: ConnectionRecord) throws {
        try database.execute(
            sql: """
                UPDATE connection SET state = ?, agentVersion = ?, isDeleting = ?, synchronisation = ?, rotation = ?
                WHERE id = ?
                """,
            arguments: [
                record.state.rawValue, Int(record.agentVersion), record.isDeleting, record.synchronisation.rawValue,
                record.rotation.rawValue, record.id.rawValue,
            ])
        try sealColumns(record)
    }

    /// Removes a connection with all that belongs to it.
    func deleteConnection(_ id: ConnectionID) throws {
        try database.execute(sql: "DELETE FROM connection WHERE id = ?", arguments: [id.rawValue])
    }

    /// One connection.
    func connection(_ id: ConnectionID) throws -> ConnectionRecord? {
        try Row.fetchOne(database, sql: "SELECT * FROM connection WHERE id = ?", arguments: [id.rawValue])
            .map(connection)
    }

    /// All connections, oldest first.
    func connections() throws -> [ConnectionRecord] {
        try Row.fetchAll(database, sql: "SELECT * FROM connection ORDER BY createdAt, id").map(connection)
    }

    private func sealColumns(_ record: ConnectionRecord) throws {
        try seal(
            [
                "agreementKeys": .secret(record.agreementKeys),
                "ratchet": .secret(record.ratchet),
                "chains": .bytes(record.chains),
                "ownInformation": .bytes(record.ownInformation),
                "peerInformation": .bytes(record.peerInformation),
                "integrity": .bytes(record.integrity),
                "synchronisationKeys": .secret(record.synchronisationKeys),
                "seenRatchetKeys": .bytes(record.seenRatchetKeys),
            ], Self.table, row: record.id.rawValue)
    }

    private func connection(_ row: Row) throws -> ConnectionRecord {
        let name: String = row["id"]
        guard let role = HandshakeMachine.Role(rawValue: row["role"]),
            let state = HandshakeMachine.State(rawValue: row["state"]),
            let synchronisation = RatchetSynchronisation(rawValue: row["synchronisation"]),
            let rotation = QueueRotation(rawValue: row["rotation"]),
            let version = UInt16(exactly: row["agentVersion"] as Int)
        else { throw StoreError.damaged("connection.state") }
        return ConnectionRecord(
            id: ConnectionID(rawValue: name), role: role, state: state, agentVersion: version,
            isAddress: row["isAddress"], isDeleting: row["isDeleting"], createdAt: row["createdAt"],
            agreementKeys: try openSecret(row, Self.table, "agreementKeys", row: name),
            ratchet: try openSecret(row, Self.table, "ratchet", row: name),
            chains: try open(row, Self.table, "chains", row: name),
            ownInformation: try open(row, Self.table, "ownInformation", row: name),
            peerInformation: try open(row, Self.table, "peerInformation", row: name),
            integrity: try open(row, Self.table, "integrity", row: name), synchronisation: synchronisation,
            rotation: rotation,
            synchronisationKeys: try openSecret(row, Self.table, "synchronisationKeys", row: name),
            seenRatchetKeys: try open(row, Self.table, "seenRatchetKeys", row: name))
    }
}
