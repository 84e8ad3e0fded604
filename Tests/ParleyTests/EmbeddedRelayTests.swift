import TestSupport
import Testing

@testable import Parley

@Suite(.timeLimit(.minutes(5))) struct EmbeddedRelayTests {
    @Test func `keeps its address from one start to the next`() async throws {
        let folder = try TemporaryFolder()
        let first = try await EmbeddedRelay(host: "127.0.0.1", port: 0, stateDirectory: folder.path)
        let address = first.address
        await first.stop()
        let second = try await EmbeddedRelay(host: "127.0.0.1", port: 0, stateDirectory: folder.path)
        #expect(second.address == address)
        await second.stop()
    }

    @Test func `takes another port when its own is taken`() async throws {
        let folder = try TemporaryFolder()
        let other = try TemporaryFolder()
        let first = try await EmbeddedRelay(host: "127.0.0.1", port: 0, stateDirectory: folder.path)
        try "\(first.address.port ?? 0)".write(
            toFile: other.path + "/port", atomically: true, encoding: .utf8)
        let second = try await EmbeddedRelay(host: "127.0.0.1", port: 0, stateDirectory: other.path)
        #expect(second.address.port != first.address.port)
        await first.stop()
        await second.stop()
    }

    @Test func `waits for its own port when that is in use for a moment`() async throws {
        let folder = try TemporaryFolder()
        let embedded = try await EmbeddedRelay(host: "127.0.0.1", port: 0, stateDirectory: folder.path)
        let port = embedded.address.effectivePort
        // In the way of every interface, not of the one it is on.
        let other = try await EmbeddedRelay(host: "127.0.0.2", port: Int(port), stateDirectory: folder.path + "/other")
        async let change: Void = embedded.setAudience(.thisNetwork(hostName: "desk.local"))
        try await Task.sleep(for: .milliseconds(300))
        await other.stop()
        try await change
        #expect(embedded.address.effectivePort == port)
        await embedded.stop()
    }

    @Test func `refuses what is no port`() async throws {
        await #expect(throws: AccountError.embeddedRelayPort(70_000)) {
            _ = try await EmbeddedRelay(host: "127.0.0.1", port: 70_000, stateDirectory: "unused")
        }
    }
}
