import CallControl
import FakePortal
import Foundation
import Portal
import TestSupport
import Testing

/// `parley-cli log` on profiles of its own, and through whoever has the profile open.
@Suite(.serialized, .timeLimit(.minutes(5))) struct LogProcessTests {
    private func succeed(_ process: ChildProcess) async throws -> ChildProcess {
        #expect(try await process.exitStatus() == 0, "\(process.errors)")
        return process
    }

    @Test func `calls of processes are read, filtered and deleted`() async throws {
        let town = try await Town()
        try await town.introduce("A", "B")
        let none = try await succeed(try town.start(town.profile("A") + ["log"]))
        #expect(none.lines == ["There are no such calls in the log."])
        let callee = try town.start(
            town.profile("B") + ["listen", "--decline", "--json", "--camera", "test", "--microphone", "test"])
        try await callee.event("listening")
        for kind in [["--audio"], []] {
            let caller = try town.start(
                town.profile("A") + ["--camera", "test", "--microphone", "test", "call", "B"] + kind)
            #expect(try await caller.exitStatus() == 1)
        }
        callee.signal(SIGINT)
        _ = try await callee.exitStatus()

        let told = try await succeed(try town.start(town.profile("A") + ["log", "--json"])).events()
        // A relay that is connected in the meantime is told, too.
        let here = told.filter { $0.name == "call" }
        #expect(here.count == 2 && told.allSatisfy { ["call", "relay"].contains($0.name) })
        #expect(here.map { $0["media"] as? String } == ["video", "audio"])
        for call in here {
            #expect(call["contact"] as? String == "B" && call["direction"] as? String == "outgoing")
            #expect(call["result"] as? String == "declined" && call["reason"] as? String == "declinedByPeer")
            #expect(call["missed"] as? Bool == false)
            #expect(try #require(call["started"] as? Int) > 1_600_000_000)
            #expect(call.setup["ringing"] != nil)
        }
        let there = try await succeed(try town.start(town.profile("B") + ["log"]))
        #expect(there.lines.count == 2 && there.lines.allSatisfy { $0.contains("from A") && $0.contains("declined") })

        for (conditions, count) in [
            (["--kind", "video"], 1), (["--outgoing"], 2), (["--incoming"], 0), (["--missed"], 0),
            (["--contact", "B"], 2), (["--text", "b"], 2), (["--text", "x"], 0), (["--result", "declined"], 2),
            (["--since", "1h"], 2), (["--until", "1h"], 0), (["--limit", "1"], 1),
        ] {
            let found = try await succeed(try town.start(town.profile("A") + ["log", "--json"] + conditions))
            #expect(try found.events().count { $0.name == "call" } == count, "\(conditions)")
        }
        let nobody = try town.start(town.profile("A") + ["log", "--contact", "Eve"])
        #expect(try await nobody.exitStatus() == 64)

        let number = try #require(here.last?["number"] as? Int)
        _ = try await succeed(try town.start(town.profile("A") + ["log", "--delete", "\(number)"]))
        let rest = try await succeed(try town.start(town.profile("A") + ["log", "--json"]))
        #expect(try rest.events().map { $0["media"] as? String } == ["video"])
        let deleted = try await succeed(try town.start(town.profile("A") + ["log", "--delete-all", "--json"]))
        #expect(try deleted.events().count { $0.name == "deleted" } == 1)
        #expect(try await succeed(try town.start(town.profile("A") + ["log", "--json"])).lines == [])
    }

    @Test func `the log is read and deleted through whoever has the profile open`() async throws {
        let home = try await PrivateBus(startsServices: false)
        let bus = try await Bus.connect(address: home.address)
        let folder = try TemporaryFolder()
        let lock = open(folder.file("lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(lock) }
        try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
        let service = LogService(bus: bus)
        try await bus.own("im.parley.Parley")
        func run(_ arguments: String...) throws -> ChildProcess {
            try ChildProcess(
                "/usr/bin/env",
                [
                    "DBUS_SESSION_BUS_ADDRESS=\(home.address)", ChildProcess.built("parley-cli"), "log", "--profile",
                    folder.path,
                ]
                    + arguments, folder: folder.path)
        }
        var requests = service.requests.makeAsyncIterator()
        let reading = try run("--json", "--missed", "--contact", "Zoë")
        var query = LogQuery()
        query.onlyMissed = true
        query.contacts = ["Zoë"]
        func facts(_ number: Int64) -> LogFacts {
            LogFacts([
                "number": .number(number), "contact": .text("Zoë"), "direction": .text("incoming"),
                "media": .text("audio"), "result": .text("noAnswer"), "started": .number(1_700_000_000),
                "missed": .flag(true), "setup": .numbers(["ringing": 0]),
            ])
        }
        let first = try #require(await requests.next())
        #expect(first.request == .list(query, limit: 500, before: .max))
        first.finish(.calls([facts(9)], next: 9))
        let second = try #require(await requests.next())
        #expect(second.request == .list(query, limit: 500, before: 9))
        second.finish(.calls([facts(4)], next: 0))
        #expect(try await reading.exitStatus() == 0, "\(reading.errors)")
        #expect(try reading.events().map { $0["number"] as? Int } == [9, 4])

        let plain = try run()
        await requests.next()?.finish(.calls([facts(9)], next: 0))
        #expect(try await plain.exitStatus() == 0)
        #expect(plain.lines.count == 1 && plain.lines[0].hasSuffix("from Zoë (sound): missed"), "\(plain.lines)")

        let deleting = try run("--delete", "9", "--delete", "4")
        let delete = try #require(await requests.next())
        #expect(delete.request == .delete([9, 4]))
        delete.finish(.done)
        #expect(try await deleting.exitStatus() == 0, "\(deleting.errors)")
        let refused = try run("--delete-all")
        await requests.next()?.finish(.refused(.disabled))
        #expect(try await refused.exitStatus() == 1)
        #expect(refused.errors.contains("Other programs may not control calls"), "\(refused.errors)")
    }
}
