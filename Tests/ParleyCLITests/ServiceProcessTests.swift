import CallControl
import FakePortal
import Foundation
import Portal
import Synchronization
import TestSupport
import Testing

/// Commands beside a Parley that runs: this process plays it, on a bus of the test's own.
@Suite(.timeLimit(.minutes(5))) struct ServiceProcessTests {
    /// Who has the name and the profile.
    private final class Service: Sendable {
        let profile: String
        let calls: CallService
        private let home: PrivateBus
        private let bus: Bus
        private let folder = try? TemporaryFolder()
        private let descriptor: Int32

        /// One that has a profile open, or none.
        init(holdsProfile: Bool = true) async throws {
            home = try await PrivateBus(startsServices: false)
            bus = try await Bus.connect(address: home.address)
            calls = CallService(bus: bus)
            profile = try #require(folder?.file("profile"))
            try FileManager.default.createDirectory(atPath: profile, withIntermediateDirectories: true)
            descriptor = open(profile + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            if holdsProfile { try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0) }
            let bus = bus
            ApplicationServer().serve(on: bus) { request in
                if case .action("quit-service", _, _) = request { Task { await bus.close() } }
            }
        }

        deinit { close(descriptor) }

        func begin() async throws { try await bus.own("im.parley.Parley") }

        func run(_ arguments: [String]) throws -> ChildProcess {
            try ChildProcess(
                "/usr/bin/env",
                ["DBUS_SESSION_BUS_ADDRESS=\(home.address)", ChildProcess.built("parley-cli")] + arguments,
                folder: try #require(folder).path)
        }
    }

    @Test func `a service is looked at and ended`() async throws {
        let service = try await Service()
        let before = try service.run(["service", "status", "--json"])
        #expect(try await before.exitStatus() == 1)
        #expect(try await before.event("service")["state"] as? String == "stopped")
        let unknown = try service.run(["service", "start"])
        #expect(try await unknown.exitStatus() == 1)
        #expect(unknown.errors.contains("this session does not know it"))

        try await service.begin()
        service.calls.update([], .connecting)
        let during = try service.run(["--json", "service", "status"])
        #expect(try await during.exitStatus() == 0, "\(during.errors)")
        let event = try await during.event("service")
        #expect(event["state"] as? String == "running")
        #expect(event["process"] as? Int == Int(getpid()))
        #expect(event["reachable"] as? Bool == false)
        #expect(event["reason"] as? String == "connecting")
        service.calls.setEnabled(false)
        let plain = try service.run(["service", "status"])
        #expect(try await plain.exitStatus() == 0)
        #expect(plain.lines == ["Parley is running (process \(getpid())). " + CallRefusalText.disabled])

        let stop = try service.run(["service", "stop"])
        #expect(try await stop.exitStatus() == 0, "\(stop.errors)")
        #expect(stop.lines == ["Parley is not running in this session."])
        let again = try service.run(["service", "stop"])
        #expect(try await again.exitStatus() == 0)
    }

    private enum CallRefusalText {
        static let disabled = "Other programs may not control calls. Parley's preferences can allow it."
    }

    @Test func `a call goes through whoever has the profile open`() async throws {
        let service = try await Service()
        try await service.begin()
        service.calls.update([], .yes)
        let caller = try service.run(["call", "Zoë", "--profile", service.profile, "--audio", "--json"])
        var requests = service.calls.requests.makeAsyncIterator()
        let dial = try #require(await requests.next())
        #expect(dial.request == .dial(contact: "Zoë", isVideo: false))
        var call = CallFacts(id: "x", name: "Zoë")
        service.calls.update([call], .yes)
        dial.finish(.dialled(call: "x"))
        try await caller.event("dialing")
        for state in [CallFacts.State.connecting, .active] {
            call.state = state
            service.calls.update([call], .yes)
        }
        try await caller.event("active")
        // Ctrl-C hangs up, and the end is told.
        caller.signal(SIGINT)
        let hangUp = try #require(await requests.next())
        #expect(hangUp.request == .hangUp(call: "x"))
        (call.state, call.endReason) = (.ended, "hungUp")
        service.calls.update([call], .yes)
        hangUp.finish(.done)
        #expect(try await caller.exitStatus() == 0, "\(caller.errors)")
        #expect(
            try caller.events().map(\.name).filter { $0 != "relay" }
                == ["service", "dialing", "accepted", "active", "ended", "summary"])
        let ended = try await caller.event("ended")
        #expect(ended["reason"] as? String == "hungUp")
        #expect(ended["call"] as? String == "/im/parley/Parley/calls/1")
        #expect(try await caller.event("summary")["result"] as? String == "completed")
    }

    @Test func `busy goes through whoever has the profile open`() async throws {
        let service = try await Service()
        try await service.begin()
        service.calls.update([], .yes)
        let answering = Task {
            for await request in service.calls.requests {
                if case .setBusy(let isBusy) = request.request { service.calls.update(isBusy: isBusy) }
                request.finish(.done)
            }
        }
        for (words, state) in [([], "off"), (["on"], "on"), ([], "on"), (["off"], "off")] {
            let process = try service.run(["busy"] + words + ["--profile", service.profile, "--json"])
            #expect(try await process.exitStatus() == 0, "\(process.errors)")
            #expect(try await process.event("busy")["state"] as? String == state)
        }
        answering.cancel()
        service.calls.setEnabled(false)
        let refused = try service.run(["busy", "on", "--profile", service.profile])
        #expect(try await refused.exitStatus() == 1)
        #expect(refused.errors == "Error: \(CallRefusalText.disabled)\n")
    }

    @Test func `a call is given up when its time is over`() async throws {
        let service = try await Service()
        try await service.begin()
        service.calls.update([], .yes)
        let caller = try service.run(["call", "Zoë", "--profile", service.profile, "--ring-for", "0.1"])
        for await request in service.calls.requests {
            var call = CallFacts(id: "x", name: "Zoë")
            if request.request.call == "x" { (call.state, call.endReason) = (.ended, "cancelled") }
            service.calls.update([call], .yes)
            request.finish(request.request.call == "x" ? .done : .dialled(call: "x"))
            if call.state == .ended { break }
        }
        #expect(try await caller.exitStatus() == 1)
        #expect(caller.lines.last == "You cancelled the call before it was answered.")
    }

    @Test func `who has had enough of waiting for the question goes`() async throws {
        let service = try await Service()
        try await service.begin()
        service.calls.update([], .yes)
        let caller = try service.run(["call", "Zoë", "--profile", service.profile])
        var requests = service.calls.requests.makeAsyncIterator()
        let dial = try #require(await requests.next())
        caller.signal(SIGINT)
        #expect(try await caller.exitStatus() == 130)
        dial.finish(.refused(.cancelled))
    }

    @Test func `a refusal is one sentence`() async throws {
        let service = try await Service()
        try await service.begin()
        service.calls.update([], .locked)
        let caller = try service.run(["call", "Zoë", "--profile", service.profile])
        #expect(try await caller.exitStatus() == 1)
        #expect(caller.errors == "Error: Parley can't call now: it has no relay, or its profile is locked.\n")
    }

    @Test func `other commands say who has the profile open`() async throws {
        let service = try await Service()
        try await service.begin()
        for arguments in [["contacts"], ["call", "Zoë", "--microphone", "none"]] {
            let command = try service.run(arguments + ["--profile", service.profile])
            #expect(try await command.exitStatus() == 1)
            #expect(command.errors.contains("is open in Parley (process \(getpid()))"), "\(command.errors)")
        }
    }

    @Test func `a service that has another profile open is not meant`() async throws {
        let service = try await Service(holdsProfile: false)
        try await service.begin()
        let folder = try TemporaryFolder()
        let other = try ChildProcess(
            "/usr/bin/flock", ["--no-fork", folder.file("lock"), "sleep", "120"], folder: folder.path)
        let file = open(folder.file("lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try await waitUntil("the lock") {
            guard flock(file, LOCK_EX | LOCK_NB) == 0 else { return true }
            flock(file, LOCK_UN)
            return false
        }
        close(file)
        let caller = try service.run(["call", "Zoë", "--profile", folder.path])
        #expect(try await caller.exitStatus() == 1)
        #expect(caller.errors.contains("is open in another program"), "\(caller.errors)")
        other.signal(SIGTERM)
    }
}
