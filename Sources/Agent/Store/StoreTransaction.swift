import Foundation
import GRDB

/// One transaction on the store. The typed operations are in `StoreTransaction+….swift`, a file a table.
struct StoreTransaction {
    let database: Database
    let sealer: Sealer

    /// Opens a sealed column of a fetched row.
    func open(_ row: Row, _ table: String, _ column: String, row name: String) throws -> [UInt8]? {
        guard let sealed: Data = row[column] else { return nil }
        return try sealer.open([UInt8](sealed), at: Sealer.Place(table: table, column: column, row: name))
    }

    /// Opens a sealed column that every row has.
    func openRequired(_ row: Row, _ table: String, _ column: String, row name: String) throws -> [UInt8] {
        guard let bytes = try open(row, table, column, row: name) else {
            throw StoreError.damaged("\(table).\(column)")
        }
        return bytes
    }

    /// Seals and writes columns of one existing row; nil clears a column.
    func seal(_ columns: KeyValuePairs<String, [UInt8]?>, _ table: String, row name: String) throws {
        var arguments = StatementArguments()
        var assignments: [String] = []
        for (column, bytes) in columns {
            let place = Sealer.Place(table: table, column: column, row: name)
            let sealed = try bytes.map { Data(try sealer.seal($0, at: place)) }
            assignments.append("\(column) = ?")
            arguments += [sealed]
        }
        arguments += [name]
        try database.execute(
            sql: "UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE id = ?", arguments: arguments)
    }
}
