import FakePortal
import Foundation
import Portal
import TestSupport
import Testing

@testable import CallControl

/// The log of calls on a real bus.
@Suite(.timeLimit(.minutes(5))) struct LogServiceTests {
    private let home: PrivateBus
    private let bus: Bus
    private let service: LogService

    init() async throws {
        home = try await PrivateBus()
        bus = try await Bus.connect(address: home.address)
        service = LogService(bus: bus)
        try await bus.own(ParleyService.name)
    }

    private func client() async throws -> LogClient {
        try await LogClient(bus: try await Bus.connect(address: home.address))
    }

    private static let facts = LogFacts([
        "number": .number(7), "contact": .text("Zoë"), "missed": .flag(true), "setup": .numbers(["ringing": 12]),
    ])

    @Test func `calls are asked for and given as they are`() async throws {
        let client = try await client()
        var query = LogQuery()
        query.contacts = ["Zoë", "Ann"]
        query.isIncoming = true
        query.isVideo = false
        query.onlyMissed = true
        query.results = ["noAnswer"]
        query.since = 5
        query.until = 1 << 40
        query.text = "o"
        let wanted = query
        var requests = service.requests.makeAsyncIterator()
        async let answer = client.calls(wanted, limit: 20, before: 9)
        let request = try #require(await requests.next())
        #expect(request.request == .list(wanted, limit: 20, before: 9))
        request.finish(.calls([Self.facts], next: 7))
        request.finish(.refused(.disabled))
        let (calls, next) = try await answer
        #expect(calls == [Self.facts] && next == 7)
    }

    @Test func `no answer is longer than a limit, and zero is the beginning`() async throws {
        let client = try await client()
        var requests = service.requests.makeAsyncIterator()
        async let answer = client.calls(limit: .max)
        let request = try #require(await requests.next())
        #expect(request.request == .list(LogQuery(), limit: LogService.maximumCount, before: .max))
        request.finish(.calls([], next: 0))
        #expect(try await answer.calls == [])
    }

    @Test func `calls are deleted`() async throws {
        let client = try await client()
        var requests = service.requests.makeAsyncIterator()
        async let one: Void = client.delete([3, 1 << 40])
        let delete = try #require(await requests.next())
        #expect(delete.request == .delete([3, 1 << 40]))
        delete.finish(.done)
        try await one
        async let all: Void = client.deleteAll()
        let deleteAll = try #require(await requests.next())
        #expect(deleteAll.request == .deleteAll)
        deleteAll.finish(.done)
        try await all
    }

    @Test func `who may not is refused, and so is what nobody answers`() async throws {
        let client = try await client()
        service.setEnabled(false)
        await #expect(throws: ServiceError.refused(.disabled)) { _ = try await client.calls(limit: 1) }
        service.setEnabled(true)
        let dropping = Task { [service] in for await _ in service.requests {} }
        await #expect(throws: ServiceError.refused(.cancelled)) { try await client.deleteAll() }
        dropping.cancel()
    }

    @Test func `too many at once are refused`() async throws {
        let client = try await client()
        let waiting = (0..<LogService.maximumPending).map { _ in Task { try await client.calls(limit: 1) } }
        var requests = service.requests.makeAsyncIterator()
        var pending: [PendingLogRequest] = []
        while pending.count < LogService.maximumPending, let request = await requests.next() { pending.append(request) }
        await #expect(throws: ServiceError.self) { _ = try await client.calls(limit: 1) }
        for request in pending { request.finish(.calls([], next: 0)) }
        for task in waiting { _ = try await task.value }
        async let again = client.calls(limit: 1)
        await requests.next()?.finish(.calls([], next: 0))
        _ = try await again
    }

    @Test func `a condition that is not known is an error`() {
        #expect(LogQuery(properties: ["nobody": .bool(true)]) == nil)
        #expect(LogQuery(properties: ["incoming": .string("yes")]) == nil)
        #expect(LogQuery(properties: ["since": .bool(true)]) == nil)
        #expect(LogQuery(properties: ["missed": .bool(false)]) == LogQuery())
        #expect(LogQuery(properties: [:]) == LogQuery())
    }

    @Test func `what is installed is what the object says of itself`() async throws {
        let other = try await Bus.connect(address: home.address)
        let values = try await other.call(
            BusMethod(
                destination: ParleyService.name, path: ParleyService.log,
                interface: "org.freedesktop.DBus.Introspectable", name: "Introspect"), []
        ).values
        let told = Self.lines(try #require(values.first?.string))
        let file = Vectors.repository.appendingPathComponent("data/dbus/im.parley.Parley.CallLog1.xml")
        let installed = Self.lines(try String(contentsOf: file, encoding: .utf8))
        let interface = installed.drop { !$0.hasPrefix("<interface") }.prefix { $0 != "</interface>" }
        #expect(interface.count > 10)
        let begin = try #require(told.firstIndex { $0 == interface.first })
        #expect(Array(told[begin..<begin + interface.count]) == Array(interface))
        let meson = try String(contentsOf: Vectors.repository.appendingPathComponent("meson.build"), encoding: .utf8)
        #expect(meson.contains("dbus/@app_id@.CallLog1.xml"))
    }

    private static func lines(_ xml: String) -> [String] {
        var plain = xml
        while let begin = plain.range(of: "<!--"),
            let end = plain.range(of: "-->", range: begin.upperBound..<plain.endIndex)
        {
            plain.removeSubrange(begin.lowerBound..<end.upperBound)
        }
        return plain.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }

    @Test(.needs(BusProgram.gdbus.obstacle)) func `gdbus reads the log`() async throws {
        let answering = Task { [service] in
            for await request in service.requests { request.finish(.calls([Self.facts], next: 0)) }
        }
        let seen = try await BusProgram.gdbus.run(
            [
                "call", "--session", "--dest", ParleyService.name, "--object-path", ParleyService.log, "--method",
                "im.parley.Parley.CallLog1.List", "{'missed': <true>}", "10", "0",
            ], at: home)
        #expect(seen.status == 0 && seen.output.contains("'contact': <'Zoë'>"), "\(seen.output)")
        #expect(seen.output.hasSuffix("int64 0)") || seen.output.hasSuffix(", 0)"), "\(seen.output)")
        answering.cancel()
    }
}
