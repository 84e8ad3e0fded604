import Relay
import SMP

/// The relay inside the program: the same server as `parley-relay`, with certificates and queues in the account's folder.
public actor EmbeddedRelay {
    private let server: RelayServer
    /// The address to give to agents and in links.
    public nonisolated let address: RelayAddress

    /// Starts a relay.
    /// - Parameters:
    ///   - host: Address to listen on, such as `127.0.0.1`.
    ///   - port: TCP port; 0 for any free one.
    ///   - stateDirectory: Where its certificates and queues are kept; made when absent.
    /// - Throws: `AccountError.embeddedRelay`.
    public init(host: String, port: Int, stateDirectory: String) async throws(AccountError) {
        do {
            server = RelayServer(
                configuration: RelayConfiguration(
                    host: host, port: UInt16(clamping: port), stateDirectory: stateDirectory))
            address = try await server.start()
        } catch {
            throw .embeddedRelay("\(error)")
        }
    }

    public func stop() async { await server.stop() }
}
