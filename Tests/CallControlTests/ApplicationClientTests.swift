import FakePortal
import Glibc
import Portal
import Synchronization
import TestSupport
import Testing

@testable import CallControl

@Suite(.timeLimit(.minutes(5))) struct ApplicationClientTests {
    /// An application that keeps what it is asked for, and ends when it is told to.
    private final class FakeApplication: Sendable {
        private let bus: Bus
        private let heard = Mutex<[ApplicationRequest]>([])

        var requests: [ApplicationRequest] { heard.withLock { $0 } }

        init(at home: PrivateBus, endsWhenTold: Bool = true) async throws {
            bus = try await Bus.connect(address: home.address)
            ApplicationServer().serve(on: bus) { [weak self] request in
                guard let self else { return }
                heard.withLock { $0.append(request) }
                if endsWhenTold, request == .action("quit-service", parameter: nil, token: nil) {
                    Task { await self.bus.close() }
                }
            }
            try await bus.own(ParleyService.name)
        }
    }

    private let home: PrivateBus
    private let client: ApplicationClient

    init() async throws {
        home = try await PrivateBus(
            startsServices: false, services: ["im.parley.Broken": "/bin/false"])
        client = ApplicationClient(bus: try await Bus.connect(address: home.address))
    }

    private static let link = "simplex:/invitation#/?v=2"

    @Test func `what is asked for arrives with its token`() async throws {
        let application = try await FakeApplication(at: home)
        try await client.activate()
        try await client.open([Self.link], token: "t")
        try await client.activate(action: "call-back", parameter: .string("Zoë"), token: "u")
        #expect(
            application.requests == [
                .activate(token: nil), .open([Self.link], token: "t"),
                .action("call-back", parameter: .string("Zoë"), token: "u"),
            ])
    }

    @Test(.needs(BusProgram.gdbus.obstacle)) func `gdbus opens a link`() async throws {
        let application = try await FakeApplication(at: home)
        let called = try await BusProgram.gdbus.run(
            [
                "call", "--session", "--dest", ParleyService.name, "--object-path", ParleyService.path, "--method",
                "org.freedesktop.Application.Open", "['\(Self.link)']", "{'activation-token': <'t'>}",
            ], at: home)
        #expect(called.status == 0, "\(called.output)")
        #expect(application.requests == [.open([Self.link], token: "t")])
    }

    @Test(.needs(BusProgram.gapplication.obstacle)) func `gapplication starts an action`() async throws {
        let application = try await FakeApplication(at: home)
        let arguments = [["action", ParleyService.name, "call-back", "'Zoë'"], ["launch", ParleyService.name]]
        for arguments in arguments {
            let called = try await BusProgram.gapplication.run(arguments, at: home)
            #expect(called.status == 0, "\(called.output)")
        }
        #expect(
            application.requests == [
                .action("call-back", parameter: .string("Zoë"), token: nil), .activate(token: nil),
            ])
    }

    @Test(.needs(BusProgram.busctl.obstacle)) func `busctl sees the methods and gets an error for a wrong one`()
        async throws
    {
        let application = try await FakeApplication(at: home)
        let seen = try await BusProgram.busctl.run(
            ["--user", "introspect", ParleyService.name, ParleyService.path], at: home)
        #expect(seen.status == 0 && seen.output.contains(".ActivateAction"), "\(seen.output)")
        let called = try await BusProgram.busctl.run(
            [
                "--user", "call", ParleyService.name, ParleyService.path, "org.freedesktop.Application", "Open", "s",
                "x",
            ],
            at: home)
        #expect(called.status != 0 && called.output.contains("no arguments of Open"), "\(called.output)")
        #expect(application.requests == [])
    }

    /// Its arguments can't be read, and must not be taken for none.
    @Test(.needs(BusProgram.dbusSend.obstacle)) func `dbus-send with texts for values is refused`() async throws {
        let application = try await FakeApplication(at: home)
        let called = try await BusProgram.dbusSend.run(
            [
                "--session", "--print-reply", "--dest=" + ParleyService.name, ParleyService.path,
                "org.freedesktop.Application.Activate", "dict:string:string:desktop-startup-id,t",
            ], at: home)
        #expect(called.status != 0 && called.output.contains("InvalidArgs"), "\(called.output)")
        #expect(application.requests == [])
    }

    @Test func `it is known whether it runs, and as which process`() async throws {
        #expect(try await client.status() == .notRunning)
        let application = try await FakeApplication(at: home)
        #expect(try await client.status() == .running(processID: getpid()))
        try await client.start()
        #expect(application.requests == [])
    }

    @Test func `what nobody provides can't be started`() async throws {
        await #expect(throws: ServiceError.notInstalled) { try await client.start() }
        await #expect(throws: ServiceError.notRunning) { try await client.activate() }
        let broken = ApplicationClient(bus: try await Bus.connect(address: home.address), name: "im.parley.Broken")
        await #expect {
            try await broken.start()
        } throws: { error in
            if case .startFailed(let message) = error as? ServiceError { !message.isEmpty } else { false }
        }
    }

    @Test func `it is gone when it was stopped`() async throws {
        await #expect(throws: ServiceError.notRunning) { try await client.stop() }
        let application = try await FakeApplication(at: home)
        try await client.stop()
        #expect(try await client.status() == .notRunning)
        #expect(application.requests == [.action("quit-service", parameter: nil, token: nil)])
    }

    @Test func `one that does not end when it is told to runs still`() async throws {
        let application = try await FakeApplication(at: home, endsWhenTold: false)
        await #expect(throws: ServiceError.stillRunning) { try await client.stop(within: .milliseconds(50)) }
        #expect(application.requests.count == 1)
    }
}
