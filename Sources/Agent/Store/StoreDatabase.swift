import GRDB

/// The store's connection to SQLite inside a transaction. Each statement is prepared once and kept.
struct StoreDatabase {
    let database: Database

    /// The number that the last insertion gave.
    var lastInsertedRowID: Int64 { database.lastInsertedRowID }

    /// How many rows the last statement changed.
    var changesCount: Int { database.changesCount }

    /// Carries out one statement.
    func execute(sql: String, arguments: StatementArguments = StatementArguments()) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }
}

extension Row {
    static func fetchOne(
        _ store: StoreDatabase, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Row? {
        try fetchOne(store.database.cachedStatement(sql: sql), arguments: arguments)
    }

    static func fetchAll(
        _ store: StoreDatabase, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> [Row] {
        try fetchAll(store.database.cachedStatement(sql: sql), arguments: arguments)
    }
}

extension DatabaseValueConvertible where Self: StatementColumnConvertible {
    static func fetchOne(
        _ store: StoreDatabase, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Self? {
        try fetchOne(store.database.cachedStatement(sql: sql), arguments: arguments)
    }

    static func fetchAll(
        _ store: StoreDatabase, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> [Self] {
        try fetchAll(store.database.cachedStatement(sql: sql), arguments: arguments)
    }
}
