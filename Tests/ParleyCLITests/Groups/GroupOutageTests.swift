import BaseKit
import Foundation
import NetworkEmulation
import TestSupport
import Testing

/// Calls of several real programs of whom one loses a part of its network, or two lose each other.
@Suite(.needs(JanusServer.obstacle ?? NetworkEmulator.obstacle), .serialized, .timeLimit(.minutes(5)))
struct GroupOutageTests {
    /// A and B on one machine with relay and Janus, C on another, in a room; all are seen and heard by each.
    private static func callOfThree() async throws -> (
        wire: GroupWire, a: ChildProcess, b: ChildProcess, c: ChildProcess
    ) {
        let wire = try await GroupWire(["B", "C"], away: ["C"])
        let (b, c) = (try await wire.listen("B"), try await wire.listen("C"))
        let a = try wire.call(["B", "C"], overJanus: true)
        for process in [a, b, c] { try await process.isInRoom(with: 2) }
        for process in [a, b, c] { try await process.counts(2) }
        return (wire, a, b, c)
    }

    @Test
    func `of one whose signaling to the server is cut media go on, it takes up its session again, and nobody notices`()
        async throws
    {
        let (wire, a, b, c) = try await Self.callOfThree()
        func sessions() -> Int { wire.janus.log.count { $0.contains("Creating new session") } }
        func losses() -> Int { wire.janus.log.count { $0.contains("Destroying WebSocket client") } }
        let (all, before, lost) = ([a, b, c], sessions(), losses())
        let marks = all.map(\.lines.count)
        try wire.cutSignaling()
        try await waitUntil("the server notices") { losses() == lost + 1 }
        // Longer than the watchdog waits. On a machine that is behind, pictures may have been asked for no more, and can't be asked for now.
        try await Task.sleep(for: .seconds(5))
        try await c.countsMore(2, pictures: 0, sounds: 50)
        try wire.mendSignaling()
        // Longer than the server waits for the session to be claimed.
        try await Task.sleep(for: .seconds(GroupWire.reclaim + 2))
        try await c.countsMore(2, pictures: 0, sounds: 50)
        for process in all { try await process.countsMore(2) }
        #expect(sessions() == before)
        #expect(losses() == lost + 1)
        #expect(!wire.janus.log.contains { $0.contains("Timeout expired for session") })
        for (process, mark) in zip(all, marks) {
            let news = try process.events().dropFirst(mark)
            let changes = news.filter { ["member", "memberRoom", "groupRoom", "groupStage"].contains($0.name) }
            #expect(changes.map(\.line) == [])
            #expect(news.allSatisfy { $0["refused"] as? Int ?? 0 == 0 })
        }
        for process in [b, c, a] { try await process.leave() }
    }

    @Test func `one whose network is cut shows so after four seconds and comes back, and the others go on`()
        async throws
    {
        let (wire, a, b, c) = try await Self.callOfThree()
        // Longer than ways beside the room stay.
        try await c.countsMore(2, sounds: 300)
        let (first, second, third) = (a.lines.count, b.lines.count, c.lines.count)
        let cut = Instant.now
        wire.town.emulator.cut()
        for name in ["A", "B"] { try await c.member(name, is: "reconnecting") }
        // The last packet came a little before.
        #expect(Instant.now - cut > .seconds(3))
        // The server is found to be lost by as long a watch; ways from it that are given up would show the same four seconds later.
        try await waitUntil("the server is lost") { try c.rooms(since: third).contains("lost") }
        let times = try c.events().dropFirst(third).filter { ["member", "groupRoom"].contains($0.name) }
            .compactMap { $0["t"] as? Int }
        #expect(try #require(times.max()) - #require(times.min()) < 3_000)
        for process in [a, b] { try await process.member("C", is: "reconnecting") }
        for process in [a, b] { try await process.countsMore(1) }
        wire.town.emulator.restore()
        for process in [a, b, c] { try await process.hears(2) }
        for process in [a, b, c] { try await process.isInRoom(with: 2) }
        for process in [a, b, c] { try await process.countsMore(2) }
        #expect(try a.stages(of: "B", since: first) == [])
        #expect(try b.stages(of: "A", since: second) == [])
        for process in [a, b] { #expect(try !process.stages(of: "C").contains("left")) }
        for process in [b, c, a] { try await process.leave() }
    }

    @Test func `pictures that a narrow way has no room for come back when it is wide again, and sound goes on`()
        async throws
    {
        let (wire, a, b, c) = try await Self.callOfThree()
        // To C, who is asked for nothing less: what it sends goes on as before.
        let narrow = LinkCondition(delay: 20, rate: 120_000, queue: 500)
        wire.town.emulator.change(to: .init(from: 0, forward: LinkCondition(), backward: narrow))
        try await waitUntil("no pictures come to C") { try c.picturesStand(for: 5, of: 2) }
        try await c.countsMore(2, pictures: 0, sounds: 20)
        wire.town.emulator.change(to: .init(from: 0, forward: LinkCondition(), backward: LinkCondition()))
        try await c.countsMore(2)
        for process in [b, c, a] { try await process.leave() }
    }

    @Test func `one who comes to another network is in the room again by its new address, and the others go on`()
        async throws
    {
        let (wire, a, b, c) = try await Self.callOfThree()
        // Longer than ways beside the room stay.
        try await c.countsMore(2, sounds: 300)
        let (first, second, third) = (a.lines.count, b.lines.count, c.lines.count)
        _ = try wire.town.emulator.move(wire.town.emulator.first, to: 9)
        // What was on its way when the address went is less than a second.
        for process in [a, b, c] { try await process.countsMore(2, sounds: 100) }
        for process in [a, b, c] { try await process.hears(2) }
        for process in [a, b, c] { try await process.isInRoom(with: 2) }
        // By the session that it had: told of the change, it does not wait until the room is given up.
        #expect(try !c.rooms(since: third).contains("none"))
        #expect(try a.stages(of: "B", since: first) == [])
        #expect(try b.stages(of: "A", since: second) == [])
        for process in [a, b] { #expect(try !process.stages(of: "C").contains("left")) }
        for process in [b, c, a] { try await process.leave() }
    }

    @Test func `two halves of a call that go on with a list each come to one when they meet again`() async throws {
        let wire = try await GroupWire(["B", "C", "D"], away: ["C", "D"], hasRelay: true)
        var all: [String: ChildProcess] = [:]
        for name in ["B", "C", "D"] { all[name] = try await wire.listen(name) }
        all["A"] = try wire.call(["B", "C", "D"], overJanus: false)
        for process in all.values { try await process.hears(3) }
        for process in all.values { try await process.counts(3) }
        wire.town.emulator.cut()
        for (here, there) in [("AB", "CD"), ("CD", "AB")] {
            for one in here {
                for other in there { try await all[String(one)]?.member(String(other), is: "left") }
            }
        }
        // Each half has a host, and its members go on.
        #expect(Set(try all.map { try $0.value.host(as: $0.key) }).count == 2)
        for process in all.values { try await process.countsMore(1) }
        wire.town.emulator.restore()
        for process in all.values { try await process.hears(3) }
        for process in all.values { try await process.countsMore(3) }
        #expect(Set(try all.map { try $0.value.host(as: $0.key) }).count == 1)
        for process in all.values { try await process.leave() }
    }
}
