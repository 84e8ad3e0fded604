import GRDB

/// The tables of the store, as a list of steps: step n leads from schema n to schema n + 1. Steps are never edited once
/// released, only added.
///
/// Columns named in plain are row names, counters, states and times; every key, address, ratchet and content is a sealed
/// blob (`Sealer`).
enum StoreSchema {
    /// The schema this code reads and writes.
    static var version: Int { steps.count }

    static let steps: [String] = [first, receipts, synchronisation, addresses, rotation, shortLinks, bookmark, records]

    private static let first = """
        CREATE TABLE applicationData (
            name TEXT NOT NULL PRIMARY KEY,
            value BLOB NOT NULL
        );
        CREATE TABLE connection (
            id TEXT NOT NULL PRIMARY KEY,
            role INTEGER NOT NULL,
            state INTEGER NOT NULL,
            agentVersion INTEGER NOT NULL,
            isDeleting INTEGER NOT NULL DEFAULT 0,
            createdAt INTEGER NOT NULL,
            agreementKeys BLOB,
            ratchet BLOB,
            chains BLOB,
            ownInformation BLOB,
            peerInformation BLOB
        );
        CREATE TABLE receiveQueue (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            connection TEXT NOT NULL REFERENCES connection(id) ON DELETE CASCADE,
            isFast INTEGER NOT NULL,
            relay BLOB,
            recipientID BLOB,
            senderID BLOB,
            authenticationKey BLOB,
            deliverySecret BLOB,
            queueKey BLOB,
            queueSecret BLOB,
            peerAuthenticationKey BLOB
        );
        CREATE INDEX receiveQueueConnection ON receiveQueue(connection);
        CREATE TABLE sendQueue (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            connection TEXT NOT NULL REFERENCES connection(id) ON DELETE CASCADE,
            isFast INTEGER NOT NULL,
            clientVersion INTEGER NOT NULL,
            isCandidate INTEGER NOT NULL,
            relay BLOB,
            senderID BLOB,
            authenticationKey BLOB,
            queueKey BLOB,
            queueSecret BLOB
        );
        CREATE INDEX sendQueueConnection ON sendQueue(connection);
        CREATE TABLE outgoing (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            connection TEXT NOT NULL REFERENCES connection(id) ON DELETE CASCADE,
            kind INTEGER NOT NULL,
            notify INTEGER NOT NULL,
            createdAt INTEGER NOT NULL,
            body BLOB,
            envelope BLOB
        );
        CREATE INDEX outgoingConnection ON outgoing(connection);
        CREATE TABLE received (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            connection TEXT NOT NULL REFERENCES connection(id) ON DELETE CASCADE,
            receiveQueue INTEGER NOT NULL,
            relayMark BLOB NOT NULL,
            contentMark BLOB,
            receivedAt INTEGER NOT NULL,
            brokerTime INTEGER NOT NULL,
            isAcknowledged INTEGER NOT NULL,
            integrity BLOB,
            body BLOB
        );
        CREATE UNIQUE INDEX receivedRelayMark ON received(receiveQueue, relayMark);
        CREATE INDEX receivedContentMark ON received(connection, contentMark);
        CREATE INDEX receivedWaiting ON received(connection) WHERE isAcknowledged = 0;
        """

    /// Receipts of both directions and the last verdict on the chain of what came in.
    private static let receipts = """
        ALTER TABLE received ADD COLUMN receipt BLOB;
        ALTER TABLE connection ADD COLUMN integrity BLOB;
        CREATE TABLE sent (
            id INTEGER PRIMARY KEY,
            connection TEXT NOT NULL REFERENCES connection(id) ON DELETE CASCADE,
            chainNumber INTEGER NOT NULL,
            sentAt INTEGER NOT NULL,
            verdict INTEGER,
            hash BLOB
        );
        CREATE INDEX sentChainNumber ON sent(connection, chainNumber);
        """

    /// Re-synchronisation of ratchets.
    private static let synchronisation = """
        ALTER TABLE connection ADD COLUMN synchronisation INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE connection ADD COLUMN synchronisationKeys BLOB;
        ALTER TABLE connection ADD COLUMN seenRatchetKeys BLOB;
        """

    /// Contact addresses, and the requests sent to them.
    private static let addresses = """
        ALTER TABLE connection ADD COLUMN isAddress INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE request (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            address TEXT NOT NULL REFERENCES connection(id) ON DELETE CASCADE,
            brokerTime INTEGER NOT NULL,
            link BLOB,
            information BLOB
        );
        """

    /// Moving the own queue to another relay.
    private static let rotation = """
        ALTER TABLE connection ADD COLUMN rotation INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE receiveQueue ADD COLUMN isCandidate INTEGER NOT NULL DEFAULT 0;
        """

    /// Short links: own ones, and the keys with which those of others are opened.
    private static let shortLinks = """
        ALTER TABLE receiveQueue ADD COLUMN shortLink BLOB;
        ALTER TABLE receiveQueue ADD COLUMN linkKey BLOB;
        CREATE TABLE openedLink (
            id TEXT NOT NULL PRIMARY KEY,
            key BLOB
        );
        """

    /// The own note at a relay. From this schema on a witness is kept beside the store.
    private static let bookmark = """
        CREATE TABLE bookmark (
            id INTEGER PRIMARY KEY,
            isClosed INTEGER NOT NULL,
            lastNote INTEGER NOT NULL,
            relay BLOB,
            recipientID BLOB,
            senderID BLOB,
            authenticationKey BLOB,
            deliverySecret BLOB,
            notes BLOB
        );
        ALTER TABLE connection ADD COLUMN changedAfterNote INTEGER NOT NULL DEFAULT 0;
        """

    /// The application's own records.
    private static let records = """
        CREATE TABLE applicationRecord (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            collection TEXT NOT NULL,
            key BLOB,
            value BLOB
        );
        CREATE INDEX applicationRecordCollection ON applicationRecord(collection);
        """

    /// The number of the first schema with a witness.
    static let witnessed = 7

    /// Brings the database to the newest schema, all steps in the caller's transaction: after a crash in between the file
    /// is as it was.
    ///
    /// - Throws: `StoreError.newerSchema` when the file is ahead of this code.
    static func migrate(_ database: Database, steps: [String] = steps) throws {
        let version = steps.count
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard found <= version else { throw StoreError.newerSchema(found: found, supported: version) }
        guard found < version else { return }
        for step in steps.dropFirst(max(0, found)) { try database.execute(sql: step) }
        try database.execute(sql: "PRAGMA user_version = \(version)")
    }

    /// An empty store in memory, and the columns of its tables, which are those of the newest schema.
    ///
    /// The store is kept: the end of one starts a thread of libdispatch's global pool, which wakes up once a second from then on.
    private static let newest: (store: DatabaseQueue, columns: [String: [String]])? = try? {
        let store = try DatabaseQueue()
        return try store.write { database in
            for step in steps { try database.execute(sql: step) }
            return (store, try columns(of: database))
        }
    }()

    /// Reading a column that is not there traps: a file whose tables are not those of the newest schema is damaged.
    ///
    /// - Throws: `StoreError.damaged`.
    static func check(_ database: Database) throws {
        let found = try columns(of: database)
        for (table, names) in newest?.columns ?? [:] where found[table] != names {
            throw StoreError.damaged("the file")
        }
    }

    private static func columns(of database: Database) throws -> [String: [String]] {
        let tables = try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
        var columns: [String: [String]] = [:]
        for table in tables { columns[table] = try database.columns(in: table).map(\.name).sorted() }
        return columns
    }
}
