import FakePortal
import Glibc
import Portal
import TestSupport
import Testing

@testable import CallControl

/// The calls on a real bus.
@Suite(.timeLimit(.minutes(5))) struct CallServiceTests {
    private let home: PrivateBus
    private let bus: Bus
    private let service: CallService

    init() async throws {
        home = try await PrivateBus()
        bus = try await Bus.connect(address: home.address)
        service = CallService(bus: bus)
        try await bus.own(ParleyService.name)
    }

    private func client() async throws -> CallsClient {
        try await CallsClient(bus: try await Bus.connect(address: home.address))
    }

    private static let first = ParleyService.calls + "/1"

    @Test func `a call is dialled, followed and hung up`() async throws {
        service.update([], .connecting)
        let client = try await client()
        #expect(try await client.reachability() == .connecting)
        var news = try await client.news().makeAsyncIterator()
        #expect(await news.next() == .reachability(.connecting))
        service.update([], .yes)
        #expect(await news.next() == .reachability(.yes))
        var requests = service.requests.makeAsyncIterator()

        async let dialled = client.dial("Zoë", video: true)
        let dial = try #require(await requests.next())
        #expect(dial.request == .dial(contact: "Zoë", isVideo: true))
        var call = CallFacts(id: "x", name: "Zoë", contact: "z", isVideo: true, isCameraOn: true)
        service.update([call], .yes)
        dial.finish(.dialled(call: "x"))
        let id = try await dialled
        #expect(id == Self.first)
        (call.state, call.since, call.isEncrypted) = (.active, 1_700_000_000_000, true)
        service.update([call], .yes)

        async let hungUp: Void = client.hangUp(id)
        let hangUp = try #require(await requests.next())
        #expect(hangUp.request == .hangUp(call: "x"))
        (call.state, call.endReason) = (.ended, "hungUp")
        service.update([call], .yes)
        hangUp.finish(.done)
        try await hungUp
        #expect(try await client.calls().map(\.state) == [.ended])
        service.update([], .yes)

        var seen: [CallFacts] = []
        while case .call(let facts) = await news.next() { seen.append(facts) }
        #expect(seen.map(\.state) == [.calling, .active, .ended])
        call.id = id
        #expect(seen.last == call)
        #expect(try await client.calls() == [])
    }

    @Test func `busy is read and set`() async throws {
        service.update([], .locked)
        let client = try await client()
        #expect(try await !client.isBusy())
        let answering = Task { [service] in
            for await request in service.requests {
                if case .setBusy(let isBusy) = request.request { service.update(isBusy: isBusy) }
                request.finish(.done)
            }
        }
        try await client.setBusy(true)
        #expect(try await client.isBusy())
        try await client.setBusy(false)
        #expect(try await !client.isBusy())
        answering.cancel()
    }

    @Test func `the news end when the service does`() async throws {
        let news = try await client().news()
        await bus.close()
        #expect(await news.reduce(into: []) { $0.append($1) } == [.reachability(.no)])
        await #expect(throws: ServiceError.notRunning) { _ = try await client() }
    }

    @Test func `what the program refuses is told in its own words`() async throws {
        service.update([CallFacts(id: "x", isIncoming: true, state: .ringing)], .yes)
        let client = try await client()
        let refusing = Task { [service] in
            for await request in service.requests { request.finish(.refused(.noDisplay)) }
        }
        await #expect(throws: ServiceError.refused(.noDisplay)) { try await client.accept(Self.first, camera: true) }
        refusing.cancel()
        await #expect(throws: ServiceError.refused(.wrongState)) { try await client.hangUp(Self.first) }
        service.setEnabled(false)
        await #expect(throws: ServiceError.refused(.disabled)) { _ = try await client.dial("Zoë", video: false) }
        #expect(try await client.calls() == [])
    }

    @Test func `a request that nobody takes is refused`() async throws {
        service.update([CallFacts(id: "x", isIncoming: true, state: .ringing)], .yes)
        let client = try await client()
        let declining = Task { try await client.decline(Self.first) }
        var requests = Optional(service.requests.makeAsyncIterator())
        // It goes without an outcome, as when a window is closed.
        #expect(await requests?.next()?.request == .decline(call: "x"))
        await #expect(throws: ServiceError.refused(.cancelled)) { try await declining.value }
        requests = nil
    }

    @Test(.needs(BusProgram.gdbus.obstacle)) func `gdbus declines a call and reads what became of it`() async throws {
        var call = CallFacts(id: "x", name: "Zoë", isIncoming: true, state: .ringing)
        service.update([call], .yes)
        let declining = Task { [service] in
            for await request in service.requests {
                if request.request == .decline(call: "x") {
                    (call.state, call.endReason) = (.ended, "declined")
                    service.update([call], .yes)
                }
                request.finish(.done)
            }
        }
        func run(_ method: String, _ arguments: String...) async throws -> (status: Int32, output: String) {
            try await BusProgram.gdbus.run(
                [
                    "call", "--session", "--dest", ParleyService.name, "--object-path",
                    method.hasSuffix("Objects") ? ParleyService.calls : Self.first, "--method", method,
                ] + arguments, at: home)
        }
        let declined = try await run("im.parley.Parley.Call1.Decline")
        #expect(declined.status == 0 && declined.output == "()", "\(declined.output)")
        let state = try await run("org.freedesktop.DBus.Properties.Get", "im.parley.Parley.Call1", "EndReason")
        #expect(state.output == "(<'declined'>,)")
        let objects = try await run("org.freedesktop.DBus.ObjectManager.GetManagedObjects")
        #expect(objects.output.contains("'Name': <'Zoë'>") && objects.output.contains("int64 0"), "\(objects.output)")
        let again = try await run("im.parley.Parley.Call1.Decline")
        #expect(again.status != 0 && again.output.contains("im.parley.Parley.Error.WrongState"), "\(again.output)")
        declining.cancel()
    }

    @Test(.needs(BusProgram.busctl.obstacle)) func `busctl finds the calls in the tree`() async throws {
        ApplicationServer().serve(on: bus) { _ in }
        service.update([CallFacts(id: "x"), CallFacts(id: "y")], .yes)
        let seen = try await BusProgram.busctl.run(
            ["--user", "introspect", ParleyService.name, ParleyService.calls + "/2"], at: home)
        #expect(seen.output.contains(".SetMicrophone"), "\(seen.output)")
        let application = try await BusProgram.busctl.run(
            ["--user", "introspect", ParleyService.name, ParleyService.path], at: home)
        #expect(application.output.contains("org.freedesktop.Application"), "\(application.output)")
    }

    @Test func `a service that goes leaves its paths to others`() async throws {
        let other = try await Bus.connect(address: home.address)
        try await other.own("im.parley.Other")
        var gone: CallService? = CallService(bus: other)
        let client = try await CallsClient(bus: bus, name: "im.parley.Other")
        #expect(try await client.calls() == [])
        gone = nil
        #expect(gone == nil)
        let method = "org.freedesktop.DBus.ObjectManager.GetManagedObjects"
        await #expect(throws: ServiceError.bus(.unsupported(method))) { _ = try await client.calls() }
    }
}
