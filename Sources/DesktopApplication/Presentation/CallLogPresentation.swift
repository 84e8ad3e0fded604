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
    /// What can be done to be in such a call again.
    let again: Again
    /// What a screen reader says of it.
    let sentence: String

    /// What the windows know besides the log.
    struct Surroundings: Equatable {
        var contacts: [ContactItem.ID: ContactItem] = [:]
        /// Whether calls of several are made here.
        var takesGroupCalls = false
        /// The most people in one that begins here.
        var mostInGroupCall = GroupPresentation.capacity
        /// The call of several that goes on without the person.
        var goesOn: CallID?

        /// A contact as they are now; nil when they are gone.
        subscript(id: ContactID?) -> ContactItem? { id.flatMap { contacts[$0.rawValue] } }
    }

    /// How the person can be in such a call again.
    enum Again: Equatable {
        /// Nobody of it can be called.
        case nobody
        case call(ContactItem)
        /// By calling all who can join.
        case together([ContactItem])
        /// Others go on with it.
        case comeBack

        /// What the button says that calls with sound.
        var audioLabel: String {
            switch self {
            case .call(let contact): tr("Call %s back", contact.name)
            case .together(let contacts): tr("Call %s together", Self.names(contacts))
            case .nobody, .comeBack: ""
            }
        }

        /// What the button says that calls with pictures.
        var videoLabel: String {
            switch self {
            case .call(let contact): tr("Call %s back with video", contact.name)
            case .together(let contacts): tr("Video call with %s together", Self.names(contacts))
            case .nobody, .comeBack: ""
            }
        }

        /// Whether somebody can be called.
        var canCall: Bool {
            switch self {
            case .call, .together: true
            case .nobody, .comeBack: false
            }
        }

        /// Whether that is a call of several.
        var isTogether: Bool { if case .together = self { true } else { false } }

        private static func names(_ contacts: [ContactItem]) -> String {
            contacts.map(\.name).joined(separator: ", ")
        }
    }

    /// Works it out.
    init(_ call: LoggedCall, _ surroundings: Surroundings = Surroundings(), zone: TimeZone = .current) {
        let record = call.record
        name = Self.names(record, surroundings).joined(separator: ", ")
        isMissed = record.isMissed
        icon = Self.icon(record)
        again = Self.again(record, surroundings)
        let length = record.duration.map { DurationText.text(seconds: Int($0 / 1_000)) }
        let count = record.members.isEmpty ? nil : tr("%s people", record.members.count + 1)
        let what = [Self.kind(record), count, Self.time(record.startedAt, zone), length].compactMap(\.self)
        subtitle = what.joined(separator: " · ")
        sentence = ([name] + what).joined(separator: ", ")
    }

    /// Who it was with, as they are called now, or were then.
    private static func names(_ record: CallRecord, _ surroundings: Surroundings) -> [String] {
        guard !record.members.isEmpty else {
            return [surroundings[record.contact]?.name ?? Contact.shown(record.name)]
        }
        return record.members.map { surroundings[$0.contact]?.name ?? Contact.shown($0.name) }
    }

    private static func again(_ record: CallRecord, _ surroundings: Surroundings) -> Again {
        guard !record.members.isEmpty else {
            let contact = surroundings[record.contact].flatMap { $0.isConnected && $0.allowsCalls ? $0 : nil }
            return contact.map(Again.call) ?? .nobody
        }
        if record.callID == surroundings.goesOn { return .comeBack }
        guard surroundings.takesGroupCalls else { return .nobody }
        var guests: [ContactItem] = []
        for member in record.members {
            guard let contact = surroundings[member.contact], contact.canJoin, !guests.contains(contact) else {
                continue
            }
            guests.append(contact)
        }
        guests = Array(guests.prefix(surroundings.mostInGroupCall - 1))
        return guests.isEmpty ? .nobody : .together(guests)
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
    static func details(
        _ call: LoggedCall, _ surroundings: Surroundings = Surroundings(), zone: TimeZone = .current
    ) -> [Detail] {
        let record = call.record
        var details = [
            Detail(title: tr("Call"), value: kind(record)),
            Detail(title: tr("Began"), value: time(record.startedAt, zone, date: .medium)),
        ]
        func add(_ title: String, _ value: String?) {
            if let value { details.append(Detail(title: title, value: value)) }
        }
        if !record.members.isEmpty { add(tr("With"), names(record, surroundings).joined(separator: "\n")) }
        add(tr("Answered"), record.answeredAt.map { time($0, zone, date: .medium) })
        add(tr("Ended"), record.endedAt.map { time($0, zone, date: .medium) })
        add(tr("Duration"), record.duration.map { DurationText.text(seconds: Int($0 / 1_000)) })
        add(tr("Reason"), record.groupReason?.sentence ?? record.reason?.sentence ?? unexpected(record))
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
