import Cryptography
import GRDB

/// An own queue at a relay that holds one note of this store: another store's note there shows that the profile has lived on
/// since this one was copied.
///
/// Notes are counted, and each connection says after which one its ratchet has moved last. So a store also knows what has
/// changed since the note that the relay has.
struct BookmarkRecord: Equatable, Sendable {
    /// The size of a note, in bytes.
    static let noteCount = 16

    /// Whether nothing was encrypted since the agent said that it ends.
    var isClosed = false
    /// The relay's address as text.
    var relay: String
    var recipientID: [UInt8]
    var senderID: [UInt8]
    /// Ed25519 seed of the recipient's key.
    var authenticationKey: SecretBytes
    /// Secret between this side and the relay for messages on their way to here.
    var deliverySecret: SecretBytes
    /// The notes that this store may have there, oldest first: the one that is known to be, and those that were on their way.
    private(set) var notes: [[UInt8]] = []
    /// The number of the last of them.
    private(set) var lastNote: Int64 = 0

    /// A queue that was just made, without a note.
    ///
    /// - Parameter lastNote: the number of the last note at another place.
    init(_ queue: ReceiveQueueRecord, after lastNote: Int64) {
        relay = queue.relay
        recipientID = queue.recipientID
        senderID = queue.senderID
        authenticationKey = queue.authenticationKey
        deliverySecret = queue.deliverySecret
        self.lastNote = lastNote
    }

    /// The number of a note of this store's; nil for another's.
    func number(of note: [UInt8]) -> Int64? {
        notes.lastIndex(of: note).map { lastNote - Int64(notes.count - 1 - $0) }
    }

    /// A note is about to be sent. Whatever changes from here on, it does not know; nor may a copy from here on, which knows the note,
    /// pass for a store that is closed.
    mutating func add(_ note: [UInt8]) {
        isClosed = false
        guard notes.last != note else { return }
        notes.append(note)
        lastNote += 1
    }

    /// The relay has this note, and none before it.
    mutating func confirm(_ note: [UInt8]) {
        guard let index = notes.lastIndex(of: note) else { return }
        notes.removeFirst(index)
    }

    fileprivate init(_ row: Row, _ transaction: StoreTransaction) throws {
        let (table, name) = (StoreTransaction.bookmarkTable, StoreTransaction.bookmarkRow)
        func bytes(_ column: String) throws -> [UInt8] {
            try transaction.openRequired(row, table, column, row: name)
        }
        isClosed = row["isClosed"]
        lastNote = row["lastNote"]
        relay = String(decoding: try bytes("relay"), as: UTF8.self)
        recipientID = try bytes("recipientID")
        senderID = try bytes("senderID")
        authenticationKey = try transaction.openRequiredSecret(row, table, "authenticationKey", row: name)
        deliverySecret = try transaction.openRequiredSecret(row, table, "deliverySecret", row: name)
        let joined = try bytes("notes")
        notes = stride(from: 0, to: joined.count, by: Self.noteCount).map {
            Array(joined[$0...].prefix(Self.noteCount))
        }
    }
}

extension StoreTransaction {
    fileprivate static let bookmarkTable = "bookmark"
    fileprivate static let bookmarkRow = "1"

    /// The bookmark, if there is one.
    func bookmark() throws -> BookmarkRecord? {
        try Row.fetchOne(database, sql: "SELECT * FROM bookmark WHERE id = 1").map { try BookmarkRecord($0, self) }
    }

    /// Keeps the bookmark; nil removes it.
    func setBookmark(_ bookmark: BookmarkRecord?) throws {
        guard let bookmark else { return try database.execute(sql: "DELETE FROM bookmark") }
        try database.execute(
            sql: """
                INSERT INTO bookmark (id, isClosed, lastNote) VALUES (1, ?, ?)
                ON CONFLICT(id) DO UPDATE SET isClosed = excluded.isClosed, lastNote = excluded.lastNote
                """, arguments: [bookmark.isClosed, bookmark.lastNote])
        try seal(
            [
                "relay": .bytes(Array(bookmark.relay.utf8)), "recipientID": .bytes(bookmark.recipientID),
                "senderID": .bytes(bookmark.senderID), "authenticationKey": .secret(bookmark.authenticationKey),
                "deliverySecret": .secret(bookmark.deliverySecret), "notes": .bytes(bookmark.notes.flatMap { $0 }),
            ], Self.bookmarkTable, row: Self.bookmarkRow)
    }

    /// Says in the bookmark, if there is one, whether anything may be encrypted after this.
    func setClosed(_ isClosed: Bool) throws {
        try database.execute(
            sql: "UPDATE bookmark SET isClosed = ? WHERE isClosed <> ?", arguments: [isClosed, isClosed])
    }

    /// The number of the last note that any connection or bookmark knows of.
    func lastNote() throws -> Int64 {
        try Int64.fetchOne(
            database,
            sql: """
                SELECT MAX(IFNULL((SELECT lastNote FROM bookmark), 0), IFNULL(MAX(changedAfterNote), 0)) FROM connection
                """
        ) ?? 0
    }

    /// The ratchet of a connection has moved.
    func setChanged(_ connection: ConnectionID) throws {
        try database.execute(
            sql: "UPDATE connection SET changedAfterNote = IFNULL((SELECT lastNote FROM bookmark), 0) WHERE id = ?",
            arguments: [connection.rawValue])
    }

    /// Whether any connection has a ratchet that could encrypt.
    func hasRatchets() throws -> Bool {
        try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM connection WHERE ratchet IS NOT NULL)") ?? false
    }

    /// The store may be a copy of an earlier state: no ratchet of these connections encrypts any more.
    ///
    /// - Parameter note: those alone whose ratchet has moved since that note.
    func markOutdated(since note: Int64 = 0, _ isMeant: (ConnectionRecord) -> Bool = { _ in true }) throws {
        for record in try connections() where record.ratchet != nil && isMeant(record) {
            try database.execute(
                sql: "UPDATE connection SET synchronisation = ? WHERE id = ? AND changedAfterNote >= ?",
                arguments: [RatchetSynchronisation.outdated.rawValue, record.id.rawValue, note])
        }
    }
}
