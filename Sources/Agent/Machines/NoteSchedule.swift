/// When the note at a relay is due to be renewed: when ratchets have moved and then rested for a while, or for long have
/// not. Nothing wakes up while nothing changes.
///
/// Pure: time comes from the caller, in milliseconds.
struct NoteSchedule: Equatable, Sendable {
    /// How soon a note follows a change.
    struct Pace: Equatable, Sendable {
        /// After the last change.
        var quiet: Int64 = 10_000
        /// After the first change at most.
        var longest: Int64 = 60_000
    }

    /// What the caller has to do.
    enum Action: Equatable, Sendable {
        /// Call `woke` after so many milliseconds.
        case wait(Int64)
        /// Write a note.
        case renew
    }

    private struct Changes: Equatable {
        var first: Int64
        var last: Int64
    }

    private let pace: Pace
    private var changes: Changes?

    init(pace: Pace = Pace()) { self.pace = pace }

    /// Whether ratchets have moved since a note was last due.
    var hasChanges: Bool { changes != nil }

    /// A ratchet has moved; nil while somebody waits already.
    mutating func moved(at time: Int64) -> Action? {
        guard let known = changes else {
            changes = Changes(first: time, last: time)
            return .wait(pace.quiet)
        }
        // A clock that was set back begins anew.
        changes = Changes(first: min(known.first, time), last: time)
        return nil
    }

    /// The time asked for has come.
    mutating func woke(at time: Int64) -> Action {
        guard let known = changes else { return .renew }
        let due = min(known.last + pace.quiet, known.first + pace.longest)
        guard time < due else {
            changes = nil
            return .renew
        }
        return .wait(min(due - time, pace.quiet))
    }
}
