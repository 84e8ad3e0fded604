import BaseKit
import Logging
import NIOCore
import NIOPosix
import SMP
import SMPSession
import Synchronization
import TLSChannels

/// Where and how a relay takes connections.
public struct ListenerConfiguration: Sendable {
    /// Address of an own interface, or a host name that stands for one.
    public var host: String
    /// 0 for any free port.
    public var port: UInt16
    public var certificates: RelayCertificates
    /// The versions offered.
    public var versions: SMPVersionRange
    public var tls: TLSOptions
    /// For TLS to be set up. Upstream's 60 s (SMP fact sheet §2) would let silent sockets wait too long.
    var tlsTimeout: Duration
    /// For the client's hello, which is one block, after TLS (upstream's: 120 s).
    var helloTimeout: Duration
    /// Counts connections, and closes at once what is too many; may be shared by several listeners.
    public var ledger: ConnectionLedger
    /// Where connections live; nil for the threads that the process shares.
    var eventLoopGroup: (any EventLoopGroup)?
    public var logger: Logger

    public init(
        host: String, port: UInt16, certificates: RelayCertificates,
        versions: SMPVersionRange = .supported, tls: TLSOptions = TLSOptions(),
        tlsTimeout: Duration = .seconds(10), helloTimeout: Duration = .seconds(20),
        ledger: ConnectionLedger = ConnectionLedger(), eventLoopGroup: (any EventLoopGroup)? = nil,
        logger: Logger = Logger(label: "parley.listener")
    ) {
        self.host = host
        self.port = port
        self.certificates = certificates
        self.versions = versions
        self.tls = tls
        self.tlsTimeout = tlsTimeout
        self.helloTimeout = helloTimeout
        self.ledger = ledger
        self.eventLoopGroup = eventLoopGroup
        self.logger = logger
    }
}

/// Takes connections, does TLS and hellos, and hands sessions to a handler.
public final class Listener: Sendable {
    private struct State {
        var server: (any Channel)?
        var connections: [UInt64: any Channel] = [:]
        var isStopped = false
    }

    /// Counts the connections of all listeners of the process, so that a number names one session for good.
    private static let counter = Atomic<UInt64>(1)

    private let configuration: ListenerConfiguration
    private let sessions: any ServerSessionHandler
    private let state = Lock(State())

    public init(configuration: ListenerConfiguration, sessions: any ServerSessionHandler) {
        self.configuration = configuration
        self.sessions = sessions
    }

    /// Opens the socket.
    ///
    /// - Returns: the port, chosen by the system if the configuration's is 0.
    /// - Throws: `TransportError.cannotListen` or `.credentials`.
    public func start() async throws(TransportError) -> UInt16 {
        let context = try TLSContext(role: .server(configuration.certificates), options: configuration.tls)
        let bootstrap = ServerBootstrap(group: configuration.eventLoopGroup ?? MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.socketOption(.so_keepalive), value: 1)
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture { try accept(channel, context) }
            }
        do {
            let channel = try await bind(bootstrap)
            state.withLock { state in
                state.server = channel
                state.isStopped = false
            }
            return UInt16(clamping: channel.localAddress?.port ?? 0)
        } catch {
            let reason = TransportError(channelError: error)
            throw .cannotListen("\(configuration.host):\(configuration.port)", because: reason)
        }
    }

    private func bind(_ bootstrap: ServerBootstrap) async throws -> any Channel {
        let address = try SocketAddress.makeAddressResolvingHost(configuration.host, port: Int(configuration.port))
        guard case .v6 = address else { return try await bootstrap.bind(to: address).get() }
        // Every interface of IPv6 is not every interface of IPv4, so that both can be listened on.
        let isAlone = ChannelOptions.Types.SocketOption(level: .ipv6, name: .ipv6_v6only)
        return try await bootstrap.serverChannelOption(isAlone, value: 1).bind(to: address).get()
    }

    /// Takes no more connections; those that are open stay.
    public func stopAccepting() async {
        let server = state.withLock { state in
            defer { state.server = nil }
            return state.server
        }
        try? await server?.close()
    }

    /// Closes the socket and all connections.
    public func stop() async {
        let (server, connections) = state.withLock { state in
            defer {
                state.server = nil
                state.isStopped = true
            }
            return (state.server, Array(state.connections.values))
        }
        try? await server?.close()
        for connection in connections { try? await connection.close() }
    }

    private func accept(_ channel: any Channel, _ context: TLSContext) throws {
        let number = Self.counter.wrappingAdd(1, ordering: .relaxed).oldValue
        let ledger = configuration.ledger
        let isAdmitted = ledger.admit(number, from: channel.remoteAddress) { channel.close(promise: nil) }
        guard isAdmitted else { throw TransportError.closed }
        let isOpen = state.withLock { state in
            if !state.isStopped { state.connections[number] = channel }
            return !state.isStopped
        }
        guard isOpen else {
            ledger.left(number)
            throw TransportError.closed
        }
        channel.closeFuture.whenComplete { [self] _ in
            ledger.left(number)
            state.withLock { state in _ = state.connections.removeValue(forKey: number) }
        }
        let handler = ServerChannelHandler(
            configuration: configuration, number: number, sessions: sessions, ledger: ledger)
        try channel.pipeline.syncOperations.addHandlers([
            TLSHandler(session: TLSSession(context: context, expectedKeyHash: nil)),
            ByteToMessageHandler(BlockFramer()), handler,
        ])
    }
}
