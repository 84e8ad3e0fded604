import Calling
import Foundation
import Parley
import TestSupport
import Testing

@testable import DesktopApplication

extension LoggedCall {
    /// A call that began at this time of 2026-01-DAY in UTC.
    static func sample(
        _ id: Int64, day: Int = 1, hour: Int = 12, _ direction: CallDirection = .incoming,
        _ result: CallResult = .completed, contact: String = "ann", name: String = "Ann"
    ) -> LoggedCall {
        let start = 1_767_225_600 + Int64(day - 1) * 86_400 + Int64(hour) * 3_600
        return LoggedCall(
            id: id,
            record: CallRecord(
                callID: .random(), contact: ContactID(rawValue: contact), name: name, direction: direction,
                media: .audio, startedAt: start, endedAt: start + 60, duration: result == .completed ? 60_000 : nil,
                result: result, reason: result == .completed ? .hungUp : .missed))
    }
}

/// The rows of the log: headings and calls, and what changes of them.
@Suite(.timeLimit(.minutes(5))) struct CallLogRowsTests {
    private static var utc: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "UTC") ?? .gmt
        return calendar
    }

    private func rows() -> CallLogRows { CallLogRows(calendar: Self.utc) }

    /// Days by their numbers in January, calls as they are.
    private func text(_ rows: [CallLogRows.Row]) -> String {
        rows.map { row in
            switch row {
            case .day(let date): "d\(Self.utc.component(.day, from: date))"
            case .call(let id): "\(id)"
            }
        }.joined(separator: " ")
    }

    @Test func `each day has one heading, also over pages`() {
        var rows = rows()
        _ = rows.append([.sample(9, day: 3), .sample(8, day: 3), .sample(7, day: 2)])
        let change = rows.append([.sample(6, day: 2), .sample(5, day: 1)])
        #expect(text(rows.rows) == "d3 9 8 d2 7 6 d1 5")
        #expect(change.position == 5 && change.removed == 0 && text(change.added) == "6 d1 5")
    }

    @Test func `a call that began before another and ended after it stays where it is`() {
        var rows = rows()
        _ = rows.append([.sample(9, day: 1, hour: 23), .sample(8, day: 2, hour: 0), .sample(7, day: 1)])
        #expect(text(rows.rows) == "d1 9 8 7")
    }

    @Test func `a call that ends comes below its day's heading, which is made if need be`() {
        var rows = rows()
        _ = rows.append([.sample(5, day: 1)])
        let first = rows.insert(.sample(6, day: 1))
        #expect(text(rows.rows) == "d1 6 5" && first.position == 1 && first.removed == 0)
        let second = rows.insert(.sample(7, day: 2))
        #expect(text(rows.rows) == "d2 7 d1 6 5" && text(second.added) == "d2 7" && second.position == 0)
        #expect(rows.insert(.sample(7, day: 2)).added.isEmpty)
    }

    @Test func `a heading goes with its last call`() {
        var rows = rows()
        _ = rows.append([.sample(5, day: 2), .sample(4, day: 1), .sample(3, day: 1)])
        let change = rows.remove { $0 == 5 }
        #expect(text(rows.rows) == "d1 4 3" && change == .init(position: 0, removed: 2, added: []))
        _ = rows.remove { $0 <= 4 }
        #expect(rows.isEmpty)
    }

    @Test func `a call that is hidden comes back, and stays hidden in other lists`() {
        var rows = rows()
        _ = rows.append([.sample(5), .sample(4)])
        _ = rows.setHidden(true, 5)
        #expect(text(rows.rows) == "d1 4" && rows.hidden == [5])
        var others = CallLogRows(hidden: rows.hidden, calendar: Self.utc)
        _ = others.append([.sample(5), .sample(4)])
        #expect(text(others.rows) == "d1 4")
        _ = rows.setHidden(false, 5)
        #expect(text(rows.rows) == "d1 5 4")
    }

    @Test(arguments: 0..<200) func `what changes leads from the rows before to those behind it`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var rows = rows()
        var shown: [CallLogRows.Row] = []
        var (newest, oldest): (Int64, Int64) = (1_000, 1_000)
        for _ in 0..<60 {
            let change: CallLogRows.Change
            switch Int.random(in: 0..<5, using: &generator) {
            case 0, 1:
                let page = (0..<Int.random(in: 0...4, using: &generator)).map { _ -> LoggedCall in
                    oldest -= 1
                    return .sample(oldest, day: 1 + Int(max(0, oldest - 900)) / 10)
                }
                change = rows.append(page)
            case 2:
                newest += 1
                change = rows.insert(.sample(newest, day: 12 + Int(newest - 1_000) / 5))
            case 3:
                let victim = rows.calls.randomElement(using: &generator)?.id
                change = rows.remove { $0 == victim }
            default:
                guard let victim = rows.calls.randomElement(using: &generator)?.id else { continue }
                change = rows.setHidden(Bool.random(using: &generator), victim)
            }
            shown.replaceSubrange(change.position..<change.position + change.removed, with: change.added)
            #expect(shown == rows.rows)
        }
    }
}

