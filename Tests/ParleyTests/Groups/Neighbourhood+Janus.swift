import SFU
import SFURules
import Signaling
import TestSupport

@testable import Parley

extension Neighbourhood {
    /// The same with a call server that all calls of several go over, where they name it.
    static func withJanus(
        _ keys: JanusServer.Keys = JanusServer.Keys(),
        _ body: @escaping @Sendable (Neighbourhood, GroupServer) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let janus = try await JanusServer(folder, keys: keys)
        defer { janus.stop() }
        let known = SFUKeys(
            roomKey: keys.room.map { SecretText($0) }, tokenSecret: keys.token.map { SecretText($0) })
        let server = GroupServer(
            address: try SFUAddress(parsing: janus.address), keys: known, isAlwaysUsed: true)
        try await with { try await body($0, server) }
    }
}
