import Calling
import Cryptography
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
