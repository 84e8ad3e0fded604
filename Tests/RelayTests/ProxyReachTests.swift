import NIOCore
import NIOPosix
import RelayRules
import SMP
import SMPSession
import SMPTransport
import Synchronization
import TestSupport
import Testing

/// A proxy doesn't dial what strangers must not reach through it, and doesn't tell what is there.
@Suite(.timeLimit(.minutes(5))) struct ProxyReachTests {
    /// A socket that counts who connects.
    private final class Counter: Sendable {
        let count = Mutex(0)
        private let channel = Mutex<(any Channel)?>(nil)

        private let host: String

        /// - Parameter host: where to listen.
        init(_ host: String = "127.0.0.1") { self.host = host }

        func start() async throws -> UInt16 {
            let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { [self] channel in
                    count.withLock { $0 += 1 }
                    return channel.eventLoop.makeSucceededVoidFuture()
                }
                .bind(host: host, port: 0).get()
            channel.withLock { $0 = server }
            return UInt16(server.localAddress?.port ?? 0)
        }

        /// Connects itself, and waits until that was counted: whoever connected before was counted earlier.
        func settle(_ port: UInt16) async throws -> Int {
            let before = count.withLock { $0 }
            let own = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: host, port: Int(port)).get()
            try await waitUntil("the own connection is counted") { self.count.withLock { $0 } > before }
            try await own.close()
            return count.withLock { $0 } - 1
        }

        func stop() async { try? await channel.withLock { $0 }?.close() }
    }

    private func refusal(_ proxy: RelayAddress, to destination: RelayAddress) async throws -> ProxiedRequestError? {
        let connection = try await RelayConnection.connect(to: proxy)
        defer { Task { await connection.close() } }
        do {
            _ = try await connection.openProxySession(
                to: destination, versions: TransportConfiguration.defaultVersions, password: nil)
            return nil
        } catch { return error }
    }

    @Test(arguments: ["127.0.0.1", "localhost", "::ffff:127.0.0.1", "0.0.0.0", "::1"])
    func `addresses of this machine are not dialled`(host: String) async throws {
        let counter = Counter(host == "::1" ? host : "127.0.0.1")
        let port = try await counter.start()
        // It listens on this machine only, which changes nothing.
        try await withRelay(change: .init { $0.proxy = ProxyConfiguration() }) { _, address in
            let open = try RelayAddress(hosts: [host], port: port, keyHash: Array(repeating: 1, count: 32))
            #expect(try await refusal(address, to: open) == .broker(.network(nil)))
            #expect(try await counter.settle(port) == 0)
        }
        await counter.stop()
    }

    /// Private, link-local, shared and unique-local addresses, and one that could be the Internet's.
    private static let local = ["10.1.2.3", "172.16.5.6", "192.168.7.8", "169.254.9.10", "100.64.1.2", "fd00::5"]
    private static let common = "20.30.40.50"

    @Test(.needs(UserNamespace.networkObstacle)) func `private and link-local addresses are not dialled`() async throws
    {
        let own = (Self.local + [Self.common]).map { $0 + ($0.contains(":") ? "/128" : "/32") }
        let prefix = try #require(UserNamespace.networkPrefix(own))
        let folder = try TemporaryFolder()
        let hosts = Self.local + ["::ffff:10.1.2.3", "::ffff:169.254.9.10"]
        let probe = try ChildProcess(
            prefix[0],
            prefix.dropFirst() + [BuiltProgram.named("ProxyProbe").path, folder.path] + hosts + [Self.common],
            folder: folder.path)
        #expect(try await probe.exitStatus() == 0, "\(probe.errors)")
        // Whether something answers there or not, the client is told the same.
        let told = "\(ProxiedRequestError.broker(.network(nil)))"
        #expect(probe.lines == hosts.map { "\($0) 0 \(told)" } + ["\(Self.common) 1 \(told)"])
    }

    @Test func `open and closed ports and unknown names get the same answer`() async throws {
        let counter = Counter()
        let port = try await counter.start()
        let closed = Counter()
        let closedPort = try await closed.start()
        await closed.stop()
        var answers: [ProxiedRequestError?] = []
        for reachesLocalNetworks in [false, true] {
            var proxy = ProxyConfiguration()
            proxy.reachesLocalNetworks = reachesLocalNetworks
            proxy.connectTimeout = .milliseconds(300)
            let configuration = proxy
            try await withRelay(change: .init { $0.proxy = configuration }) { _, address in
                for (host, port) in [("127.0.0.1", port), ("127.0.0.1", closedPort), ("no-such-name.invalid", port)] {
                    let other = try RelayAddress(hosts: [host], port: port, keyHash: Array(repeating: 1, count: 32))
                    answers.append(try await refusal(address, to: other))
                }
            }
        }
        #expect(answers == Array(repeating: .broker(.network(nil)), count: 6))
        await counter.stop()
    }
}
