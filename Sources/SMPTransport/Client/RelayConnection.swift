import Glibc
import NIOCore
import NIOPosix
import SMP
import SMPSession
import TLSChannels

/// One connection to a relay: TLS and hellos are done, requests and events flow until it ends.
public final class RelayConnection: Sendable {
    /// The relay.
    public let address: RelayAddress
    /// The agreed version.
    public let version: SMPVersion
    /// The session id, which every authenticator covers.
    public let sessionID: [UInt8]
    /// What a proxy passes on of the relay; nil unless connected with `TransportConfiguration.isProxy`.
    public let forwarding: ForwardingDetails?
    /// What happens: first `up`, last `down`. For one reader; while it is behind nothing more is read from the socket,
    /// responses included.
    public let events: PacedStream<RelayEvent>

    /// Bytes of events that wait for their reader at which the socket is not read any more.
    static let backlog = 512 * 1_024

    private let handler: NIOLoopBound<ClientChannelHandler>
    private let channel: any Channel

    /// How long to wait for TCP alone: just longer than the fourth packet that asks for a connection, which leaves after 7 s. To wait
    /// for the fifth, 8 s later, would be to miss a network that is back.
    static let dialTimeout = Duration.seconds(8)

    private init(
        address: RelayAddress, ready: ClientChannelHandler.Ready, channel: any Channel,
        events: PacedStream<RelayEvent>
    ) {
        self.address = address
        version = ready.version
        sessionID = ready.sessionID
        forwarding = ready.forwarding
        handler = ready.handler
        self.channel = channel
        self.events = events
    }

    var localAddress: SocketAddress? { channel.localAddress }

    /// Whether nothing is read because the reader of the events is behind: the relay's silence says nothing then.
    var isPaused: Bool {
        get async { (try? await channel.eventLoop.submit { [handler] in handler.value.isPaused }.get()) ?? false }
    }

    /// A TCP option as the kernel has it; for tests.
    func socketOption(_ name: CInt) async throws -> Int {
        try await channel.getOption(.tcpOption(.init(rawValue: name))).get()
    }

    /// Whether the kernel sends packets of its own while nothing else is sent; for tests.
    var isProbedByKernel: Bool {
        get async throws { try await channel.getOption(.socketOption(.so_keepalive)).get() != 0 }
    }

    deinit { channel.close(promise: nil) }

    /// Connects to the first host of an address that can be reached, and proves that it is the relay the address names.
    ///
    /// - Throws: `TransportError`: of the last host tried.
    public static func connect(
        to address: RelayAddress, configuration: TransportConfiguration = TransportConfiguration()
    ) async throws(TransportError) -> RelayConnection {
        var failure = TransportError.noReachableHost
        let locator = configuration.reachesLocalNetworks ? configuration.locator : nil
        var tried: Set<RelayPlace> = []
        // Onion services need a proxy that knows the way.
        for host in address.hosts where !host.hasSuffix(".onion") {
            let known = await locator?.places(of: host, for: address) ?? []
            for place in known + [RelayPlace(host: host, port: address.effectivePort)]
            where tried.insert(place).inserted {
                do throws(TransportError) {
                    return try await connect(to: address, at: place, configuration)
                } catch {
                    failure = error
                }
            }
        }
        // Only where its address says that it is near: nobody is to look here for a relay elsewhere.
        guard let locator, address.reach == .thisNetwork else { throw failure }
        for place in await locator.places(ofRelay: address.keyHash) where tried.insert(place).inserted {
            if let connection = try? await connect(to: address, at: place, configuration) { return connection }
        }
        throw failure
    }

    /// Sends one request and waits for its response.
    ///
    /// SUB may be answered by `.subscribed`, `.ok` or, by relays up to 6.3, by the first `.message`.
    ///
    /// - Throws: `RelayRequestError`; `ERR` is thrown as `.refused`.
    public func request(_ request: RelayRequest) async throws(RelayRequestError) -> BrokerMessage {
        guard let result = await requests([request]).first else { throw .unexpectedResponse }
        return try result.get()
    }

    /// Sends requests together, in as few blocks as possible; the results stand in the order of the requests.
    ///
    /// The relay checks all commands of a block before it carries out the first, so commands that build on one another
    /// (SKEY then SEND) must not go together.
    public func requests(_ requests: [RelayRequest]) async -> [Result<BrokerMessage, RelayRequestError>] {
        guard !requests.isEmpty else { return [] }
        return await withCheckedContinuation { continuation in
            let collector = ResponseCollector(count: requests.count) { continuation.resume(returning: $0) }
            channel.eventLoop.execute { [handler] in
                handler.value.submit(
                    requests.enumerated().map { index, request in (request, { collector.set($0, at: index) }) })
            }
        }
    }

    /// Ends the connection.
    public func close() async {
        channel.eventLoop.execute { [handler] in handler.value.close(.closed) }
        try? await channel.closeFuture.get()
    }

    private static func connect(
        to address: RelayAddress, at place: RelayPlace, _ configuration: TransportConfiguration
    ) async throws(TransportError) -> RelayConnection {
        let context = try TLSContext(role: .client, options: configuration.tls)
        let eventLoop = configuration.group.next()
        let ready = eventLoop.makePromise(of: ClientChannelHandler.Ready.self)
        let (events, continuation) = PacedStream<RelayEvent>.makeStream(bytes: backlog)
        let bootstrap = ClientBootstrap(group: eventLoop)
            .connectTimeout(TimeAmount(min(configuration.connectTimeout, Self.dialTimeout)))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.socketOption(.so_keepalive), value: 1)
            // A way that is cut is noticed within 15 s, at the price of an empty packet each 10 s. TCP alone would wait minutes,
            // and longer with each packet it repeats. (SMP fact sheet §11: probes after 30 s, each 15 s, 4 of them.)
            .channelOption(.tcpOption(.init(rawValue: CInt(TCP_KEEPIDLE))), value: 10)
            .channelOption(.tcpOption(.init(rawValue: CInt(TCP_KEEPINTVL))), value: 5)
            .channelOption(.tcpOption(.init(rawValue: CInt(TCP_KEEPCNT))), value: 3)
            .channelOption(.tcpOption(.init(rawValue: CInt(TCP_USER_TIMEOUT))), value: 15_000)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let session = try TLSSession(context: context, expectedKeyHash: address.keyHash)
                    let handler = ClientChannelHandler(
                        configuration: configuration, keyHash: address.keyHash, ready: ready, events: continuation)
                    if !configuration.reachesLocalNetworks {
                        try channel.pipeline.syncOperations.addHandler(LocalNetworkGate())
                    }
                    try channel.pipeline.syncOperations.addHandlers([
                        TLSHandler(session: session), ByteToMessageHandler(BlockFramer()), handler,
                    ])
                }
            }
        do {
            let resolver = configuration.reachesLocalNetworks ? nil : PublicResolver(eventLoop: eventLoop)
            let own = try configuration.localAddress.map { try SocketAddress(ipAddress: $0, port: 0) }
            let bound = own.map { bootstrap.bind(to: $0) } ?? bootstrap
            let connecting = bound.resolver(resolver).connect(host: place.host, port: Int(place.port))
            connecting.whenFailure { ready.fail(TransportError(connecting: $0, host: place.host)) }
            let details = try await ready.futureResult.get()
            return RelayConnection(
                address: address, ready: details, channel: try await connecting.get(), events: events)
        } catch {
            continuation.finish()
            throw error as? TransportError ?? TransportError(channelError: error)
        }
    }
}
