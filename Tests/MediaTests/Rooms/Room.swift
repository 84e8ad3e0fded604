import Cryptography
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

/// A room of a real server with the members of a mesh in it.
struct Room {
    static let key = SecretBytes([UInt8](repeating: 21, count: 32))
    static let number: UInt64 = 4_871_200_913_377

    let server: JanusServer

    /// Has a server, and members 1 to `count` who may enter, as long as `body` runs.
    static func use(
        _ count: Int, givesKeys: Bool = true, _ body: (Room, Mesh) async throws -> Void
    ) async throws {
        let room = Room(server: try await JanusServer())
        defer { room.server.stop() }
        try await Mesh.run(count, givesKeys: givesKeys) { try await body(room, $0) }
    }

    /// A member enters.
    @discardableResult
    func enter(_ member: UInt8, of mesh: Mesh, display: String? = nil) async throws -> JanusPort {
        let port = try await JanusPort(
            server, room: Self.number, member: member, feedsKey: Self.key, display: display)
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
                try await eventually(sourceLocation: sourceLocation) {
                    let now = try await received(mesh, by: one, from: other)
                    return now.videoFrames >= before.videoFrames + pictures
                        && now.audioFrames >= before.audioFrames + sounds
                }
            }
        }
    }
}