/// What is said of a call of the log.
@Suite(.timeLimit(.minutes(5))) struct CallLogPresentationTests {
    private let utc = TimeZone(identifier: "UTC") ?? .gmt
    private let ann = ContactItem(id: "ann", name: "Ann now", isTestCall: false, isConnected: true)

    private func knowing(_ contacts: ContactItem...) -> CallLogPresentation.Surroundings {
        var surroundings = CallLogPresentation.Surroundings()
        for contact in contacts { surroundings.contacts[contact.id] = contact }
        surroundings.takesGroupCalls = true
        return surroundings
    }

    /// A call with Ben, Cleo and Zed, who is no contact.
    private var ofSeveral: LoggedCall {
        var record = LoggedCall.sample(1, contact: "Ben", name: "Ben, Cleo, Zed").record
        record.members = ["Ben", "Cleo"].map { CallRecord.Member(name: $0, contact: ContactID(rawValue: $0)) }
        record.members.append(CallRecord.Member(name: "Zed"))
        record.groupReason = .alone
        return LoggedCall(id: 1, record: record)
    }

    @Test func `a call of several has all names, and calls again those who can join`() {
        var ben = ContactItem(id: "Ben", name: "Ben now", isTestCall: false, isConnected: true)
        ben.takesGroupCalls = true
        let shown = CallLogPresentation(ofSeveral, knowing(ben, .someone("Cleo", takes: false)), zone: utc)
        #expect(shown.name == "Ben now, Cleo, Zed" && shown.again == .together([ben]))
        #expect(shown.again.audioLabel == "Call Ben now together" && shown.again.canCall && shown.again.isTogether)
        #expect(shown.subtitle.hasPrefix("Incoming call · 4 people · "))
        var switchedOff = knowing(ben)
        switchedOff.takesGroupCalls = false
        #expect(CallLogPresentation(ofSeveral, switchedOff, zone: utc).again == .nobody)
        #expect(CallLogPresentation(ofSeveral, knowing(), zone: utc).again == .nobody)
    }

    @Test func `a call of several that goes on offers the way back alone`() {
        var surroundings = knowing(.someone("Ben"))
        let call = ofSeveral
        surroundings.goesOn = call.record.callID
        #expect(CallLogPresentation(call, surroundings, zone: utc).again == .comeBack)
        surroundings.goesOn = .random()
        #expect(CallLogPresentation(call, surroundings, zone: utc).again == .together([.someone("Ben")]))
    }

    @Test func `details of a call of several name who took part and how it ended`() {
        let details = CallLogPresentation.details(ofSeveral, zone: utc)
        func value(_ title: String) -> String? { details.first { $0.title == title }?.value }
        #expect(value("With") == "Ben\nCleo\nZed")
        #expect(value("Reason") == "Nobody else came to the call any more.")
    }

    @Test func `a missed call looks like one and can be called back`() {
        let shown = CallLogPresentation(.sample(1, .incoming, .noAnswer), knowing(ann), zone: utc)
        #expect(shown.isMissed && shown.again == .call(ann) && shown.icon == "call-missed-symbolic")
        #expect(shown.name == "Ann now" && shown.subtitle.hasPrefix("Missed call · "))
        #expect(shown.sentence.hasPrefix("Ann now, Missed call, "))
    }

    @Test func `a call with somebody who is gone has their name of then`() {
        let shown = CallLogPresentation(.sample(1), zone: utc)
        #expect(shown.name == "Ann" && shown.again == .nobody && !shown.isMissed)
        #expect(shown.subtitle.hasPrefix("Incoming call · ") && shown.subtitle.hasSuffix(" · 1:00"))
        #expect(shown.icon == "call-incoming-symbolic")
    }

    @Test func `what became of a call is said unless people talked`() {
        let shown = CallLogPresentation(.sample(1, .outgoing, .busy), knowing(ann), zone: utc)
        #expect(shown.subtitle.hasPrefix("Outgoing call, busy · ") && shown.icon == "call-outgoing-symbolic")
        #expect(!shown.isMissed)
    }

    @Test func `days are called by what they are`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = utc
        let now = Date(timeIntervalSince1970: 1_767_225_600 + 36_000)
        #expect(CallLogPresentation.heading(now, now: now, calendar: calendar) == "Today")
        #expect(CallLogPresentation.heading(now - 86_400, now: now, calendar: calendar) == "Yesterday")
        #expect(CallLogPresentation.heading(now - 3 * 86_400, now: now, calendar: calendar).contains("2025"))
    }

    @Test func `details have everything that is known and nothing else`() {
        var call = LoggedCall.sample(1)
        #expect(
            CallLogPresentation.details(call, zone: utc).map(\.title) == [
                "Call", "Began", "Ended", "Duration", "Reason",
            ])
        var record = call.record
        record.answeredAt = record.startedAt + 5
        record.path = CallRecord.Path(.turn)
        record.quality = CallRecord.Quality(
            roundTrip: 40, lossSent: 50, lossReceived: 200, target: 900_000, renewals: 0)
        record.data = CallRecord.DataUse(sent: 1_000, received: 2_000)
        record.isFrameEncrypted = true
        record.isFingerprintVerified = true
        record.setup.ringing = 12
        call = LoggedCall(id: 1, record: record)
        let details = CallLogPresentation.details(call, zone: utc)
        func value(_ title: String) -> String? { details.first { $0.title == title }?.value }
        #expect(value("Way") == "Through a TURN server")
        #expect(value("Quality") == "40 ms there and back, 2 % lost, 900 kbit/s")
        #expect(value("Encryption")?.hasPrefix("End to end") == true)
        #expect(value("Setting up") == "ringing 12 ms")
        #expect(value("Data used")?.contains("sent") == true && value("Answered") != nil)
        record.endedAt = nil
        record.reason = nil
        let cut = CallLogPresentation.details(LoggedCall(id: 1, record: record), zone: utc)
        #expect(cut.first { $0.title == "Reason" }?.value == "Parley ended unexpectedly.")
    }
}
