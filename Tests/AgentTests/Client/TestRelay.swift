import Relay
import SMP
import SMPTransport

/// A real relay on a free port of the loopback.
final class TestRelay: Sendable {
    let address: RelayAddress
    private let server: RelayServer
    private let state = TemporaryFolder()

    /// - Parameter quota: how many messages a queue holds.
    init(quota: Int = 128, versions: ClosedRange<UInt16> = 9...17) async throws {
        server = RelayServer(
            configuration: RelayConfiguration(
                host: "127.0.0.1", port: 0, stateDirectory: state.path,
                versions: SMPVersionRange(versions),
                quota: quota))
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

    func stop() async {
        await server.stop()
    }
}
