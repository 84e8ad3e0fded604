import BaseKit
import Cryptography
import Foundation
import GRDB
import Synchronization

/// The agent's durable memory: one SQLite file with a write-ahead log, synced at every commit, its content sealed.
///
/// A process holds the file alone: two agents with one ratchet would destroy it.
final class AgentStore: Sendable {
    static let fileName = "agent.sqlite"
    /// Known text, sealed at creation; opening it proves the key.
    private static let keyProof = Array("Parley agent store".utf8)

    /// A point of a transaction.
    enum Moment: Sendable {
        /// It has only read.
        case unchanged
        /// It will be on disk.
        case beforeCommit
        /// It is on disk, and nothing has happened because of it.
        case afterCommit
    }

    /// Where tests end an agent, by throwing: called at these points of every `write`.
    let interruption = Lock<(@Sendable (Moment) throws -> Void)?>(nil)

    private let queue: DatabaseQueue
    private let sealer: Sealer
    /// Whether the log may hold earlier states.
    private let hasLog: Atomic<Bool>
    private let witness: StoreWitness?
    private let isOpen = Atomic(true)
    /// What the files looked like before they were opened.
    let files: StoreFiles

    /// Opens the store in `directory`, making both if they don't exist.
    ///
    /// - Throws: `StoreError`.
    convenience init(directory: String, key: SecretBytes) throws {
        guard key.count == 32 else { throw StoreError.invalidKey }
        let isNew = !FileManager.default.fileExists(atPath: directory + "/" + Self.fileName)
        let path = try Self.prepare(directory)
        let witness = StoreWitness(of: path)
        let queue: DatabaseQueue
        do {
            queue = try DatabaseQueue(path: path, configuration: Self.configuration())
            try queue.writeWithoutTransaction { database in
                // GRDB chooses NORMAL with a write-ahead log; a ratchet step must survive a power cut.
                try database.execute(sql: "PRAGMA synchronous = FULL")
            }
        } catch {
            throw Self.storeError(error)
        }
        let version: Int
        do {
            version = try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
        } catch {
            throw Self.storeError(error)
        }
        // Earlier versions kept no witness; the first one is there before the schema says so.
        let isFirst = isNew || version < StoreSchema.witnessed
        if isFirst { witness.vouch() }
        try self.init(queue, key: key, witness: witness, files: isFirst ? .untouched : witness.files)
        witness.begin()
        // What a process that died has left in the log. A disk that is too full for it is no reason not to open: it is tried again
        // after the next change.
        try? emptyLog()
    }

    /// Takes over a database that is open.
    ///
    /// - Throws: `StoreError`.
    convenience init(_ queue: DatabaseQueue, key: SecretBytes, files: StoreFiles = .untouched) throws {
        try self.init(queue, key: key, witness: nil, files: files)
    }

    private init(_ queue: DatabaseQueue, key: SecretBytes, witness: StoreWitness?, files: StoreFiles) throws {
        do {
            sealer = try queue.write { database in try Self.unlock(database, key: key) }
        } catch {
            throw Self.storeError(error)
        }
        self.queue = queue
        hasLog = Atomic(true)
        self.witness = witness
        self.files = files
    }

    /// Runs `body` in one transaction: all of it is on disk when this returns, or nothing is.
    ///
    /// - Throws: `StoreError`, or what `body` throws.
    func write<Value>(_ body: (StoreTransaction) throws -> Value) throws -> Value {
        witness?.note()
        do {
            let (value, hasChanged) = try transact { database in
                let before = database.totalChangesCount
                let value = try body(StoreTransaction(database: StoreDatabase(database: database), sealer: sealer))
                let hasChanged = database.totalChangesCount != before
                try interrupt(hasChanged ? .beforeCommit : .unchanged)
                return (value, hasChanged)
            }
            if hasChanged {
                witness?.note()
                hasLog.store(true, ordering: .relaxed)
                try interrupt(.afterCommit)
            }
            return value
        } catch {
            throw Self.storeError(error)
        }
    }

    /// Runs `body` on a consistent view of the store.
    ///
    /// - Throws: `StoreError`, or what `body` throws.
    func read<Value>(_ body: (StoreTransaction) throws -> Value) throws -> Value {
        do {
            // Nobody else has the file, and nothing else happens on its queue meanwhile.
            return try access { database in
                try database.readOnly {
                    try body(StoreTransaction(database: StoreDatabase(database: database), sealer: sealer))
                }
            }
        } catch {
            throw Self.storeError(error)
        }
    }

