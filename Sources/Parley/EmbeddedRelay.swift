import BaseKit
import Foundation
import Relay
import SMP

/// The relay inside the program: the same server as `parley-relay`, with its certificates and queues in the account's
/// folder. Its address stays the same from one start to the next, so that contacts keep reaching it.
public actor EmbeddedRelay {
    /// Who reaches it.
    public enum Audience: Sendable, Equatable {
        /// Programs of this machine.
        case thisMachine
        /// Whoever is in the same network, under this name, such as `desk.local`: addresses there change, the name stays.
        case thisNetwork(hostName: String)
    }

    /// A place that leads to it.
    struct Outside: Sendable, Equatable {
        var host: String
        var port: UInt16
    }

    private let host: String
    private let stateDirectory: String
    private var server: RelayServer
    private var audience: Audience
    private nonisolated let present: Lock<RelayAddress>
    /// Where it is reached from outside of the network; nil: nowhere.
    private nonisolated let outside = Lock<Outside?>(nil)
    /// The address by which this machine itself reaches it, whoever else does.
    public nonisolated let localAddress: RelayAddress
    /// The address to give to agents and in links. It changes with the audience, and with where it is reached from outside.
    public nonisolated var address: RelayAddress {
        let inside = present.withLock { $0 }
        guard let outside = outside.withLock({ $0 }) else { return inside }
        // An address has one port: where that is another one outside, people in the network take the way over the router, too.
        let hosts = [outside.host] + (outside.port == inside.effectivePort ? inside.hosts : [])
        return (try? RelayAddress(hosts: hosts, port: outside.port, keyHash: inside.keyHash)) ?? inside
    }

    /// Starts a relay.
    /// - Parameters:
    ///   - host: Address to listen on, such as `127.0.0.1`.
    ///   - port: TCP port; 0 for the one it had before, or any free one.
    ///   - stateDirectory: Where its certificates and queues are kept; made when absent.
    ///   - audience: Who is to reach it.
    /// - Throws: `AccountError.embeddedRelay`, `.embeddedRelayPort`.
    public init(
        host: String, port: Int, stateDirectory: String, audience: Audience = .thisMachine
    ) async throws(AccountError) {
        guard let port = UInt16(exactly: port) else { throw .embeddedRelayPort(port) }
        let file = stateDirectory + "/port"
        let remembered = port == 0 ? Self.port(in: file) : nil
        let address: RelayAddress
        do throws(RelayStartError) {
            if let remembered, let same = try? await Self.startAgain(host, remembered, stateDirectory, audience) {
                (server, address) = same
            } else {
                (server, address) = try await Self.start(host, port, stateDirectory, audience)
            }
        } catch {
            throw .embeddedRelay(error)
        }
        (self.host, self.stateDirectory, self.audience) = (host, stateDirectory, audience)
        present = Lock(address)
        // Its host can stand in an address: the relay has listened there.
        localAddress = (try? RelayAddress(hosts: [host], port: address.port, keyHash: address.keyHash)) ?? address
        if let port = address.port { try? "\(port)\n".write(toFile: file, atomically: true, encoding: .utf8) }
    }

    /// Has others reach it, or nobody else any more, at the same port and with the same certificates. Connections end and are made anew;
    /// mailboxes stay.
    /// - Throws: `AccountError.embeddedRelay`; it is as it was then.
    func setAudience(_ wanted: Audience) async throws(AccountError) {
        guard wanted != audience else { return }
        await server.stop()
        let port = localAddress.effectivePort
        do throws(RelayStartError) {
            let (server, address) = try await Self.startAgain(host, port, stateDirectory, wanted)
            (self.server, audience) = (server, wanted)
            present.withLock { $0 = address }
        } catch {
            if let (same, _) = try? await Self.startAgain(host, port, stateDirectory, audience) { server = same }
            throw .embeddedRelay(error)
        }
    }

    /// Names where it is reached from outside of the network, or that it is not.
    nonisolated func setOutside(_ place: Outside?) { outside.withLock { $0 = place } }

    /// Its address as seen from outside alone.
    nonisolated func address(at place: Outside) -> RelayAddress? {
        try? RelayAddress(hosts: [place.host], port: place.port, keyHash: localAddress.keyHash)
    }

    /// Stops listening and ends every connection.
    public func stop() async { await server.stop() }

    // A port that was just let go can be in use a moment longer, as by a process that is being started, which has a copy of every socket.
    private static func startAgain(
        _ host: String, _ port: UInt16, _ stateDirectory: String, _ audience: Audience
    ) async throws(RelayStartError) -> (RelayServer, RelayAddress) {
        for _ in 0..<10 {
            do throws(RelayStartError) {
                return try await start(host, port, stateDirectory, audience)
            } catch {
                guard case .network(.cannotListen) = error else { throw error }
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
        return try await start(host, port, stateDirectory, audience)
    }

    private static func start(
        _ host: String, _ port: UInt16, _ stateDirectory: String, _ audience: Audience
    ) async throws(RelayStartError) -> (RelayServer, RelayAddress) {
        guard case .thisNetwork(let hostName) = audience else {
            return try await start(RelayConfiguration(host: host, port: port, stateDirectory: stateDirectory))
        }
        var configuration = RelayConfiguration(
            host: "0.0.0.0", port: port, announcedHost: hostName, stateDirectory: stateDirectory)
        // A second address needs a port that is known.
        guard port != 0 else { return try await start(configuration) }
        configuration.furtherEndpoints = [RelayEndpoint(host: "::", port: port)]
        do throws(RelayStartError) {
            return try await start(configuration)
        } catch {
            // A machine without IPv6.
            configuration.furtherEndpoints = []
            return try await start(configuration)
        }
    }

    private static func start(
        _ configuration: RelayConfiguration
    ) async throws(RelayStartError) -> (RelayServer, RelayAddress) {
        let server = RelayServer(configuration: configuration)
        return (server, try await server.start())
    }

    private static func port(in file: String) -> UInt16? {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
        return UInt16(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
