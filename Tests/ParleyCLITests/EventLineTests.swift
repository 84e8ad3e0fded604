import Calling
import Foundation
import Synchronization
import Testing

@testable import Parley
@testable import ParleyCLI

/// The JSON lines: what can be counted is a number there, what is yes or no a boolean.
@Suite(.timeLimit(.minutes(5))) struct EventLineTests {
    /// Takes what a printer prints.
    private final class Paper: Sendable {
        private let text = Mutex("")
        func write(_ text: String) { self.text.withLock { $0 += text } }
        var lines: [String] { text.withLock { $0 }.split(separator: "\n").map(String.init) }
        func events() throws -> [Event] { try lines.map(Event.init) }
    }

    private let paper = Paper()
    private var printer: EventPrinter {
        let paper = paper
        return EventPrinter(isJSON: true) { text, _ in paper.write(text) }
    }

    @Test func `every kind of value is itself in a line`() throws {
        printer.event(
            "all",
            ["text": "a/b\u{202E}", "count": .number(7), "yes": .boolean(true), "list": .array(["a", .number(1)])],
            sentence: nil)
        let line = try #require(paper.lines.first)
        let time = try #require(try Event(line)["t"] as? Int)
        #expect(
            line == #"{"count":7,"event":"all","list":["a",1],"t":\#(time),"text":"a/b\u202e","yes":true}"#)
    }

    @Test func `a relay has a version and a count of mailboxes, and is own or not`() throws {
        var status = RelayStatus(address: "smp://a@b:1", smpVersion: 17)
        status.queues = 3
        printer.relay(status)
        status.isOwn = false
        status.smpVersion = nil
        status.problem = .silent
        printer.relay(status)
        let events = try paper.events()
        #expect(events.map { $0["smpVersion"] as? Int } == [17, nil])
        #expect(events.map { $0["queues"] as? Int } == [3, 3])
        #expect(events.map { $0["own"] as? Bool } == [true, false])
        #expect(events.map { $0["state"] as? String } == ["up", "down"])
        #expect(events.map { $0["message"] as? String } == [nil, "The relay stopped answering."])
    }

    @Test func `a moment is a number of seconds since 1970`() throws {
        printer.request(IncomingRequest(id: 1, information: [], brokerTime: 1_700_000_000, labels: []))
        #expect(try paper.events().first?["date"] as? Int == 1_700_000_000)
    }

    @Test func `lost messages are counted`() async throws {
        await tell(.integrity(ContactID(rawValue: "a"), .missing(count: 3)))
        let event = try #require(try paper.events().first)
        #expect(event["count"] as? Int == 3)
        #expect(event["problem"] as? String == "missing")
    }

    @Test func `a number or a boolean that is written as text is found`() throws {
        let found = ["7", "-1.5", "true", "no"].map { Event.mistyped(["a": 1, "b": true, "c": ["d": [$0]]]) }
        #expect(found == Array(repeating: ["c.d"], count: 4))
        #expect(Event.mistyped(["a": "7 pictures", "b": "on", "c": "12345 67890", "d": NSNull()]) == [])
    }

    @Test func `nothing is told beside the last line`() async throws {
        let printer = printer
        printer.last("done", ["count": .number(1)], sentence: nil)
        printer.aside("late", [:], sentence: nil)
        #expect(try paper.events().map(\.name) == ["done"])
    }

    private func tell(_ update: AccountUpdate) async {
        let (updates, channel) = AsyncStream<AccountUpdate>.makeStream()
        channel.yield(update)
        channel.finish()
        var telling = UpdatePrinter(printer: printer)
        await telling.follow(updates)
    }
}
