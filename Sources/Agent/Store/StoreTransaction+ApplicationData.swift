import Foundation
import GRDB

/// The application's own small values, kept beside the connections.
extension StoreTransaction {
    private static let table = "applicationData"

    /// The value last set under `name`.
    func applicationData(_ name: String) throws -> [UInt8]? {
        let row = try Row.fetchOne(
            database, sql: "SELECT value FROM applicationData WHERE name = ?", arguments: [name])
        return try row.flatMap { try open($0, Self.table, "value", row: name) }
    }

    /// The names of all values, sorted, that begin with `prefix`.
    func applicationDataNames(prefix: String) throws -> [String] {
        try String.fetchAll(
            database, sql: "SELECT name FROM applicationData WHERE substr(name, 1, ?) = ? ORDER BY name",
            arguments: [prefix.count, prefix])
    }

    /// Keeps `value` under `name`; nil removes it.
    func setApplicationData(_ name: String, _ value: [UInt8]?) throws {
        guard let value else {
            try database.execute(sql: "DELETE FROM applicationData WHERE name = ?", arguments: [name])
            return
        }
        let sealed = try sealer.seal(value, at: Sealer.Place(table: Self.table, column: "value", row: name))
        try database.execute(
            sql: """
                INSERT INTO applicationData (name, value) VALUES (?, ?)
                ON CONFLICT(name) DO UPDATE SET value = excluded.value
                """, arguments: [name, Data(sealed)])
    }

    /// Writes and takes back, to see whether the store takes anything.
    func probe() throws {
        try setApplicationData("probe", [])
        try setApplicationData("probe", nil)
    }
}
