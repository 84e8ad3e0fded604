import Testing

@testable import Agent

/// Which notes are the store's own, and what has changed since each.
@Suite(.timeLimit(.minutes(5))) struct BookmarkTests {
    private static let notes: [[UInt8]] = (1...3).map { [UInt8](repeating: $0, count: BookmarkRecord.noteCount) }

    private func bookmark(_ party: StepParty) -> BookmarkRecord {
        BookmarkRecord(party.newQueue(isFast: false), after: 6)
    }

    @Test func `notes are counted and those on their way are known`() throws {
        let pair = try StepPair()
        var bookmark = bookmark(pair.joiner)
        for note in Self.notes.prefix(2) { bookmark.add(note) }
        // Once more, as after a failure.
        bookmark.add(Self.notes[1])
        #expect(Self.notes.map(bookmark.number(of:)) == [7, 8, nil])
        bookmark.confirm(Self.notes[1])
        bookmark.add(Self.notes[2])
        #expect(Self.notes.map(bookmark.number(of:)) == [nil, 8, 9])
    }

    @Test func `a store that knows a new note is not closed, whoever copies it before anything else happens`() throws {
        let pair = try StepPair()
        var bookmark = bookmark(pair.joiner)
        for note in Self.notes.prefix(2) + Self.notes.prefix(2).suffix(1) {
            bookmark.isClosed = true
            bookmark.add(note)
            #expect(!bookmark.isClosed)
        }
    }

    @Test func `a bookmark is kept sealed with all it holds`() throws {
        let pair = try StepPair()
        var bookmark = bookmark(pair.joiner)
        bookmark.add(Self.notes[0])
        bookmark.isClosed = true
        try pair.joiner.store.write { try $0.setBookmark(bookmark) }
        #expect(try pair.joiner.store.read { try $0.bookmark() } == bookmark)
        try pair.joiner.store.write { try $0.setClosed(false) }
        bookmark.isClosed = false
        #expect(try pair.joiner.store.read { try $0.bookmark() } == bookmark)
        #expect(try !pair.joiner.folder.contents().contains(Self.notes[0]))
    }

    /// Whether the connection would be renewed after a power cut with the note of this number at the relay.
    private func hasChanged(_ party: StepParty, since note: Int64) throws -> Bool {
        struct Undo: Error {}
        var hasChanged = false
        do {
            try party.store.write { (transaction: StoreTransaction) throws -> Void in
                try transaction.markOutdated(since: note)
                hasChanged = try transaction.connection(party.id)?.synchronisation == .outdated
                throw Undo()
            }
        } catch is Undo {}
        return hasChanged
    }

    @Test func `a connection says after which note its ratchet has moved`() throws {
        let pair = try StepPair()
        var bookmark = bookmark(pair.joiner)
        bookmark.add(Self.notes[0])
        try pair.joiner.store.write { try $0.setBookmark(bookmark) }
        #expect(try !hasChanged(pair.joiner, since: 7))
        // It receives.
        try pair.initiator.queue([1])
        try pair.settle()
        #expect(try hasChanged(pair.joiner, since: 7))
        bookmark.add(Self.notes[1])
        try pair.joiner.store.write { try $0.setBookmark(bookmark) }
        #expect(try !hasChanged(pair.joiner, since: 8))
        // The note before may still be the one at the relay.
        #expect(try hasChanged(pair.joiner, since: 7))
        // It encrypts, and is not sent.
        try pair.joiner.queue([2])
        _ = try pair.joiner.attempt(try #require(pair.joiner.wanted.first))
        #expect(try hasChanged(pair.joiner, since: 8))
        #expect(try !hasChanged(pair.joiner, since: 9))
    }

    @Test func `steps that leave the ratchet alone change nothing`() throws {
        let pair = try StepPair()
        var bookmark = bookmark(pair.joiner)
        bookmark.add(Self.notes[0])
        try pair.joiner.store.write { try $0.setBookmark(bookmark) }
        try pair.joiner.queue([2])
        #expect(try !hasChanged(pair.joiner, since: 7))
    }

    @Test func `notes elsewhere are counted on`() throws {
        let pair = try StepPair()
        var bookmark = bookmark(pair.joiner)
        bookmark.add(Self.notes[0])
        try pair.joiner.store.write { try $0.setBookmark(bookmark) }
        #expect(try pair.joiner.store.read { try $0.lastNote() } == 7)
        try pair.initiator.queue([1])
        try pair.settle()
        try pair.joiner.store.write { try $0.setBookmark(nil) }
        #expect(try pair.joiner.store.read { try $0.lastNote() } == 7)
    }
}
