import Foundation
import GRDB

/// The application's own records: collections of rows that only grow at their ends.
///
/// Collection and number are part of what a row's key and value are sealed for, so that none opens in the place of another.
extension StoreTransaction {
    private static let table = "applicationRecord"

    /// Adds a record at the end of a collection; its number.
    func appendRecord(_ draft: ApplicationRecordDraft, to collection: String) throws -> Int64 {
        try database.execute(sql: "INSERT INTO applicationRecord (collection) VALUES (?)", arguments: [collection])
        let number = database.lastInsertedRowID
        let (key, value) = (
            try seal(draft.key, "key", collection, number), try seal(draft.value, "value", collection, number)
        )
        try database.execute(
            sql: "UPDATE applicationRecord SET key = ?, value = ? WHERE id = ?", arguments: [key, value, number])
        return number
    }

    /// Gives a record another value. - Returns: Whether there is such a record.
    func replaceRecord(_ number: Int64, of collection: String, value: [UInt8]) throws -> Bool {
        try database.execute(
            sql: "UPDATE applicationRecord SET value = ? WHERE id = ? AND collection = ?",
            arguments: [try seal(value, "value", collection, number), number, collection])
        return database.changesCount > 0
    }

    /// The newest records before a number, newest first.
    func records(of collection: String, before number: Int64, limit: Int) throws -> [ApplicationRecord] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT id, key, value FROM applicationRecord WHERE collection = ? AND id < ? ORDER BY id DESC LIMIT ?
                """, arguments: [collection, number, limit])
        return try rows.map { try record($0, collection) }
    }

    /// The records of these numbers, in their order; numbers without a record are passed over.
    func records(of collection: String, numbers: [Int64]) throws -> [ApplicationRecord] {
        try numbers.compactMap { number in
            let row = try Row.fetchOne(
                database, sql: "SELECT id, key, value FROM applicationRecord WHERE id = ? AND collection = ?",
                arguments: [number, collection])
            return try row.map { try record($0, collection) }
        }
    }

    /// The keys of the newest records before a number, newest first.
    func recordKeys(of collection: String, before number: Int64, limit: Int) throws -> [ApplicationRecordKey] {
        let rows = try Row.fetchCursor(
            database.database.cachedStatement(
                sql: "SELECT id, key FROM applicationRecord WHERE collection = ? AND id < ? ORDER BY id DESC LIMIT ?"),
            arguments: [collection, number, limit])
        var keys: [ApplicationRecordKey] = []
        keys.reserveCapacity(limit)
        while let row = try rows.next() {
            let number: Int64 = row[0]
            keys.append(ApplicationRecordKey(number: number, key: try open(row, "key", collection, number)))
        }
        return keys
    }

    /// Deletes the records of these numbers.
    func deleteRecords(of collection: String, numbers: [Int64]) throws {
        for number in numbers {
            try database.execute(
                sql: "DELETE FROM applicationRecord WHERE id = ? AND collection = ?", arguments: [number, collection])
        }
    }

    /// Deletes the oldest records up to a number, and no more than so many. - Returns: How many were deleted.
    func deleteRecords(of collection: String, upTo number: Int64, limit: Int) throws -> Int {
        try database.execute(
            sql: """
                DELETE FROM applicationRecord WHERE id IN (
                    SELECT id FROM applicationRecord WHERE collection = ? AND id <= ? ORDER BY id LIMIT ?)
                """, arguments: [collection, number, limit])
        return database.changesCount
    }

    /// How many records a collection has.
    func recordCount(of collection: String) throws -> Int {
        try Int.fetchOne(
            database, sql: "SELECT count(*) FROM applicationRecord WHERE collection = ?", arguments: [collection]) ?? 0
    }

    private func record(_ row: Row, _ collection: String) throws -> ApplicationRecord {
        let number: Int64 = row["id"]
        return ApplicationRecord(
            number: number, key: try open(row, "key", collection, number),
            value: try open(row, "value", collection, number))
    }

    private func seal(_ bytes: [UInt8], _ column: String, _ collection: String, _ number: Int64) throws -> Data {
        Data(try sealer.seal(bytes, at: Self.place(column, collection, number)))
    }

    private func open(_ row: Row, _ column: String, _ collection: String, _ number: Int64) throws -> [UInt8] {
        guard let sealed: Data = row[column] else { throw StoreError.damaged("\(Self.table).\(column)") }
        return try sealer.open([UInt8](sealed), at: Self.place(column, collection, number))
    }

    private static func place(_ column: String, _ collection: String, _ number: Int64) -> Sealer.Place {
        Sealer.Place(table: table, column: column, row: "\(collection):\(number)")
    }
}
