import Calling
import Foundation
import GLibKit
import Parley
import Signaling
import Wording

/// What is shown of a call of the log.
struct CallLogPresentation: Equatable {
    /// One line of the details.
    struct Detail: Equatable {
        let title: String
        let value: String
    }

    let name: String
    let subtitle: String
    /// Which way it went.
    let icon: String
    let isMissed: Bool
    /// Whether the contact is there and can be called.
    let canCall: Bool
    /// What a screen reader says of it.
    let sentence: String

    /// Works it out. `contact` is who it was with, as they are now; nil when they are gone.
    init(_ call: LoggedCall, contact: ContactItem?, zone: TimeZone = .current) {
        let record = call.record
        name = contact?.name ?? Contact.shown(record.name)
        isMissed = record.isMissed
        icon = Self.icon(record)
        canCall = contact.map { $0.isConnected && $0.allowsCalls } ?? false
        let length = record.duration.map { DurationText.text(seconds: Int($0 / 1_000)) }
        let what = [Self.kind(record), Self.time(record.startedAt, zone), length].compactMap(\.self)
        subtitle = what.joined(separator: " · ")
        sentence = ([name] + what).joined(separator: ", ")
    }

    private static func icon(_ record: CallRecord) -> String {
        if record.isMissed { return "call-missed-symbolic" }
        return record.direction == .incoming ? "call-incoming-symbolic" : "call-outgoing-symbolic"
    }

    /// What kind of call it was, and what became of it unless people talked.
    private static func kind(_ record: CallRecord) -> String {
        let isVideo = record.media == .video
        if record.isMissed { return isVideo ? tr("Missed video call") : tr("Missed call") }
        let kind =
            switch (record.direction, isVideo) {
            case (.incoming, false): tr("Incoming call")
            case (.incoming, true): tr("Incoming video call")
            case (.outgoing, false): tr("Outgoing call")
            case (.outgoing, true): tr("Outgoing video call")
            }
        return record.result == .completed ? kind : kind + ", " + record.result.words(record.direction)
    }

    private static func time(_ seconds: Int64, _ zone: TimeZone, date: DateFormatter.Style = .none) -> String {
        let formatter = DateFormatter()
        formatter.locale = Translation.locale
        formatter.timeZone = zone
        formatter.dateStyle = date
        formatter.timeStyle = date == .none ? .short : .medium
        return formatter.string(from: Date(timeIntervalSince1970: TimeInterval(seconds)))
    }

    /// The heading of a day: today, yesterday, or its date.
    static func heading(_ day: Date, now: Date = Date(), calendar: Calendar = .current) -> String {
        if calendar.isDate(day, inSameDayAs: now) { return tr("Today") }
        let yesterday = calendar.date(byAdding: .day, value: -1, to: now)
        if let yesterday, calendar.isDate(day, inSameDayAs: yesterday) { return tr("Yesterday") }
        let formatter = DateFormatter()
        formatter.locale = Translation.locale
        formatter.timeZone = calendar.timeZone
        formatter.dateStyle = .full
        return formatter.string(from: day)
    }

    // MARK: Details

    /// Everything that is known of a call, in the order of its life.
    static func details(_ call: LoggedCall, zone: TimeZone = .current) -> [Detail] {
        let record = call.record
        var details = [
            Detail(title: tr("Call"), value: kind(record)),
            Detail(title: tr("Began"), value: time(record.startedAt, zone, date: .medium)),
        ]
        func add(_ title: String, _ value: String?) {
            if let value { details.append(Detail(title: title, value: value)) }
        }
        add(tr("Answered"), record.answeredAt.map { time($0, zone, date: .medium) })
        add(tr("Ended"), record.endedAt.map { time($0, zone, date: .medium) })
        add(tr("Duration"), record.duration.map { DurationText.text(seconds: Int($0 / 1_000)) })
        add(tr("Reason"), record.reason?.sentence ?? unexpected(record))
        add(tr("Encryption"), encryption(record))
        add(tr("Way"), record.path.map { $0.kind == .turn ? tr("Through a TURN server") : tr("Direct") })
        add(tr("Quality"), record.quality.map(quality))
        add(tr("Data used"), record.data.map(data))
        let steps = record.setup.steps.map { "\(stepName($0.name)) \($0.milliseconds) ms" }
        add(tr("Setting up"), steps.isEmpty ? nil : steps.joined(separator: ", "))
        return details
    }

    private static func unexpected(_ record: CallRecord) -> String? {
        record.endedAt == nil ? tr("Parley ended unexpectedly.") : nil
    }

    private static func encryption(_ record: CallRecord) -> String? {
        guard let isEncrypted = record.isFrameEncrypted else { return nil }
        guard isEncrypted else { return tr("Not encrypted end to end") }
        return record.isFingerprintVerified
            ? tr("End to end, the connection’s certificate verified") : tr("End to end")
    }

    private static func quality(_ quality: CallRecord.Quality) -> String {
        var parts: [String] = []
        if let roundTrip = quality.roundTrip { parts.append(tr("%s ms there and back", roundTrip)) }
        parts.append(tr("%s % lost", percent(max(quality.lossSent, quality.lossReceived))))
        if quality.target > 0 { parts.append(tr("%s kbit/s", quality.target / 1_000)) }
        return parts.joined(separator: ", ")
    }

    private static func percent(_ parts: Int64) -> String {
        parts % 100 == 0 ? "\(parts / 100)" : "\(Double(parts) / 100)"
    }

    private static func data(_ data: CallRecord.DataUse) -> String {
        let formatter = ByteCountFormatter()
        return tr(
            "%1$s sent, %2$s received", formatter.string(fromByteCount: data.sent),
            formatter.string(fromByteCount: data.received))
    }

    private static func stepName(_ name: String) -> String {
        switch name {
        case "ringing": tr("ringing")
        case "accepted": tr("accepted")
        case "offer": tr("offer")
        case "answer": tr("answer")
        case "iceConnected": tr("path found")
        case "dtlsConnected": tr("connected")
        case "firstFrame": tr("first picture or sound")
        default: name
        }
    }
}
