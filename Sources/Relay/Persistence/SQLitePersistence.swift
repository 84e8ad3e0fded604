import BaseKit
import Foundation
import GRDB
import RelayRules

/// A relay's state in one SQLite file with a write-ahead log, synced at each commit. One process holds it alone.
final class SQLitePersistence: QueuePersistence {
    static let fileName = "relay.sqlite"

    /// Free pages, of 4 KiB each.
    private static let worthShrinking = 1_024
    /// Pages given back in one transaction: moving others into their place takes about as much room in the log.
    private static let shrinkStep = 1_024
    private static let shrinkSteps = 16

    private let database: DatabaseQueue
    /// An earlier process may have left a log that holds something.
    private let changesWhenTidy = Lock(-1)
    private let reserve: ReserveFile

    /// Opens the state in `directory`, making both if they don't exist, and brings the tables up to date.
    ///
    /// - Parameters:
    ///   - reserve: bytes that are kept free for times when the disk is full.
    ///   - cache: bytes of its pages that are kept in memory.
    /// - Throws: `RelayStorageError`.
    init(directory: String, reserve: Int = 0, cache: Int = 1 << 26) throws(RelayStorageError) {
        try? FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        self.reserve = ReserveFile(directory: directory, size: reserve)
        do {
            do {
                database = try Self.open(directory, cache)
            } catch let error as DatabaseError where Self.meansFull(error) && self.reserve.release() {
                // A full disk must not keep a relay from starting.
                database = try Self.open(directory, cache)
            }
        } catch {
            throw Self.failure(error)
        }
    }

    private static func meansFull(_ error: DatabaseError) -> Bool {
        [.SQLITE_FULL, .SQLITE_IOERR].contains(error.resultCode)
    }

    private static func open(_ directory: String, _ cache: Int) throws -> DatabaseQueue {
        let database = try DatabaseQueue(path: prepare(directory), configuration: configuration(cache))
        try database.writeWithoutTransaction { database in
            // GRDB chooses NORMAL with a write-ahead log; an answered message must survive a power cut.
            try database.execute(sql: "PRAGMA synchronous = FULL")
        }
        let migrator = RelaySchema.migrator
        guard try !database.read(migrator.hasBeenSuperseded) else { throw RelayStorageError.newerSchema }
        try migrator.migrate(database)
        return database
    }

    func load() throws -> PersistedQueues {
        do {
            return try database.read { try QueueRows.load($0) }
        } catch {
            throw Self.failure(error)
        }
    }

    func bodies(of numbers: [Int64]) throws -> [Int64: [UInt8]] {
        do {
            return try database.read { try QueueRows.bodies(of: numbers, in: $0) }
        } catch {
            throw Self.failure(error)
        }
    }

    func write(_ changes: [StoreChange]) throws {
        do {
            try apply(changes)
        } catch {
            // A full disk has room for this one and for what takes things out afterwards.
            guard reserve.release() else { throw Self.failure(error) }
            do { try apply(changes) } catch { throw Self.failure(error) }
        }
    }

    private func apply(_ changes: [StoreChange]) throws {
        try database.write { database in
            for change in changes { try QueueRows.apply(change, in: database) }
        }
    }

    func isShort() -> Bool {
        if reserve.isThere { return false }
        // What was taken out is free only once the log is folded in and the file is cut.
        tidy()
        shrink()
        return !reserve.claim()
    }

    /// Gives pages that hold nothing back to the file system; files made before this was thought of keep them for later.
    private func shrink() {
        for _ in 0..<Self.shrinkSteps where hasShrunk() { tidy() }
    }

    /// - Returns: whether there was anything worth it.
    private func hasShrunk() -> Bool {
        let pages = try? database.writeWithoutTransaction { database in
            let count = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
            if count > Self.worthShrinking {
                try database.execute(sql: "PRAGMA incremental_vacuum(\(Self.shrinkStep))")
            }
            return count
        }
        return pages ?? 0 > Self.worthShrinking
    }

    /// Folds the write-ahead log in and empties it: pages that changed since are still in it as they were.
    @discardableResult
    func tidy() -> Bool {
        let done: Void? = try? database.writeWithoutTransaction { database in
            guard database.totalChangesCount != changesWhenTidy.withLock({ $0 }) else { return }
            try database.checkpoint(.truncate)
            changesWhenTidy.withLock { $0 = database.totalChangesCount }
        }
        return done != nil
    }

    func close() {
        tidy()
        try? database.close()
    }

    private static func prepare(_ directory: String) throws -> String {
        let manager = FileManager.default
        let path = directory + "/" + fileName
        try manager.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        if !manager.fileExists(atPath: path) {
            let isMade = manager.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
            guard isMade else { throw RelayStorageError.unavailable("can't make the file \(path)") }
        }
        return path
    }

    private static func configuration(_ cache: Int) -> Configuration {
        var configuration = Configuration()
        configuration.label = "parley.relay.state"
        configuration.journalMode = .wal
        configuration.prepareDatabase { database in
            // Two relays with one state would both answer for the same queues.
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            // Only a file without tables can be told.
            try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            // What is deleted is overwritten, not just forgotten.
            try database.execute(sql: "PRAGMA secure_delete = ON")
            // 16 MiB of log before it is folded in.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -\(cache >> 10)")
        }
        return configuration
    }

    private static func failure(_ error: any Error) -> RelayStorageError {
        switch error {
        case let error as RelayStorageError: error
        case let error as DatabaseError where error.resultCode == .SQLITE_BUSY: .inUse
        case let error as DatabaseError: .unavailable(error.message ?? "SQLite error \(error.resultCode.rawValue)")
        default: .unavailable(error.localizedDescription)
        }
    }
}
