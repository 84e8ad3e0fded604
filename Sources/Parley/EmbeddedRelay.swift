import Foundation
import Relay
import SMP

/// The relay inside the program: the same server as `parley-relay`, with its certificates and queues in the account's
/// folder. Its address stays the same from one start to the next, so that contacts keep reaching it.
public actor EmbeddedRelay {
    private let server: RelayServer
    /// The address to give to agents and in links.
    public nonisolated let address: RelayAddress

    /// Starts a relay.
    /// - Parameters:
    ///   - host: Address to listen on, such as `127.0.0.1`.
    ///   - port: TCP port; 0 for the one it had before, or any free one.
    ///   - stateDirectory: Where its certificates and queues are kept; made when absent.
    /// - Throws: `AccountError.embeddedRelay`, `.embeddedRelayPort`.
    public init(host: String, port: Int, stateDirectory: String) async throws(AccountError) {
        guard let port = UInt16(exactly: port) else { throw .embeddedRelayPort(port) }
        let file = stateDirectory + "/port"
        let remembered = port == 0 ? Self.port(in: file) : nil
        do throws(RelayStartError) {
            if let remembered, let same = try? await Self.start(host, remembered, stateDirectory) {
                (server, address) = same
            } else {
                (server, address) = try await Self.start(host, port, stateDirectory)
            }
        } catch {
            throw .embeddedRelay(error)
        }
        if let port = address.port { try? "\(port)\n".write(toFile: file, atomically: true, encoding: .utf8) }
    }

    /// Stops listening and ends every connection.
    public func stop() async { await server.stop() }

    private static func start(
        _ host: String, _ port: UInt16, _ stateDirectory: String
    ) async throws(RelayStartError) -> (RelayServer, RelayAddress) {
        let server = RelayServer(
            configuration: RelayConfiguration(host: host, port: port, stateDirectory: stateDirectory))
        return (server, try await server.start())
    }

    private static func port(in file: String) -> UInt16? {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
        return UInt16(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
