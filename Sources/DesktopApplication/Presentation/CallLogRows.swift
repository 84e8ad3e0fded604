import Calling
import Foundation
import Parley

/// The rows of a list of calls: a heading for each day, and its calls below. What is worked out is which rows come and go, so that those
/// that stay are left alone.
struct CallLogRows {
    /// A row; the text is what stands for it in a list.
    enum Row: Hashable {
        /// The heading of a day, by the moment at which it begins.
        case day(Date)
        case call(LoggedCall.ID)
    }

    /// A stretch of the rows, and what takes its place.
    struct Change: Equatable {
        var position: Int
        var removed: Int
        var added: [Row]
    }

    /// The calls that are shown, newest first.
    private(set) var calls: [LoggedCall] = []
    /// What is shown.
    private(set) var rows: [Row] = []
    private var byID: [LoggedCall.ID: LoggedCall] = [:]
    /// Calls that are about to be deleted.
    private(set) var hidden: Set<LoggedCall.ID>
    private let calendar: Calendar

    /// No rows. `hidden` are calls that are about to be deleted.
    init(hidden: Set<LoggedCall.ID> = [], calendar: Calendar = .current) {
        self.hidden = hidden
        self.calendar = calendar
    }

    /// The call of a row.
    subscript(id: LoggedCall.ID) -> LoggedCall? { byID[id] }

    /// Whether nothing is shown.
    var isEmpty: Bool { rows.isEmpty }

    /// Adds older calls.
    mutating func append(_ page: [LoggedCall]) -> Change {
        let new = page.filter { byID[$0.id] == nil }
        for call in new { byID[call.id] = call }
        calls += new
        let added = rows(of: new.filter { !hidden.contains($0.id) }, below: lastDay)
        defer { rows += added }
        return Change(position: rows.count, removed: 0, added: added)
    }

    /// Adds a call that has ended.
    mutating func insert(_ call: LoggedCall) -> Change {
        guard byID[call.id] == nil else { return Change(position: 0, removed: 0, added: []) }
        byID[call.id] = call
        let index = calls.firstIndex { $0.id < call.id } ?? calls.count
        calls.insert(call, at: index)
        return renew()
    }

    /// Calls were deleted.
    mutating func remove(where isGone: (LoggedCall.ID) -> Bool) -> Change {
        for call in calls where isGone(call.id) { byID[call.id] = nil }
        calls.removeAll { isGone($0.id) }
        hidden = hidden.filter { !isGone($0) }
        return renew()
    }

    /// Shows a call no more, or again.
    mutating func setHidden(_ isHidden: Bool, _ id: LoggedCall.ID) -> Change {
        if isHidden { hidden.insert(id) } else { hidden.remove(id) }
        return renew()
    }

    /// Works out all rows; what has changed lies between what is the same at both ends.
    private mutating func renew() -> Change {
        let before = rows
        rows = rows(of: calls.filter { !hidden.contains($0.id) }, below: nil)
        let same = zip(before, rows).prefix { $0 == $1 }.count
        let rest = min(before.count, rows.count) - same
        let tail = zip(before.reversed(), rows.reversed()).prefix(rest).prefix { $0 == $1 }.count
        return Change(
            position: same, removed: before.count - same - tail, added: Array(rows[same..<rows.count - tail]))
    }

    /// The rows of calls below the heading of a day. Days only ever get earlier: a call that began before another and ended after it stays in
    /// the group of the day where it stands.
    private func rows(of calls: [LoggedCall], below heading: Date?) -> [Row] {
        var added: [Row] = []
        var day = heading
        for call in calls {
            let began = calendar.startOfDay(for: Date(timeIntervalSince1970: TimeInterval(call.record.startedAt)))
            if day.map({ began < $0 }) ?? true {
                added.append(.day(began))
                day = began
            }
            added.append(.call(call.id))
        }
        return added
    }

    private var lastDay: Date? {
        for case .day(let date) in rows.reversed() { return date }
        return nil
    }
}
