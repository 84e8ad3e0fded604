import CallControl
import FakeNotifications
import FakePortal
import Foundation
import Portal
import TestSupport
import Testing

/// Real calls with a Parley that has no window: processes, a relay, and what a person does.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class ServiceStoryTests: DesktopSuite {
    private var manager: WindowManager?
    private var town: ServiceTown!
    private var earlier = 0

    override init() throws {
        try super.init()
        manager = try WindowManager()
        earlier = notifications.shown.count
    }

    /// Lets a program end with the test.
    private func keep(_ parley: RunningProgram) -> RunningProgram {
        atEnd { parley.kill() }
        return parley
    }

    /// Waits for a notification that was not there before; then until it can be pressed.
    private func notification(
        after count: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> FakeNotificationServer.Shown {
        try town.wait("a notification", sourceLocation: sourceLocation) {
            self.notifications.shown.count > self.earlier + count
        }
        usleep(1_300_000)  // a person looks first
        return try #require(notifications.shown.last)
    }

    /// Ben calls with sound only, and the call is accepted in its notification.
    private func takeCall() throws -> ChildProcess {
        let count = notifications.shown.count - earlier
        let ben = try town.benCalls("--audio")
        try notifications.press("accept", of: try notification(after: count).id)
        try town.wait(for: "firstFrame", of: ben)
        try town.call(.active)
        return ben
    }

    @Test func `a call is taken in its notification and ended by the caller`() throws {
        town = try ServiceTown()
        let ada = keep(try town.startService())
        #expect(try Keyboard.windows(titled: "Parley") == [])
        let ben = try town.benCalls("--for", "4")
        let shown = try notification()
        #expect([shown.summary, shown.body] == ["Ben", "Incoming video call"])
        #expect(try Keyboard.windows(titled: "Parley") == [])
        try notifications.press("accept-audio", of: shown.id)
        try town.wait(for: "firstFrame", of: ben)
        let facts = try town.call(.active)
        #expect([facts.isIncoming, facts.isCameraOn, facts.isMicrophoneOn] == [true, false, true])
        #expect(facts.isEncrypted)
        try ada.see("Turn camera on")
        #expect(try town.end(of: ben) == 0, "\(ben.errors)")
        #expect(try town.wait(for: "summary", of: ben)["result"] as? String == "completed")
        #expect(try town.call(.ended).endReason == "peerHungUp")
        try ada.see("The other person ended the call.")
        #expect(notifications.closed.contains(shown.id))
    }

    @Test func `a missed call is called back after another start`() throws {
        town = try ServiceTown()
        var ada = keep(try town.startService())
        let ben = try town.benCalls("--audio", "--ring-for", "4")
        let contact = try town.call(.ringing).contact
        _ = try notification()
        #expect(try town.end(of: ben) == 1)
        let missed = try notification(after: 1)
        #expect([missed.summary, missed.body] == ["Ben", "Missed call"])
        let stop = try town.cli(["service", "stop"])
        #expect(try town.end(of: stop) == 0, "\(stop.errors)")
        #expect(ada.exitStatus() == 0)

        let listener = try town.benListens()
        // At once, while the profile is being opened.
        ada = keep(try town.startParley("--service"))
        let client = ApplicationClient(bus: town.bus)
        try blocking {
            try await client.activate(action: "call-back", parameter: .string("audio \(contact)"))
        }
        // Any program may ask for that.
        try ada.see("Call Ben?")
        try ada.press("Call")
        try town.call(.active)
        try ada.see("0:")
        try ada.press("End the call")
        #expect(try town.end(of: listener) == 0, "\(listener.errors)")
        // The second one is left for whoever reads it after the program's end.
        let left = try #require(notifications.shown.last)
        #expect([left.summary, left.body] == ["Ben", "Missed call"])
        #expect([left.replaces, UInt32(left.actions.count)] == [missed.id, 0])
        #expect(notifications.shown.count == earlier + 3, "the missed call was told again")
    }

    @Test(.needs(MockedLogind.obstacle))
    func `a call is ended before the machine sleeps, and the next one comes`() throws {
        let home = try blocking { try await PrivateBus(startsServices: false) }
        let logind = try blocking { try await MockedLogind(on: home) }
        town = try ServiceTown()
        town.environment["DBUS_SYSTEM_BUS_ADDRESS"] = home.address
        _ = keep(try town.startService())
        func holdsLock() throws -> Bool { try blocking { try await logind.locks() }.contains { $0[1] == "Parley" } }
        try town.wait("the lock", until: holdsLock)
        let ben = try takeCall()
        try blocking { try await logind.prepareForSleep(true) }
        #expect(try town.wait(for: "ended", of: ben)["reason"] as? String == "peerHungUp")
        #expect(try town.end(of: ben) == 0, "\(ben.errors)")
        try town.wait("the machine to sleep") { try !holdsLock() }
        try blocking { try await logind.prepareForSleep(false) }
        try town.wait("the lock", until: holdsLock)
        try town.waitUntilReachable()
        // Her window has the focus now, and shows the call instead of a notification.
        let again = try town.benCalls("--audio")
        try town.accept(try town.call(.ringing))
        try town.wait(for: "firstFrame", of: again)
        again.signal(SIGINT)
        #expect(try town.end(of: again) == 0, "\(again.errors)")
    }

    @Test(.needs(MockedLogind.obstacle))
    func `a call that came while the machine slept rings at once when it wakes up`() throws {
        let home = try blocking { try await PrivateBus(startsServices: false) }
        let logind = try blocking { try await MockedLogind(on: home) }
        town = try ServiceTown(hasTunnel: true)
        let tunnel = try #require(town.tunnel)
        town.environment["DBUS_SYSTEM_BUS_ADDRESS"] = home.address
        _ = keep(try town.startService())
        func holdsLock() throws -> Bool { try blocking { try await logind.locks() }.contains { $0[1] == "Parley" } }
        try town.wait("the lock", until: holdsLock)
        try blocking { try await logind.prepareForSleep(true) }
        try town.wait("the machine to sleep") { try !holdsLock() }
        // A router forgets her connection meanwhile and tells nobody. Who waits for an answer on it would notice after 20 seconds, all
        // others after ten minutes; the last to wait for one leaves a note, ten seconds after the last change.
        let before = try blocking {
            try await tunnel.waitForQuiet(of: .seconds(12))
            await tunnel.freeze()
            return await tunnel.connectionCount
        }
        let ben = try town.benCalls("--audio")
        try town.wait(for: "dialing", of: ben)
        #expect(notifications.shown.count == earlier)
        #expect(try town.reachability == .yes, "the connection was not dead in silence")
        try blocking { try await logind.prepareForSleep(false) }
        let shown = try notification()
        #expect([shown.summary, shown.body] == ["Ben", "Incoming call"])
        #expect(try blocking { await tunnel.connectionCount } > before + 1)
        try notifications.press("accept", of: shown.id)
        try town.wait(for: "firstFrame", of: ben)
        ben.signal(SIGINT)
        #expect(try town.end(of: ben) == 0, "\(ben.errors)")
        try blocking { await tunnel.stop() }
    }

    @Test func `a call rings on after the service was killed`() throws {
        town = try ServiceTown()
        let first = keep(try town.startService())
        let ben = try town.benCalls("--audio")
        _ = try notification()
        first.kill()
        _ = keep(try town.startParley("--service"))
        let shown = try notification(after: 1)
        #expect([shown.summary, shown.body] == ["Ben", "Incoming call"])
        try notifications.press("accept", of: shown.id)
        try town.wait(for: "firstFrame", of: ben)
        try town.call(.active)
        ben.signal(SIGINT)
        #expect(try town.end(of: ben) == 0, "\(ben.errors)")
        #expect(notifications.shown.count == earlier + 2)
    }

    @Test func `a call that was cut off by the service is told after the next start`() throws {
        town = try ServiceTown()
        let first = keep(try town.startService())
        let ben = try takeCall()
        first.kill()
        _ = keep(try town.startParley("--service"))
        let shown = try notification(after: 1)
        #expect(
            [shown.summary, shown.body] == [
                "A call was cut off", "The call with Ben was cut off because Parley ended unexpectedly.",
            ])
        #expect(try town.wait(for: "ended", of: ben)["reason"] as? String == "peerHungUp")
        #expect(notifications.shown.count == earlier + 2)
    }

    @Test func `a call that was cut off is told in the window of the next start`() throws {
        town = try ServiceTown()
        let first = keep(try town.startService())
        _ = try takeCall()
        first.kill()
        let ada = keep(try town.startParley())
        try ada.see("The call with Ben was cut off because Parley ended unexpectedly.")
        ada.screenshot("cut-off")
    }

    @Test func `a call out of here that was cut off is told in the same words`() throws {
        town = try ServiceTown()
        let first = keep(try town.startService())
        let listener = try town.benListens()
        let client = ApplicationClient(bus: town.bus)
        try blocking { try await client.activate() }
        try first.press("Call Ben")
        try town.call(.active)
        first.kill()
        _ = keep(try town.startParley("--service"))
        let shown = try notification()
        #expect(
            [shown.summary, shown.body] == [
                "A call was cut off", "The call with Ben was cut off because Parley ended unexpectedly.",
            ])
        #expect(notifications.shown.count == earlier + 1)
        listener.signal(SIGINT)
        _ = try town.end(of: listener)
    }

    @Test func `a call that came while nothing ran is missed and called back`() throws {
        town = try ServiceTown()
        let ben = try town.benCalls("--audio", "--ring-for", "1")
        #expect(try town.end(of: ben) == 1)
        let listener = try town.benListens()
        let ada = keep(try town.startParley("--service"))
        let missed = try notification()
        #expect([missed.summary, missed.body] == ["Ben", "Missed call"])
        try notifications.press("call-back", of: missed.id)
        try town.call(.active)
        let stop = try town.cli(["service", "stop"])
        #expect(try town.end(of: stop) == 0, "\(stop.errors)")
        #expect(ada.exitStatus() == 0)
        #expect(try town.wait(for: "ended", of: listener)["reason"] as? String == "peerHungUp")
    }

    @Test func `a call that is given up after the service was killed is missed`() throws {
        town = try ServiceTown()
        let first = keep(try town.startService())
        let ben = try town.benCalls("--audio")
        _ = try notification()
        first.kill()
        ben.signal(SIGINT)
        #expect(try town.wait(for: "ended", of: ben)["reason"] as? String == "cancelled")
        #expect(try town.end(of: ben) == 1)
        _ = keep(try town.startParley("--service"))
        try town.wait("the missed call") {
            self.notifications.shown.dropFirst(self.earlier + 1).last?.body == "Missed call"
        }
    }

    @Test func `a service that was started by hand stays when a call is declined in its own window`() throws {
        notifications.answer("GetCapabilities", [.array([.string("body")], of: "s")])
        defer {
            notifications.answer(
                "GetCapabilities",
                [.array(["actions", "body", "body-markup", "persistence"].map(BusValue.string), of: "s")])
        }
        town = try ServiceTown(startsAtLogin: false)
        let ada = keep(try town.startService())
        for _ in 1...2 {
            let ben = try town.benCalls("--audio")
            try town.wait("the window") { try Keyboard.windows(titled: "Ben.*").count == 1 }
            try ada.press("Decline")
            #expect(try town.wait(for: "ended", of: ben)["reason"] as? String == "declinedByPeer")
            #expect(try town.end(of: ben) == 1)
            try town.wait("the window to go") { try Keyboard.windows(titled: "Ben.*").isEmpty }
        }
        #expect(ada.isRunning)
    }

    @Test func `a locked profile is opened in the window, and the call comes`() throws {
        town = try ServiceTown(passphrase: "correct horse")
        let ada = keep(try town.startParley("--service"))
        let shown = try notification()
        #expect(shown.summary == "Parley can’t receive calls yet")
        #expect(try town.reachability == .locked)
        let ben = try town.benCalls("--audio")
        try town.wait(for: "dialing", of: ben)
        let client = ApplicationClient(bus: town.bus)
        try blocking { try await client.activate() }
        try ada.type("battery staple", into: "Passphrase")
        try ada.press("Open")
        try ada.see("The passphrase was wrong.")
        #expect(try town.reachability == .locked)
        try ada.type("correct horse", into: "Passphrase")
        try ada.press("Open")
        try town.waitUntilReachable()
        try ada.see("Incoming call")
        try ada.press("Accept")
        try town.wait(for: "firstFrame", of: ben)
        try town.call(.active)
        ben.signal(SIGINT)
        #expect(try town.end(of: ben) == 0, "\(ben.errors)")
    }

    @Test func `a profile that could not be opened is tried again when the window opens`() throws {
        town = try ServiceTown()
        // Somebody else has it.
        let holder = try town.cli(["listen", "--profile", town.profile, "--key-file", "--json"])
        try town.wait(for: "listening", of: holder)
        let ada = keep(try town.startParley("--service"))
        let shown = try notification()
        #expect(shown.summary == "Parley can’t receive calls yet")
        #expect(try town.reachability == .no)
        holder.signal(SIGTERM)
        _ = try town.end(of: holder)
        #expect(try town.reachability == .no)
        try notifications.press("default", of: shown.id)
        try town.waitUntilReachable()
        try ada.see("Call Ben")
    }

    @Test func `a profile that could not be opened is tried again by the button`() throws {
        town = try ServiceTown()
        let holder = try town.cli(["listen", "--profile", town.profile, "--key-file", "--json"])
        try town.wait(for: "listening", of: holder)
        let ada = keep(try town.startParley())
        try ada.see("Parley can’t start")
        holder.signal(SIGTERM)
        _ = try town.end(of: holder)
        try ada.press("Try Again")
        try ada.see("Call Ben")
        try town.waitUntilReachable()
    }

    @Test func `a window that asks for the passphrase says that the profile is locked`() throws {
        town = try ServiceTown(passphrase: "correct horse")
        let ada = keep(try town.startParley())
        try ada.see("Type your passphrase")
        #expect(try town.reachability == .locked)
        try ada.type("correct horse", into: "Passphrase")
        try ada.press("Open")
        try town.waitUntilReachable()
    }

    @Test func `the command line calls through the service`() throws {
        town = try ServiceTown()
        let ada = keep(try town.startService())
        let status = try town.cli(["service", "status", "--json"])
        #expect(try town.end(of: status) == 0, "\(status.errors)")
        let service = try town.wait(for: "service", of: status)
        #expect(service["state"] as? String == "running")
        #expect(service["process"] as? Int == Int(ada.processIdentifier))
        #expect(service["reachable"] as? Bool == true)

        let listener = try town.benListens()
        let caller = try town.cli(["call", "Ben", "--audio", "--for", "2", "--profile", town.profile, "--json"])
        try ada.see("Call Ben?")
        try ada.press("Call")
        try town.wait(for: "active", of: caller)
        #expect(try town.end(of: caller) == 0, "\(caller.errors)")
        #expect(try town.wait(for: "summary", of: caller)["result"] as? String == "completed")
        #expect(try town.end(of: listener) == 0, "\(listener.errors)")
    }
}
