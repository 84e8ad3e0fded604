import Foundation
import Parley
import Wording

/// What is said of the last call with a contact, in a line.
enum LastCallText {
    /// Which call it was, and when.
    static func text(_ call: Contact.LastCall, now: Date = Date(), calendar: Calendar = .current) -> String {
        let kind =
            call.isMissed
            ? tr("Missed call") : call.direction == .incoming ? tr("Incoming call") : tr("Outgoing call")
        return kind + " · " + time(call.date, now, calendar)
    }

    /// The time of today, the name of yesterday, else the date.
    private static func time(_ date: Date, _ now: Date, _ calendar: Calendar) -> String {
        let formatter = DateFormatter()
        formatter.calendar = calendar
        formatter.timeZone = calendar.timeZone
        if calendar.isDate(date, inSameDayAs: now) {
            formatter.timeStyle = .short
            return formatter.string(from: date)
        }
        let yesterday = calendar.date(byAdding: .day, value: -1, to: now)
        if let yesterday, calendar.isDate(date, inSameDayAs: yesterday) { return tr("Yesterday") }
        formatter.dateStyle = .medium
        return formatter.string(from: date)
    }
}
