/// What is known of a store when it is opened: is it the latest state of this profile, or a copy of an earlier one?
///
/// A ratchet of an earlier state has keys that have encrypted other messages since. So nothing is encrypted before this is
/// settled, and nothing ever with a ratchet that may be a copy. Pure; see docs/protocol.md.
struct StoreEvidence: Equatable, Sendable {
    /// What the relay says that holds the profile's note.
    enum Note: Equatable, Sendable {
        /// There is no such relay.
        case none
        /// The last note is this store's, by its number.
        case own(Int64)
        /// There is a note that this store did not write.
        case foreign
        /// The note is gone: it was not renewed for three weeks, or the relay has lost it.
        case lost
        /// That relay can't be reached, although others can.
        case unknown
    }

    /// Which ratchets must not encrypt any more.
    enum Verdict: Equatable, Sendable {
        case none
        /// Those that have moved since the note of this number.
        case changed(since: Int64)
        case all
    }

    /// What the files look like.
    var files: StoreFiles
    /// Whether the store says that nothing was encrypted after its agent ended, before which it had written a note.
    var wasClosed: Bool

    /// What follows from both.
    func verdict(_ note: Note) -> Verdict {
        switch (note, files) {
        case (.foreign, _), (.unknown, _): .all
        // Nobody has gone on from here: whoever goes on from a closed store opens it and writes another note first.
        case (.own, .untouched): .none
        case (.own, _) where wasClosed: .none
        // At most the same life of the profile, of which this may be an earlier moment since that note.
        case (.own(let number), .cut): .changed(since: number)
        case (.own, .touched): .all
        case (.none, .untouched), (.lost, .untouched): .none
        case (.none, _), (.lost, _): .all
        }
    }
}
