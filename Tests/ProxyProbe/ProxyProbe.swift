import Foundation
import Logging
import NIOCore
import NIOPosix
import Relay
import RelayRules
import SMP
import SMPSession
import SMPTransport
import Synchronization

/// A program for one test, which runs it in a network with addresses of its choice: a proxying relay, and a client that asks it to
/// connect to each of them.
///
/// Arguments: a folder, and addresses of this machine. For each it prints a line: the address, how often the relay connected to it,
/// and what the client was told.
@main
struct ProxyProbe {
    struct Misuse: Error {}

    static func main() async throws {
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 2 else { throw Misuse() }
        var limits = ProxyConfiguration()
        limits.connectTimeout = .seconds(2)
        let relay = RelayServer(
            configuration: RelayConfiguration(port: 0, stateDirectory: arguments[0], proxy: limits, storage: .memory))
        let proxy = try await relay.start()
        for host in arguments.dropFirst() {
            let (count, answer) = try await probe(host, through: proxy)
            print("\(host) \(count) \(answer)")
        }
        await relay.stop()
    }

    /// How often the relay connects to an address, and what it says.
    private static func probe(_ host: String, through proxy: RelayAddress) async throws -> (Int, String) {
        let counter = Counter()
        // What is mapped into IPv6 is the socket of IPv4.
        let own = host.hasPrefix("::ffff:") ? String(host.dropFirst("::ffff:".count)) : host
        let port = try await counter.start(own)
        let connection = try await RelayConnection.connect(to: proxy)
        let other = try RelayAddress(hosts: [host], port: port, keyHash: Array(repeating: 1, count: 32))
        var answer = "session"
        do throws(ProxiedRequestError) {
            _ = try await connection.openProxySession(to: other, versions: TransportConfiguration.defaultVersions)
        } catch {
            answer = "\(error)"
        }
        await connection.close()
        let count = try await counter.settle(own, port)
        await counter.stop()
        return (count, answer)
    }
}

/// A socket that counts who connects, and hangs up.
private final class Counter: Sendable {
    private let count = Mutex(0)
    private let channel = Mutex<(any Channel)?>(nil)

    func start(_ host: String) async throws -> UInt16 {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { [self] channel in
                count.withLock { $0 += 1 }
                return channel.close()
            }
            .bind(host: host, port: 0).get()
        channel.withLock { $0 = server }
        return UInt16(server.localAddress?.port ?? 0)
    }

    /// Connects itself, and waits until that was counted: whoever connected before was counted earlier.
    func settle(_ host: String, _ port: UInt16) async throws -> Int {
        let before = count.withLock { $0 }
        let own = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: host, port: Int(port)).get()
        while count.withLock({ $0 }) == before { try await Task.sleep(for: .milliseconds(10)) }
        try? await own.close()
        return count.withLock { $0 } - 1
    }

    func stop() async { try? await channel.withLock { $0 }?.close() }
}
