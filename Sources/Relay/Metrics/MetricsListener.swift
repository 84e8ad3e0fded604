import BaseKit
import NIOCore
import NIOPosix
import RelayRules
import SMPSession

/// Answers `GET /metrics` over plain HTTP, one request a connection, for a Prometheus server nearby.
///
/// It can ask nothing else of the relay. A request may take ten seconds and 8 KiB, and sixteen may be open.
final class MetricsListener: Sendable {
    private static let maximumConnections = 16
    private static let patience = TimeAmount.seconds(10)

    private struct State {
        var server: (any Channel)?
        var connections: [ObjectIdentifier: any Channel] = [:]
    }

    private let endpoint: RelayEndpoint
    private let page: @Sendable () -> String
    private let state = Lock(State())

    /// - Parameter page: makes the page, anew for each request.
    init(endpoint: RelayEndpoint, page: @escaping @Sendable () -> String) {
        self.endpoint = endpoint
        self.page = page
    }

    /// Opens the socket.
    ///
    /// - Returns: the port.
    /// - Throws: `TransportError.cannotListen`.
    func start() async throws(TransportError) -> UInt16 {
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture { try accept(channel) }
            }
        do {
            let channel = try await bootstrap.bind(host: endpoint.host, port: Int(endpoint.port)).get()
            state.withLock { $0.server = channel }
            return UInt16(clamping: channel.localAddress?.port ?? 0)
        } catch {
            throw .cannotListen("\(endpoint) for metrics: \(error)")
        }
    }

    /// Closes the socket and all connections.
    func stop() async {
        let (server, connections) = state.withLock { state in
            defer { state.server = nil }
            return (state.server, Array(state.connections.values))
        }
        try? await server?.close()
        for connection in connections { try? await connection.close() }
    }

    private func accept(_ channel: any Channel) throws {
        let id = ObjectIdentifier(channel)
        let hasRoom = state.withLock { state in
            guard state.connections.count < Self.maximumConnections else { return false }
            state.connections[id] = channel
            return true
        }
        guard hasRoom else { throw TransportError.closed }
        channel.closeFuture.whenComplete { [self] _ in
            state.withLock { state in _ = state.connections.removeValue(forKey: id) }
        }
        try channel.pipeline.syncOperations.addHandler(MetricsHandler(page: page))
        channel.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
    }
}

/// One connection: a request, an answer, the end.
private final class MetricsHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let page: @Sendable () -> String
    private var request = MetricsRequest()
    private var isAnswered = false

    init(page: @escaping @Sendable () -> String) { self.page = page }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isAnswered else { return }
        switch request.receive(unwrapInboundIn(data).readableBytesView) {
        case .incomplete: return
        case .page(let withBody): answer("200 OK", page(), withBody: withBody, context)
        case .refused(let status, let reason): answer("\(status) \(reason)", reason + "\n", withBody: true, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func answer(_ status: String, _ body: String, withBody: Bool, _ context: ChannelHandlerContext) {
        isAnswered = true
        let head = """
            HTTP/1.1 \(status)\r
            Content-Type: text/plain; version=0.0.4; charset=utf-8\r
            Content-Length: \(body.utf8.count)\r
            Connection: close\r
            \r

            """
        let buffer = context.channel.allocator.buffer(string: head + (withBody ? body : ""))
        // The client closes; closing first with its bytes unread could take the answer back.
        context.writeAndFlush(wrapOutboundOut(buffer)).assumeIsolated().whenComplete { _ in
            context.close(mode: .output, promise: nil)
        }
    }
}
