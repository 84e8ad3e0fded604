import SMP
import TestTunnels

@testable import Relay
@testable import RelayRules

/// A real relay on a free port of the loopback.
final class TestRelay: Sendable {
    let address: RelayAddress
    private let server: RelayServer
    private let state = TemporaryFolder()

    /// - Parameters:
    ///   - quota: how many messages a queue holds.
    ///   - forwards: whether it is a proxy.
    init(quota: Int = 128, versions: ClosedRange<UInt16> = 9...17, forwards: Bool = false) async throws {
        var proxy = ProxyConfiguration()
        proxy.reachesLocalNetworks = true
        var configuration = RelayConfiguration(
            host: "127.0.0.1", port: 0, stateDirectory: state.path, versions: SMPVersionRange(versions), quota: quota,
            proxy: forwards ? proxy : nil)
        // Tests don't wait for the next round.
        configuration.endingInterval = .zero
        server = RelayServer(configuration: configuration)
        address = try await server.start()
    }

    /// Another way to the same relay, which can be cut.
    func proxied() async throws -> (proxy: CuttingProxy, address: RelayAddress) {
        let proxy = CuttingProxy(target: Int(address.effectivePort))
        try await proxy.start()
        let port = UInt16(clamping: await proxy.port)
        return (proxy, try RelayAddress(hosts: ["127.0.0.1"], port: port, keyHash: address.keyHash))
    }

    /// How many queues there are.
    var queueCount: Int { server.queueCount }

    /// How many messages they hold.
    var messageCount: Int { server.snapshot.messages }

    /// How many connections are open.
    var connectionCount: Int { server.connectionCount }

    /// Starts again with the same address and queues.
    func start() async throws {
        _ = try await server.start()
    }

    func stop() async {
        await server.stop()
    }
}
