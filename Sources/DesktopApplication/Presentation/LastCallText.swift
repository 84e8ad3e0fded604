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
        return kind + " · " + ShortDate.text(call.date, now: now, calendar: calendar)
    }
}

/// When something was, in a word or two.
enum ShortDate {
    /// The time of today, the name of yesterday, else the date.
    static func text(_ date: Date, now: Date = Date(), calendar: Calendar = .current) -> String {
        let formatter = DateFormatter()
        formatter.locale = Translation.locale
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
