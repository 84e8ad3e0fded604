import Cryptography

/// What somebody who sees everything knows of a person's notes at a relay: which ones may be there, and how far the ratchet
/// had moved when each was made. Knows nothing of how the agent decides.
struct NoteWatch {
    /// A copy of the store, as seen from here.
    struct Copy {
        fileprivate let queue: [UInt8]?
        fileprivate let notes: [[UInt8]]
        fileprivate let moves: Int
    }

    /// How often the ratchet has moved, over all lives; one that goes back has moved.
    private(set) var moves = 0
    private var ratchet: SecretBytes?
    private var queue: [UInt8]?
    private var notes: [[UInt8]] = []
    /// The moves before each note was made.
    private var made: [[UInt8]: Int] = [:]
    /// The notes that may be the last one in a queue, by its sender's id.
    private var possible: [[UInt8]: [[UInt8]]] = [:]

    /// What is on disk from here on.
    mutating func committed(_ ratchet: SecretBytes?, queue: [UInt8]?, notes: [[UInt8]]) {
        if self.ratchet != ratchet { moves += 1 }
        self.ratchet = ratchet
        self.queue = queue
        for note in notes where made[note] == nil { made[note] = moves }
        self.notes = notes
    }

    /// An earlier store takes the place of the present one.
    mutating func wentBack() {
        moves += 1
        ratchet = nil
    }

    mutating func sent(_ note: [UInt8], to queue: [UInt8]) { possible[queue, default: []].append(note) }

    /// The relay has said that it has the note.
    mutating func taken(_ note: [UInt8], in queue: [UInt8]) {
        guard let index = possible[queue]?.lastIndex(of: note) else { return }
        possible[queue]?.removeFirst(index)
    }

    var copy: Copy { Copy(queue: queue, notes: notes, moves: moves) }

    /// Whether the relay has surely a note from after the last move.
    var isCurrent: Bool {
        guard let queue, let there = possible[queue], !there.isEmpty else { return false }
        return there.allSatisfy { made[$0] == moves && notes.contains($0) }
    }

    /// Whether a copy that is put back without a trace has to be noticed, or does no harm. Otherwise it is one from the last
    /// moments before a note that never came.
    func protects(from copy: Copy) -> Bool {
        if copy.moves == moves { return true }
        guard let queue = copy.queue, let there = possible[queue], !there.isEmpty else { return false }
        return there.allSatisfy { note in
            !copy.notes.contains(note) || (made[note].map { copy.moves > $0 } ?? false)
        }
    }
}
