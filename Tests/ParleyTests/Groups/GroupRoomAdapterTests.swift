import Calling
import Cryptography
import MediaRules
import SFU
import SFURules
import Signaling
import TestSupport
import Testing

@testable import Parley

/// Rooms of calls on a real call server.
@Suite(.timeLimit(.minutes(5)), .needs(JanusServer.obstacle)) struct GroupRoomAdapterTests {
    private static func adapter(_ janus: JanusServer, key: String?) throws -> (GroupRoomAdapter, SFUAddress) {
        let address = try SFUAddress(parsing: janus.address)
        let box = GroupServerBox()
        let keys = SFUKeys(
            roomKey: key.map { SecretText($0) }, tokenSecret: janus.keys.token.map { SecretText($0) })
        box.value = GroupServer(address: address, keys: keys)
        return (GroupRoomAdapter(server: box), address)
    }

    private static func exists(_ room: GroupRoom, _ address: SFUAddress) async throws -> Bool {
        let client = SFURoomClient(address: address, keys: SFUKeys(token: room.token))
        let number = try #require(SFUNumber(room.room))
        let exists = try await client.exists(number)
        await client.close()
        return exists
    }

    @Test func `a room is made with a token for all, and closed by its secret alone`() async throws {
        let folder = try TemporaryFolder()
        let janus = try await JanusServer(folder, keys: JanusServer.Keys(room: "create", token: "hush"))
        defer { janus.stop() }
        let (adapter, address) = try Self.adapter(janus, key: "create")
        let room = try await adapter.make(3)
        #expect(room.number == 3)
        #expect(room.token != nil && room.pin != nil && room.feeds.count == GroupRoom.feedsCount)
        #expect(try await Self.exists(room, address))
        var stranger = room
        stranger.secret = SecretText("guess")
        await adapter.close(stranger)
        #expect(try await Self.exists(room, address))
        // Whoever it was handed over to has nothing but what the room says.
        await GroupRoomAdapter(server: GroupServerBox()).close(room)
        #expect(try await !Self.exists(room, address))
    }

    @Test func `a server that makes rooms for others alone says so`() async throws {
        let folder = try TemporaryFolder()
        let janus = try await JanusServer(folder)
        defer { janus.stop() }
        let (adapter, _) = try Self.adapter(janus, key: "wrong")
        await #expect(throws: SFUError.mayNotMakeRooms) { try await adapter.make(1) }
    }

    @Test func `another token is made for a room on the own server alone, and the server takes it`() async throws {
        let folder = try TemporaryFolder()
        let janus = try await JanusServer(folder, keys: JanusServer.Keys(room: "create", token: "hush"))
        defer { janus.stop() }
        let (adapter, address) = try Self.adapter(janus, key: "create")
        var room = try await adapter.make(1)
        room.token = await adapter.renewToken(for: room)
        #expect(room.token != nil)
        #expect(try await Self.exists(room, address))
        var foreign = room
        foreign.address = "wss://sfu.example/"
        #expect(await adapter.renewToken(for: foreign) == nil)
        #expect(await GroupRoomAdapter(server: GroupServerBox()).renewToken(for: room) == nil)
        await adapter.close(room)
    }

    @Test func `who is put out is in the room no more and does not come back`() async throws {
        let folder = try TemporaryFolder()
        let janus = try await JanusServer(folder, keys: JanusServer.Keys(room: "create", token: "hush"))
        defer { janus.stop() }
        let (adapter, address) = try Self.adapter(janus, key: "create")
        var room = try await adapter.make(1)
        let number = try #require(SFUNumber(room.room))
        var clients: [SFURoomClient] = []
        // The last one under a name that no member of the call has made.
        for member in [UInt8(2), 3, 4] {
            let feed = SFUNumber.random()
            let name = FeedName(of: member, feed: FeedID(UInt64(feed.value)), key: room.feeds)
            let client = SFURoomClient(address: address, keys: SFUKeys(token: room.token))
            try await client.join(
                SFURoom(number: number, pin: room.pin),
                as: SFUFeed(id: feed, display: member == 4 ? "2.false" : name.display))
            clients.append(client)
        }
        let lock = try await adapter.lock(room, staying: [.first, try #require(MemberNumber(2))])
        try await waitUntil("two have gone") { try await clients[0].participants(of: number).count == 1 }
        let stays = try await clients[0].participants(of: number).first
        #expect(stays?.feed.display.hasPrefix("2.") == true)
        await #expect(throws: SFUError.self) {
            try await clients[1].join(
                SFURoom(number: number, pin: room.pin), as: SFUFeed(id: .random(), display: "3.again"))
        }
        // Nor does it end the room, by what the one that would follow the host was told.
        await adapter.close(room)
        #expect(try await Self.exists(room, address))
        room.secret = lock.secret
        await adapter.close(room)
        #expect(try await !Self.exists(room, address))
        for client in clients { await client.close() }
    }

    @Test func `a server is used for calls that need it, or for all`() throws {
        let box = GroupServerBox()
        let adapter = GroupRoomAdapter(server: box)
        #expect(adapter.use == .never)
        box.value = GroupServer(address: try SFUAddress(parsing: "wss://sfu.example/"))
        #expect(adapter.use == .whenNeeded)
        box.value?.isAlwaysUsed = true
        #expect(adapter.use == .always)
    }
}