    private func transact<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try access { database in
            var value: Value?
            try database.inTransaction {
                value = try body(database)
                return .commit
            }
            guard let value else { throw StoreError.unavailable("the transaction did not run") }
            return value
        }
    }

    /// Runs `body` while nobody else uses the database. After ``close()`` SQLite has no connection, and not all of its functions ask.
    private func access<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try queue.writeWithoutTransaction { database in
            guard isOpen.load(ordering: .relaxed) else { throw StoreError.closed }
            return try body(database)
        }
    }

    /// Whether earlier states of what is stored may still be read in the log.
    var needsEmptying: Bool { hasLog.load(ordering: .relaxed) }

    /// Brings everything from the log into the main file, whose old content is overwritten, and cuts the log to nothing.
    ///
    /// - Throws: `StoreError`.
    func emptyLog() throws {
        witness?.note()
        defer { witness?.note() }
        do {
            _ = try access { try $0.checkpoint(.truncate) }
            hasLog.store(false, ordering: .relaxed)
        } catch {
            throw Self.storeError(error)
        }
    }

    /// Lets go of the file; whoever uses the store afterwards gets ``StoreError/closed``.
    func close() {
        guard isOpen.exchange(false, ordering: .relaxed), (try? queue.close()) != nil else { return }
        witness?.close()
    }

    /// What happened to the files before has been dealt with.
    func vouch() { witness?.vouch() }

    private func interrupt(_ moment: Moment) throws {
        try interruption.withLock { $0 }?(moment)
    }

    // MARK: Opening

    private static func prepare(_ directory: String) throws -> String {
        let manager = FileManager.default
        let path = directory + "/" + fileName
        do {
            try manager.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            if !manager.fileExists(atPath: path) {
                let made = manager.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
                guard made else { throw StoreError.unavailable("the file \(fileName) can't be made") }
            }
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError.unavailable(error.localizedDescription)
        }
        return path
    }

    private static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.label = "parley.agent.store"
        configuration.journalMode = .wal
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { database in
            // Before the first access, so that the log needs no shared memory and no second process gets in.
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            try database.execute(sql: "PRAGMA secure_delete = ON")
            // No copy of a page in a file elsewhere.
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
        }
        return configuration
    }

    private static func unlock(_ database: Database, key: SecretBytes) throws -> Sealer {
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard version <= StoreSchema.version else {
            throw StoreError.newerSchema(found: version, supported: StoreSchema.version)
        }
        try check(database)
        try database.execute(
            sql: "CREATE TABLE IF NOT EXISTS seal (salt BLOB NOT NULL, proof BLOB NOT NULL)")
        let place = Sealer.Place(table: "seal", column: "proof", row: "1")
        let sealer: Sealer
        if let row = try Row.fetchOne(database, sql: "SELECT salt, proof FROM seal") {
            let salt: Data = row["salt"]
            let proof: Data = row["proof"]
            sealer = try Sealer(storeKey: key, salt: [UInt8](salt))
            guard (try? sealer.open([UInt8](proof), at: place)) == keyProof else { throw StoreError.wrongKey }
        } else {
            let salt = randomBytes(32)
            sealer = try Sealer(storeKey: key, salt: salt)
            let proof = try sealer.seal(keyProof, at: place)
            try database.execute(
                sql: "INSERT INTO seal (salt, proof) VALUES (?, ?)", arguments: [Data(salt), Data(proof)])
        }
        try StoreSchema.migrate(database)
        try StoreSchema.check(database)
        return sealer
    }

    /// Looks at every page: damage is told at the start, not in the middle of a call.
    private static func check(_ database: Database) throws {
        guard try String.fetchOne(database, sql: "PRAGMA quick_check(1)") == "ok" else {
            throw StoreError.damaged("the file")
        }
    }

    private static func storeError(_ error: any Error) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: return StoreError.inUse
        case .SQLITE_FULL: return StoreError.full
        case .SQLITE_NOTADB, .SQLITE_CORRUPT: return StoreError.damaged("the file")
        default: return StoreError.unavailable(error.message ?? "SQLite error \(error.resultCode.rawValue)")
        }
    }
}
