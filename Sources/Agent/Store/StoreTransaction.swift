import Cryptography
import Foundation
import GRDB

/// One transaction on the store. The typed operations are in `StoreTransaction+….swift`, a file a table.
struct StoreTransaction {
    let database: StoreDatabase
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

    /// Opens a sealed column that holds a key.
    func openSecret(_ row: Row, _ table: String, _ column: String, row name: String) throws -> SecretBytes? {
        guard let sealed: Data = row[column] else { return nil }
        return try sealer.openSecret([UInt8](sealed), at: Sealer.Place(table: table, column: column, row: name))
    }

    /// Opens a sealed column that holds a key in every row.
    func openRequiredSecret(_ row: Row, _ table: String, _ column: String, row name: String) throws -> SecretBytes {
        guard let secret = try openSecret(row, table, column, row: name) else {
            throw StoreError.damaged("\(table).\(column)")
        }
        return secret
    }

    /// What a sealed column can hold.
    enum Content {
        case bytes([UInt8]?)
        case secret(SecretBytes?)
    }

    /// Seals and writes columns of one existing row; nil clears a column.
    func seal(_ columns: KeyValuePairs<String, Content>, _ table: String, row name: String) throws {
        var arguments = StatementArguments()
        var assignments: [String] = []
        for (column, content) in columns {
            let place = Sealer.Place(table: table, column: column, row: name)
            let sealed =
                switch content {
                case .bytes(let bytes): try bytes.map { Data(try sealer.seal($0, at: place)) }
                case .secret(let secret): try secret.map { Data(try sealer.seal($0, at: place)) }
                }
            assignments.append("\(column) = ?")
            arguments += [sealed]
        }
        arguments += [name]
        try database.execute(
            sql: "UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE id = ?", arguments: arguments)
    }
}
