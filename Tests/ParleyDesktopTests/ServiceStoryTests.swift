import CallControl
import FakeNotifications
import FakePortal
import Portal
import TestSupport
import XCTest

/// Real calls with a Parley that has no window: processes, a relay, and what a person does.
final class ServiceStoryTests: DesktopTestCase {
    private var manager: WindowManager?
    private var town: ServiceTown!
    private var earlier = 0

    override func setUpWithError() throws {
        try super.setUpWithError()
        manager = try WindowManager()
        earlier = notifications.shown.count
    }

    override func tearDown() { (manager, town) = (nil, nil) }

    /// Lets a program end with the test.
    private func keep(_ parley: RunningProgram) -> RunningProgram {
        addTeardownBlock { parley.kill() }
        return parley
    }

    /// Waits for a notification that was not there before; then until it can be pressed.
    private func notification(
        after count: Int = 0, file: StaticString = #filePath, line: UInt = #line
    ) throws -> FakeNotificationServer.Shown {
        try town.wait("a notification", file: file, line: line) {
            self.notifications.shown.count > self.earlier + count
        }
        usleep(1_300_000)  // a person looks first
        return try XCTUnwrap(notifications.shown.last)
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

    func testACallIsTakenInItsNotificationAndEndedByTheCaller() throws {
        town = try ServiceTown()
        let ada = keep(try town.startService())
        XCTAssertEqual(try Keyboard.windows(titled: "Parley"), [])
        let ben = try town.benCalls("--for", "4")
        let shown = try notification()
        XCTAssertEqual([shown.summary, shown.body], ["Ben", "Incoming video call"])
        XCTAssertEqual(try Keyboard.windows(titled: "Parley"), [])
        try notifications.press("accept-audio", of: shown.id)
        try town.wait(for: "firstFrame", of: ben)
        let facts = try town.call(.active)
        XCTAssertEqual([facts.isIncoming, facts.isCameraOn, facts.isMicrophoneOn], [true, false, true])
        XCTAssertTrue(facts.isEncrypted)
        try ada.see("Turn camera on")
        XCTAssertEqual(try town.end(of: ben), 0, ben.errors)
        XCTAssertEqual(try town.wait(for: "summary", of: ben)["result"] as? String, "completed")
        XCTAssertEqual(try town.call(.ended).endReason, "peerHungUp")
        try ada.see("The other person ended the call.")
        XCTAssertTrue(notifications.closed.contains(shown.id))
    }

    func testAMissedCallIsCalledBackAfterAnotherStart() throws {
        town = try ServiceTown()
        var ada = keep(try town.startService())
        let ben = try town.benCalls("--audio", "--ring-for", "4")
        let contact = try town.call(.ringing).contact
        _ = try notification()
        XCTAssertEqual(try town.end(of: ben), 1)
        let missed = try notification(after: 1)
        XCTAssertEqual([missed.summary, missed.body], ["Ben", "Missed call"])
        let stop = try town.cli(["service", "stop"])
        XCTAssertEqual(try town.end(of: stop), 0, stop.errors)
        XCTAssertEqual(ada.exitStatus(), 0)

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
        XCTAssertEqual(try town.end(of: listener), 0, listener.errors)
        // The second one is left for whoever reads it after the program's end.
        let left = try XCTUnwrap(notifications.shown.last)
        XCTAssertEqual([left.summary, left.body], ["Ben", "Missed call"])
        XCTAssertEqual([left.replaces, UInt32(left.actions.count)], [missed.id, 0])
        XCTAssertEqual(notifications.shown.count, earlier + 3, "the missed call was told again")
    }

    func testACallIsEndedBeforeTheMachineSleepsAndTheNextOneComes() throws {
        if let obstacle = MockedLogind.obstacle { try skip(needing: obstacle) }
        let home = try blocking { try await PrivateBus(startsServices: false) }
        let logind = try blocking { try await MockedLogind(on: home) }
        town = try ServiceTown()
        town.environment["DBUS_SYSTEM_BUS_ADDRESS"] = home.address
        _ = keep(try town.startService())
        func holdsLock() throws -> Bool { try blocking { try await logind.locks() }.contains { $0[1] == "Parley" } }
        try town.wait("the lock", until: holdsLock)
        let ben = try takeCall()
        try blocking { try await logind.prepareForSleep(true) }
        XCTAssertEqual(try town.wait(for: "ended", of: ben)["reason"] as? String, "peerHungUp")
        XCTAssertEqual(try town.end(of: ben), 0, ben.errors)
        try town.wait("the machine to sleep") { try !holdsLock() }
        try blocking { try await logind.prepareForSleep(false) }
        try town.wait("the lock", until: holdsLock)
        try town.waitUntilReachable()
        // Her window has the focus now, and shows the call instead of a notification.
        let again = try town.benCalls("--audio")
        try town.accept(try town.call(.ringing))
        try town.wait(for: "firstFrame", of: again)
        again.signal(SIGINT)
        XCTAssertEqual(try town.end(of: again), 0, again.errors)
    }

    func testACallRingsOnAfterTheServiceWasKilled() throws {
        town = try ServiceTown()
        let first = keep(try town.startService())
        let ben = try town.benCalls("--audio")
        _ = try notification()
        first.kill()
        _ = keep(try town.startParley("--service"))
        let shown = try notification(after: 1)
        XCTAssertEqual([shown.summary, shown.body], ["Ben", "Incoming call"])
        try notifications.press("accept", of: shown.id)
        try town.wait(for: "firstFrame", of: ben)
        try town.call(.active)
        ben.signal(SIGINT)
        XCTAssertEqual(try town.end(of: ben), 0, ben.errors)
        XCTAssertEqual(notifications.shown.count, earlier + 2)
    }

    func testACallThatWasCutOffByTheServiceIsToldAfterTheNextStart() throws {
        town = try ServiceTown()
        let first = keep(try town.startService())
        let ben = try takeCall()
        first.kill()
        _ = keep(try town.startParley("--service"))
        let shown = try notification(after: 1)
        XCTAssertEqual(
            [shown.summary, shown.body],
            ["A call was cut off", "The call with Ben was cut off because Parley ended unexpectedly."])
        XCTAssertEqual(try town.wait(for: "ended", of: ben)["reason"] as? String, "peerHungUp")
        XCTAssertEqual(notifications.shown.count, earlier + 2)
    }

    func testACallOutOfHereThatWasCutOffIsToldInTheSameWords() throws {
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
        XCTAssertEqual(
            [shown.summary, shown.body],
            ["A call was cut off", "The call with Ben was cut off because Parley ended unexpectedly."])
        XCTAssertEqual(notifications.shown.count, earlier + 1)
        listener.signal(SIGINT)
        _ = try town.end(of: listener)
    }

    func testACallThatCameWhileNothingRanIsMissedAndCalledBack() throws {
        town = try ServiceTown()
        let ben = try town.benCalls("--audio", "--ring-for", "1")
        XCTAssertEqual(try town.end(of: ben), 1)
        let listener = try town.benListens()
        let ada = keep(try town.startParley("--service"))
        let missed = try notification()
        XCTAssertEqual([missed.summary, missed.body], ["Ben", "Missed call"])
        try notifications.press("call-back", of: missed.id)
        try town.call(.active)
        let stop = try town.cli(["service", "stop"])
        XCTAssertEqual(try town.end(of: stop), 0, stop.errors)
        XCTAssertEqual(ada.exitStatus(), 0)
        XCTAssertEqual(try town.wait(for: "ended", of: listener)["reason"] as? String, "peerHungUp")
    }

    func testACallThatIsGivenUpAfterTheServiceWasKilledIsMissed() throws {
        town = try ServiceTown()
        let first = keep(try town.startService())
        let ben = try town.benCalls("--audio")
        _ = try notification()
        first.kill()
        ben.signal(SIGINT)
        XCTAssertEqual(try town.wait(for: "ended", of: ben)["reason"] as? String, "cancelled")
        XCTAssertEqual(try town.end(of: ben), 1)
        _ = keep(try town.startParley("--service"))
        try town.wait("the missed call") {
            self.notifications.shown.dropFirst(self.earlier + 1).last?.body == "Missed call"
        }
    }

    func testAServiceThatWasStartedByHandStaysWhenACallIsDeclinedInItsOwnWindow() throws {
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
            XCTAssertEqual(try town.wait(for: "ended", of: ben)["reason"] as? String, "declinedByPeer")
            XCTAssertEqual(try town.end(of: ben), 1)
            try town.wait("the window to go") { try Keyboard.windows(titled: "Ben.*").isEmpty }
        }
        XCTAssertTrue(ada.isRunning)
    }

