import BaseKit
import Foundation
import SFURules
import Signaling
import Synchronization
import TestSupport
import TestTunnels
import Testing

@testable import SFU

/// Against a running Janus.
@Suite(.timeLimit(.minutes(5)), .needs(JanusServer.obstacle)) struct JanusTests {
    private let plan = SFURoomPlan.random()

    @Test func `a room is made, entered, left and closed`() async throws {
        let town = try await JanusTown()
        let anna = try town.person()
        let info = try await anna.client.connect()
        #expect(info.version.split(separator: ".").count == 3)
        #expect(try await anna.client.exists(plan.room.number) == false)
        try await anna.client.makeRoom(plan)
        #expect(try await anna.client.exists(plan.room.number))
        try await anna.client.join(plan.room, as: anna.feed)
        #expect(try await anna.client.participants(of: plan.room.number).map(\.feed) == [anna.feed])
        try await anna.client.leave(anna.feed.id)
        // It answers before it has forgotten who was there.
        try await waitUntil("nobody is there") { try await anna.client.participants(of: plan.room.number) == [] }
        // A second time, on a handle of its own.
        try await anna.client.join(plan.room, as: SFUFeed(id: .random(), display: ""))
        try await anna.client.destroyRoom(plan.room.number, secret: plan.secret)
        try await anna.heard(.roomDestroyed)
        #expect(try await anna.client.exists(plan.room.number) == false)
        #expect(await anna.client.counts.unreadable == 0)
    }

    @Test func `a server that asks for no token takes one who has none`() async throws {
        let town = try await JanusTown(token: nil)
        let anna = try town.person()
        try await anna.client.makeRoom(plan)
        try await anna.client.join(plan.room, as: anna.feed)
    }

    @Test func `a feed is heard of when it comes and goes, and by who comes later`() async throws {
        let town = try await JanusTown()
        let authority = try TestAuthority(town.folder.path)
        let (anna, ben, cleo) = (try town.person(), try town.person(), try town.person())
        try await anna.client.makeRoom(plan)
        try await ben.client.join(plan.room, as: ben.feed)
        let peer = try await anna.publish(in: plan.room, authority)
        try await ben.heard(.feedCame(anna.feed))
        try await cleo.client.join(plan.room, as: cleo.feed)
        try await cleo.heard(.feedCame(anna.feed))
        let offer = try await cleo.client.subscribe(anna.feed.id)
        #expect(offer.contains("m=audio") && offer.contains("m=video"))
        try await cleo.client.configure(anna.feed.id, SFUFeedChoice(substream: 0, temporal: 0, isVideoSent: false))
        try await cleo.client.unsubscribe(anna.feed.id)
        try await anna.client.leave(anna.feed.id)
        try await ben.heard(.feedWent(anna.feed.id))
        try await cleo.heard(.feedWent(anna.feed.id))
        peer.stop()
    }

    @Test func `who is put out is told so, and others hear that the feed went`() async throws {
        let town = try await JanusTown()
        let authority = try TestAuthority(town.folder.path)
        let (anna, ben) = (try town.person(), try town.person())
        try await anna.client.makeRoom(plan)
        try await anna.client.join(plan.room, as: anna.feed)
        let peer = try await ben.publish(in: plan.room, authority)
        try await anna.heard(.feedCame(ben.feed))
        try await anna.client.kick(ben.feed.id, from: plan.room.number, secret: plan.secret)
        try await ben.heard(.removed)
        try await anna.heard(.feedWent(ben.feed.id))
        peer.stop()
    }

    @Test func `a room that is locked anew keeps who is in and lets nobody in by what was before`() async throws {
        let town = try await JanusTown()
        let authority = try TestAuthority(town.folder.path)
        let (anna, ben, cleo) = (try town.person(), try town.person(), try town.person())
        try await anna.client.makeRoom(plan)
        try await ben.client.join(plan.room, as: ben.feed)
        let lock = SFURoomLock.random()
        try await anna.client.lockRoom(plan.room.number, secret: plan.secret, lock)
        await #expect(throws: SFUError.wrongPin) { try await cleo.client.join(plan.room, as: cleo.feed) }
        await #expect(throws: SFUError.wrongSecret) {
            try await anna.client.destroyRoom(plan.room.number, secret: plan.secret)
        }
        let peer = try await anna.publish(in: SFURoom(number: plan.room.number, pin: lock.pin), authority)
        try await ben.heard(.feedCame(anna.feed))
        await #expect(throws: SFUError.wrongPin) { try await ben.client.subscribe(anna.feed.id) }
        await ben.client.use(pin: lock.pin, of: plan.room.number)
        #expect(try await ben.client.subscribe(anna.feed.id).contains("m=video"))
        try await anna.client.destroyRoom(plan.room.number, secret: lock.secret)
        peer.stop()
    }

    @Test func `an offer is answered, and candidates are taken`() async throws {
        let town = try await JanusTown()
        let anna = try town.person()
        try await anna.client.makeRoom(plan)
        try await anna.client.join(plan.room, as: anna.feed)
        let peer = try BarePeer(TestAuthority(town.folder.path))
        let answer = try await anna.client.publish(peer.offer, as: anna.feed.id)
        #expect(answer.hasPrefix("v=0") && answer.contains("a=setup:active"))
        let candidate = SFUCandidate(text: "candidate:9 1 udp 1 192.0.2.9 9 typ host", mid: "0", index: 0)
        try await anna.client.addCandidates([candidate], for: .own(anna.feed.id), isComplete: true)
    }

    // MARK: What is refused

    @Test func `a wrong PIN and none are told as such`() async throws {
        let town = try await JanusTown()
        let anna = try town.person()
        try await anna.client.makeRoom(plan)
        for pin in [SecretText("wrong"), nil] {
            await #expect(throws: SFUError.wrongPin) {
                try await anna.client.join(SFURoom(number: plan.room.number, pin: pin), as: anna.feed)
            }
        }
        try await anna.client.join(plan.room, as: anna.feed)
    }

    @Test func `a token that the server does not know is told as such`() async throws {
        let town = try await JanusTown()
        for keys in [SFUKeys(tokenSecret: SecretText("other")), SFUKeys()] {
            let stranger = try town.person(keys: keys)
            await #expect(throws: SFUError.unauthorized) { try await stranger.client.connect() }
        }
    }

    @Test func `rooms are made only with the key, and once`() async throws {
        let town = try await JanusTown()
        for key in [SecretText("wrong"), nil] {
            let stranger = try town.person(keys: SFUKeys(roomKey: key, tokenSecret: SecretText("test")))
            await #expect(throws: SFUError.mayNotMakeRooms) { try await stranger.client.makeRoom(plan) }
        }
        let anna = try town.person()
        try await anna.client.makeRoom(plan)
        await #expect(throws: SFUError.roomExists) { try await anna.client.makeRoom(plan) }
    }

    @Test func `what is not there, or belongs to somebody, is told as such`() async throws {
        let town = try await JanusTown()
        let (anna, ben) = (try town.person(), try town.person())
        try await anna.client.makeRoom(plan)
        try await anna.client.join(plan.room, as: anna.feed)
        await #expect(throws: SFUError.feedTaken) { try await ben.client.join(plan.room, as: anna.feed) }
        await #expect(throws: SFUError.noSuchRoom) {
            try await ben.client.join(SFURoom(number: .random(), pin: nil), as: ben.feed)
        }
        await #expect(throws: SFUError.noSuchFeed) { try await anna.client.subscribe(.random()) }
        await #expect(throws: SFUError.wrongSecret) {
            try await ben.client.destroyRoom(plan.room.number, secret: SecretText("wrong"))
        }
    }

    @Test func `a full room takes whoever only receives, and a place that is left can be had`() async throws {
        let town = try await JanusTown()
        var plan = plan
        plan.publishers = 1
        let authority = try TestAuthority(town.folder.path)
        let (anna, ben) = (try town.person(), try town.person())
        try await anna.client.makeRoom(plan)
        let peer = try await anna.publish(in: plan.room, authority)
        try await ben.client.join(plan.room, as: ben.feed)
        let other = try BarePeer(authority)
        await #expect(throws: SFUError.roomFull) { try await ben.client.publish(other.offer, as: ben.feed.id) }
        try await ben.heard(.feedCame(anna.feed))
        peer.stop()
    }

    @Test func `a description that is none is told as such`() async throws {
        let town = try await JanusTown()
        let anna = try town.person()
        try await anna.client.makeRoom(plan)
        try await anna.client.join(plan.room, as: anna.feed)
        await #expect(throws: SFUError.invalidDescription) {
            try await anna.client.publish("nothing", as: anna.feed.id)
        }
    }

    // MARK: When it fails

    @Test func `a connection that is cut is claimed, and who went meanwhile is found`() async throws {
        let town = try await JanusTown()
        let authority = try TestAuthority(town.folder.path)
        let tunnel = CuttingProxy(target: Int(town.server.port))
        try await tunnel.start()
        let (anna, ben, cleo) = (try await town.person(port: tunnel.port), try town.person(), try town.person())
        try await anna.client.makeRoom(plan)
        try await anna.client.join(plan.room, as: anna.feed)
        let benPeer = try await ben.publish(in: plan.room, authority)
        try await anna.heard(.feedCame(ben.feed))
        await tunnel.block()
        try await waitUntil("the loss is seen") { anna.events.contains { if case .lost = $0 { true } else { false } } }
        let cleoPeer = try await cleo.publish(in: plan.room, authority)
        await ben.client.close()
        try await waitUntil("Ben is gone") {
            try await cleo.client.participants(of: plan.room.number).map(\.feed.id).contains(ben.feed.id) == false
        }
        await tunnel.mend()
        try await anna.heard(.restored(.claimed))
        try await anna.heard(.feedWent(ben.feed.id))
        try await anna.heard(.feedCame(cleo.feed))
        #expect(!anna.events.contains(.removed))
        benPeer.stop()
        cleoPeer.stop()
        await tunnel.stop()
    }

    @Test func `a connection that comes back too late has a new session, and joins anew`() async throws {
        let town = try await JanusTown(patience: .init(reclaim: 1))
        let tunnel = CuttingProxy(target: Int(town.server.port))
        try await tunnel.start()
        let (anna, ben) = (try await town.person(port: tunnel.port), try town.person())
        try await anna.client.makeRoom(plan)
        try await anna.client.join(plan.room, as: anna.feed)
        await tunnel.block()
        try await waitUntil("the server has given Anna up") {
            try await ben.client.participants(of: plan.room.number).isEmpty
        }
        await tunnel.mend()
        try await anna.heard(.restored(.anew))
        await #expect(throws: SFUError.notJoined) { try await anna.client.publish("v=0", as: anna.feed.id) }
        try await anna.client.join(plan.room, as: SFUFeed(id: .random(), display: ""))
        await tunnel.stop()
    }

    @Test func `a server that was killed and starts again has no room any more`() async throws {
        let town = try await JanusTown()
        let anna = try town.person()
        try await anna.client.makeRoom(plan)
        try await anna.client.join(plan.room, as: anna.feed)
        try await town.server.kill()
        try await waitUntil("the loss is seen") { anna.events.contains { if case .lost = $0 { true } else { false } } }
        let again = try await JanusServer(
            town.folder, port: town.server.port, keys: .init(token: "test"))
        try await anna.heard(.restored(.anew))
        await #expect(throws: SFUError.noSuchRoom) {
            try await anna.client.join(plan.room, as: SFUFeed(id: .random(), display: ""))
        }
        try await anna.client.makeRoom(plan)
        #expect(again.port == town.server.port)
    }

    @Test func `who is closed goes from the room at once`() async throws {
        let town = try await JanusTown()
        let (anna, ben) = (try town.person(), try town.person())
        try await anna.client.makeRoom(plan)
        try await anna.client.join(plan.room, as: anna.feed)
        try await ben.client.join(plan.room, as: ben.feed)
        await anna.client.close()
        // Long before the 20 seconds that a session without a connection is kept.
        try await waitUntil("Anna is gone", within: .seconds(10)) {
            try await ben.client.participants(of: plan.room.number).map(\.feed) == [ben.feed]
        }
        await #expect(throws: SFUError.closed) { try await anna.client.exists(plan.room.number) }
    }

    // MARK: Trying a server

    @Test func `a server is tried step by step`() async throws {
        let town = try await JanusTown()
        let steps = Mutex<[SFUTest.Step]>([])
        try await SFUTest.run(try SFUAddress(parsing: town.server.address), keys: town.keys) { step in
            steps.withLock { $0.append(step) }
        }
        let done = steps.withLock { $0 }
        #expect(done.count == 6)
        guard case .connected(let milliseconds)? = done.first else {
            Issue.record("not connected")
            return
        }
        #expect(milliseconds >= 0)
        #expect(done.dropFirst(2) == [.admitted, .roomMade, .joined, .roomDestroyed])
    }

    @Test func `what else is tried has the room between joining and closing, and is awaited until it has left`()
        async throws
    {
        let town = try await JanusTown()
        let address = try SFUAddress(parsing: town.server.address)
        let steps = Mutex<[SFUTest.Step]>([])
        let known = Mutex<SFURoom?>(nil)
        let ben = try town.person()
        let hasLeft = Shared(false)
        try await SFUTest.run(
            address, keys: town.keys,
            inRoom: { room, token in
                #expect(steps.withLock { $0.last } == .joined)
                #expect(token != nil)
                known.withLock { $0 = room }
                do {
                    try await ben.client.join(room, as: ben.feed)
                    #expect(try await ben.client.participants(of: room.number).count == 2)
                } catch {
                    Issue.record(error)
                }
                // As one who leaves: not heard of at once.
                Task {
                    try? await Task.sleep(for: .milliseconds(500))
                    hasLeft.value = true
                    await ben.client.close()
                }
            },
            report: { step in
                if step == .roomDestroyed { #expect(hasLeft.value) }
                steps.withLock { $0.append(step) }
            })
        #expect(steps.withLock { $0.suffix(2) } == [.joined, .roomDestroyed])
        let room = try #require(known.withLock { $0 })
        #expect(try await town.person().client.exists(room.number) == false)
    }

    @Test func `a test says how far it came`() async throws {
        let town = try await JanusTown()
        let steps = Mutex<[SFUTest.Step]>([])
        await #expect(throws: SFUError.unauthorized) {
            try await SFUTest.run(try SFUAddress(parsing: town.server.address), keys: SFUKeys()) { step in
                steps.withLock { $0.append(step) }
            }
        }
        #expect(steps.withLock { $0.count } == 2)
        await #expect(throws: SFUError.mayNotMakeRooms) {
            try await SFUTest.run(
                try SFUAddress(parsing: town.server.address), keys: SFUKeys(tokenSecret: SecretText("test"))
            ) { _ in }
        }
    }

    @Test func `a Janus without rooms is told as such`() async throws {
        let folder = try TemporaryFolder()
        let server = try await JanusServer(folder, rooms: false)
        await #expect(throws: SFUError.noVideoRoom) {
            try await SFUTest.run(try SFUAddress(parsing: server.address), keys: SFUKeys()) { _ in }
        }
    }
}
