import ArgumentParser
import CallControl
import Calling
import Foundation
import Parley
import Signaling
import Wording

/// `parley-cli log`: shows the log of calls, or deletes from it.
struct LogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Show the log of calls, newest first, or delete calls from it.",
        discussion: """
            Several conditions narrow it down; several contacts or results widen it. Times are like 2026-11-23, “2026-11-23 14:05”, \
            2026-11-23T14:05:00Z, or “3d” for three days ago (also h and w). Results: \
            \(CallResult.allCases.map(\.name).joined(separator: ", ")).
            """)

    @OptionGroup var conditions: LogConditions

    @Option(help: ArgumentHelp("Show so many calls at most.", valueName: "N"))
    var limit: Int?

    @Option(
        name: .customLong("delete"),
        help: ArgumentHelp("Delete the call of this number, may be given several times.", valueName: "NUMBER"))
    var deleted: [Int64] = []

    @Flag(help: "Delete all calls. You are asked before, if there is a terminal.")
    var deleteAll = false

    @Flag(help: "Delete without asking.")
    var yes = false

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError(tr("--limit needs a number above 0.")) }
        let deletes = deleteAll || !deleted.isEmpty
        if deletes, !conditions.areNone || limit != nil || deleteAll && !deleted.isEmpty {
            throw ValidationError(tr("Calls are deleted by --delete NUMBER or --delete-all, without conditions."))
        }
    }

    func run() async throws {
        let printer = EventPrinter(isJSON: output.isJSON)
        var session = Session(profile: profile, printer: printer)
        if profile.areUsual { session.otherwise = { try await run(BusLog(holder: $0), printer) } }
        try await session.run { try await run(AccountLog(account: $0), printer) }
    }

    private func run(_ log: some LogSource, _ printer: EventPrinter) async throws {
        if deleteAll {
            let question = tr("Delete all calls from the log? [y/N] ")
            if !yes, printer.canAsk, await !printer.asks(question) { throw ExitCode.failure }
            try await log.deleteAll()
            return printer.last("deleted", [:], sentence: .tr("All calls were deleted from the log."))
        }
        if !deleted.isEmpty {
            try await log.delete(deleted)
            return printer.last(
                "deleted", ["numbers": .array(deleted.map { .number(Int($0)) })],
                sentence: .tr("The calls were deleted from the log."))
        }
        let rest = limit ?? .max
        var count = 0
        try await log.visit(conditions, limit: rest) { call in
            count += 1
            printer.logged(call)
        }
        if count == 0, !output.isJSON { printer.event("none", sentence: .tr("There are no such calls in the log.")) }
    }
}

/// Which calls are shown.
struct LogConditions: ParsableArguments {
    @Option(
        name: .customLong("contact"),
        help: ArgumentHelp("Only calls with this contact, may be given several times.", valueName: "NAME"))
    var contacts: [String] = []

    @Flag(help: "Only calls that came in.")
    var incoming = false

    @Flag(help: "Only calls that were made here.")
    var outgoing = false

    @Flag(help: "Only calls that came in and that nobody took or declined.")
    var missed = false

    @Option(
        name: .customLong("result"),
        help: ArgumentHelp("Only calls with this result, may be given several times.", valueName: "RESULT"))
    var results: [CallResult] = []

    @Option(help: ArgumentHelp("Only calls of this kind.", valueName: "audio|video"))
    var kind: CallMedia?

    @Option(help: ArgumentHelp("Only calls that began then or later.", valueName: "TIME"))
    var since: TimeArgument?

    @Option(help: ArgumentHelp("Only calls that began before.", valueName: "TIME"))
    var until: TimeArgument?

    @Option(
        help: ArgumentHelp("Only calls with contacts whose names have this in them, then or now.", valueName: "TEXT"))
    var text: String?

    func validate() throws {
        if incoming, outgoing { throw ValidationError(tr("Use either --incoming or --outgoing.")) }
    }

    /// Whether every call is meant.
    var areNone: Bool {
        contacts.isEmpty && !incoming && !outgoing && !missed && results.isEmpty && kind == nil && since == nil
            && until == nil && text == nil
    }

    /// Without the contacts, whose names mean something only to an account.
    var filter: CallLogFilter {
        var filter = CallLogFilter()
        filter.direction = incoming ? .incoming : outgoing ? .outgoing : nil
        filter.onlyMissed = missed
        filter.results = results.isEmpty ? nil : Set(results)
        filter.media = kind
        filter.since = since?.seconds
        filter.until = until?.seconds
        return filter
    }

    /// The same for the running Parley.
    var query: LogQuery {
        var query = LogQuery()
        query.contacts = contacts.isEmpty ? nil : contacts
        query.isIncoming = incoming ? true : outgoing ? false : nil
        query.isVideo = kind.map { $0 == .video }
        query.onlyMissed = missed
        query.results = results.isEmpty ? nil : results.map(\.name)
        query.since = since?.seconds
        query.until = until?.seconds
        query.text = text
        return query
    }
}

extension CallResult: ExpressibleByArgument {
    public init?(argument: String) { self.init(name: argument) }
    public var defaultValueDescription: String { name }
    public static var allValueStrings: [String] { allCases.map(\.name) }
}

extension CallMedia: ExpressibleByArgument {}

/// A moment, as people write it: a day, a day with a time, ISO 8601, or how long ago.
struct TimeArgument: ExpressibleByArgument, Equatable, Sendable {
    /// Since 1970.
    let seconds: Int64

    init?(argument: String) { self.init(argument, now: Date()) }

    init?(_ text: String, now: Date, zone: TimeZone = .current) {
        if let unit = text.last, let scale = ["h": 3_600.0, "d": 86_400, "w": 604_800][String(unit)],
            let count = Double(text.dropLast()), (0...100_000).contains(count)
        {
            seconds = Int64(now.timeIntervalSince1970 - count * scale)
            return
        }
        if let date = try? Date(text, strategy: .iso8601) {
            seconds = Int64(date.timeIntervalSince1970)
            return
        }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = zone
        formatter.isLenient = false
        for format in ["yyyy-MM-dd", "yyyy-MM-dd HH:mm", "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd'T'HH:mm"] {
            formatter.dateFormat = format
            if let date = formatter.date(from: text) {
                seconds = Int64(date.timeIntervalSince1970)
                return
            }
        }
        return nil
    }
}