    func testALockedProfileIsOpenedInTheWindowAndTheCallComes() throws {
        town = try ServiceTown(passphrase: "correct horse")
        let ada = keep(try town.startParley("--service"))
        let shown = try notification()
        XCTAssertEqual(shown.summary, "Parley can’t receive calls yet")
        XCTAssertEqual(try town.reachability, .locked)
        let ben = try town.benCalls("--audio")
        try town.wait(for: "dialing", of: ben)
        let client = ApplicationClient(bus: town.bus)
        try blocking { try await client.activate() }
        try ada.type("battery staple", into: "Passphrase")
        try ada.press("Open")
        try ada.see("The passphrase was wrong.")
        XCTAssertEqual(try town.reachability, .locked)
        try ada.type("correct horse", into: "Passphrase")
        try ada.press("Open")
        try town.waitUntilReachable()
        try ada.see("Incoming call")
        try ada.press("Accept")
        try town.wait(for: "firstFrame", of: ben)
        try town.call(.active)
        ben.signal(SIGINT)
        XCTAssertEqual(try town.end(of: ben), 0, ben.errors)
    }

    func testAProfileThatCouldNotBeOpenedIsTriedAgainWhenTheWindowOpens() throws {
        town = try ServiceTown()
        // Somebody else has it.
        let holder = try town.cli(["listen", "--profile", town.profile, "--key-file", "--json"])
        try town.wait(for: "listening", of: holder)
        let ada = keep(try town.startParley("--service"))
        let shown = try notification()
        XCTAssertEqual(shown.summary, "Parley can’t receive calls yet")
        XCTAssertEqual(try town.reachability, .no)
        holder.signal(SIGTERM)
        _ = try town.end(of: holder)
        XCTAssertEqual(try town.reachability, .no)
        try notifications.press("default", of: shown.id)
        try town.waitUntilReachable()
        try ada.see("Call Ben")
    }

