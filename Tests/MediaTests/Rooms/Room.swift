import Cryptography
import SFU
import SFUPort
import SFURules
import Signaling
import TestSupport
import TestTunnels
import Testing

@testable import Media
@testable import MediaRules

/// A room of a real server with the members of a mesh in it.
struct Room {
    static let key = SecretBytes([UInt8](repeating: 21, count: 32))

    /// Why there can't be one here; nil when there can.
    static var obstacle: String? { JanusServer.obstacle ?? RoomNetwork.obstacle }

    let network: RoomNetwork
    private let folder: TemporaryFolder
    private let authority: TestAuthority
    private let server: JanusServer
    private let room: SFURoom
    /// Between all who use the server and it, where it is kept what they say.
    private let tunnel: CuttingProxy?

    private init(in network: RoomNetwork, overhears: Bool) async throws {
        self.network = network
        folder = try TemporaryFolder()
        authority = try TestAuthority(folder.path)
        server = try await JanusServer(
            folder, address: network.address, certificate: authority.issue(["IP:\(network.address)"]),
            prefix: network.prefix)
        let plan = SFURoomPlan.random()
        room = plan.room
        tunnel = overhears ? CuttingProxy(to: network.address, target: Int(server.port), keeps: true) : nil
        try await tunnel?.start()
        let maker = try await client()
        try await maker.makeRoom(plan)
        await maker.close()
    }

    /// Has a server, and members 1 to `count` who may enter, as long as `body` runs. `overhears`: what is said to the server is kept.
    static func use(
        _ count: Int, givesKeys: Bool = true, overhears: Bool = false, _ body: (Room, Mesh) async throws -> Void
    ) async throws {
        let network = try RoomNetwork()
        defer { network.remove() }
        let room = try await Room(in: network, overhears: overhears)
        defer { room.server.stop() }
        try await Mesh.run(count, givesKeys: givesKeys) { try await body(room, $0) }
        await room.tunnel?.stop()
    }

    /// All that was said to the server so far, where it is kept.
    var told: [String] {
        get async throws { try await (tunnel?.said ?? []).flatMap(WebSocketTexts.parse) }
    }

    /// By what the room is entered.
    var pin: String? { room.pin?.text }

    private func client() async throws -> SFURoomClient {
        let place = await tunnel?.port
        return SFURoomClient(
            address: try SFUAddress(
                parsing: place.map { "ws://127.0.0.1:\($0)/" } ?? "wss://\(network.address):\(server.securePort)/"),
            keys: SFUKeys(roomKey: server.keys.room.map { SecretText($0) }),
            configuration: SFUConfiguration(authorities: authority.certificate))
    }

    /// A port that has joined the room as this member.
    func port(of member: UInt8, feedsKey: SecretBytes = key) async throws -> SFUPort {
        try await SFUPort(joining: room, by: await client(), member: member, feedsKey: feedsKey)
    }

    /// A member enters.
    @discardableResult
    func enter(_ member: UInt8, of mesh: Mesh) async throws -> OverheardPort {
        let port = OverheardPort(try await port(of: member))
        try await mesh[member].enter(room: port, feedsKey: Self.key)
        return port
    }

    /// What has come of a member by the room.
    static func received(_ mesh: Mesh, by one: UInt8, from other: UInt8) async throws -> MediaStatistics.Direction {
        try await mesh[one].roomStatistics(of: other)?.received ?? MediaStatistics.Direction()
    }

    /// Waits until so many further pictures and pieces of sound of each have come to each other by the room.
    static func waitForMedia(
        _ mesh: Mesh, among members: [UInt8], pictures: Int = 10, sounds: Int = 20,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for one in members {
            for other in members where other != one {
                let before = try await received(mesh, by: one, from: other)
                do {
                    try await eventually(sourceLocation: sourceLocation) {
                        let now = try await received(mesh, by: one, from: other)
                        return now.videoFrames >= before.videoFrames + pictures
                            && now.audioFrames >= before.audioFrames + sounds
                    }
                } catch {
                    for member in members {
                        try await Issue.record("\(mesh[member].roomState)", sourceLocation: sourceLocation)
                    }
                    throw error
                }
            }
        }
    }
}

extension GroupSession {
    /// How the ways to and from the room are, for failures.
    fileprivate var roomState: String {
        guard let room else { return "\(configuration.member) is in no room" }
        let own = room.own.map {
            "verified \($0.isVerified), broken \($0.isBroken), \($0.bitrate ?? 0) bit/s, sent \($0.counters.sent)"
        }
        let feeds = room.feeds.map { feed, entry in
            "\(feed) of \(entry.member): path \(entry.path != nil), verified \(entry.path?.transport.isVerified ?? false), "
                + "heard \(entry.path?.isHeard ?? false), layer \(entry.layer), asking \(entry.isAsking), "
                + "failures \(entry.failures), unreadable \(entry.isUnreadable), packets "
                + "\(String(describing: entry.path?.counters.packets)), received "
                + "\(String(describing: entry.path?.counters.received))"
        }
        return "\(configuration.member): own \(own ?? "none"), failures \(room.ownFailures)\n"
            + feeds.joined(separator: "\n")
    }
}
