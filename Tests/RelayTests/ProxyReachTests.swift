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

    /// Private and unique-local addresses of this machine.
    private static let ownAddresses: [String] = {
        let devices = (try? System.enumerateDevices()) ?? []
        let prefixes = ["10.", "192.168.", "fc", "fd"] + (16...31).map { "172.\($0)." }
        return devices.compactMap(\.address?.ipAddress).filter { text in
            !text.contains("%") && prefixes.contains { text.hasPrefix($0) }
        }
    }()

    @Test(arguments: ownAddresses) func `private addresses of this machine are not dialled`(host: String) async throws {
        let counter = Counter(host)
        let port = try await counter.start()
        try await withRelay(change: .init { $0.proxy = ProxyConfiguration() }) { _, address in
            let open = try RelayAddress(hosts: [host], port: port, keyHash: Array(repeating: 1, count: 32))
            #expect(try await refusal(address, to: open) == .broker(.network(nil)))
            #expect(try await counter.settle(port) == 0)
        }
        await counter.stop()
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