    func testAProfileThatCouldNotBeOpenedIsTriedAgainByTheButton() throws {
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

    func testAWindowThatAsksForThePassphraseSaysThatTheProfileIsLocked() throws {
        town = try ServiceTown(passphrase: "correct horse")
        let ada = keep(try town.startParley())
        try ada.see("Type your passphrase")
        XCTAssertEqual(try town.reachability, .locked)
        try ada.type("correct horse", into: "Passphrase")
        try ada.press("Open")
        try town.waitUntilReachable()
    }

    func testTheCommandLineCallsThroughTheService() throws {
        town = try ServiceTown()
        let ada = keep(try town.startService())
        let status = try town.cli(["service", "status", "--json"])
        XCTAssertEqual(try town.end(of: status), 0, status.errors)
        let service = try town.wait(for: "service", of: status)
        XCTAssertEqual(service["state"] as? String, "running")
        XCTAssertEqual(service["process"] as? Int, Int(ada.processIdentifier))
        XCTAssertEqual(service["reachable"] as? Bool, true)

        let listener = try town.benListens()
        let caller = try town.cli(["call", "Ben", "--audio", "--for", "2", "--profile", town.profile, "--json"])
        try ada.see("Call Ben?")
        try ada.press("Call")
        try town.wait(for: "active", of: caller)
        XCTAssertEqual(try town.end(of: caller), 0, caller.errors)
        XCTAssertEqual(try town.wait(for: "summary", of: caller)["result"] as? String, "completed")
        XCTAssertEqual(try town.end(of: listener), 0, listener.errors)
    }
}
