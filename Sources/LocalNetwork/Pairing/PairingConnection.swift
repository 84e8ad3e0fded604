import NIOCore
import NIOPosix

/// A TCP connection between two programs that pair: whole messages out and in.
///
/// It is not encrypted: what must be secret is sealed by the ``PairingMachine``.
final class PairingConnection: Sendable {
    /// How long a machine of the same network may take to answer.
    static let patience = TimeAmount.seconds(5)
    /// Messages that wait to be read; a meeting has fewer.
    private static let backlog = 16

    /// What comes; it ends with the connection.
    let messages: AsyncStream<[UInt8]>
    private let channel: any Channel

    fileprivate init(_ channel: any Channel, messages: AsyncStream<[UInt8]>) {
        (self.channel, self.messages) = (channel, messages)
    }

    /// Connects to who is announced at a place.
    /// - Throws: `DiscoveryError.failed`.
    static func connect(to address: String, port: UInt16) async throws(DiscoveryError) -> PairingConnection {
        do {
            let (messages, continuation) = makeStream()
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(patience)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try prepare(channel, continuation) }
                }
                .connect(host: address, port: Int(port)).get()
            return PairingConnection(channel, messages: messages)
        } catch {
            throw .failed("\(error)")
        }
    }

    /// Sends a message. A connection that has ended is told by the end of `messages`.
    func send(_ message: [UInt8]) {
        guard message.count <= PairingMessage.maximumCount else { return }
        let count = UInt16(message.count)
        sendRaw([UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)] + message)
    }

    func sendRaw(_ bytes: [UInt8]) {
        channel.writeAndFlush(channel.allocator.buffer(bytes: bytes), promise: nil)
    }

    /// Ends it once all is sent.
    func close() { channel.close(mode: .all, promise: nil) }

    fileprivate static func makeStream() -> (AsyncStream<[UInt8]>, AsyncStream<[UInt8]>.Continuation) {
        AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(backlog))
    }

    fileprivate static func prepare(
        _ channel: any Channel, _ continuation: AsyncStream<[UInt8]>.Continuation
    ) throws {
        try channel.pipeline.syncOperations.addHandlers([
            ByteToMessageHandler(PairingFramer()), PairingReader(continuation),
        ])
        channel.closeFuture.whenComplete { _ in continuation.finish() }
    }
}

/// Takes connections of people nearby while their view is open.
final class PairingListener: Sendable {
    let port: UInt16
    /// Who connects. More than a few that nobody looks at are closed.
    let connections: AsyncStream<PairingConnection>
    private let server: any Channel

    private init(_ server: any Channel, _ connections: AsyncStream<PairingConnection>) {
        (self.server, self.connections) = (server, connections)
        port = UInt16(clamping: server.localAddress?.port ?? 0)
    }

    /// Listens at a free port of every interface.
    /// - Throws: `DiscoveryError.failed`.
    static func start() async throws(DiscoveryError) -> PairingListener {
        do {
            // Without IPv6 only IPv4; else the one socket takes both.
            do { return try await start("::") } catch { return try await start("0.0.0.0") }
        } catch {
            throw .failed("\(error)")
        }
    }

    private static func start(_ host: String) async throws -> PairingListener {
        let (connections, continuation) = AsyncStream.makeStream(
            of: PairingConnection.self, bufferingPolicy: .bufferingOldest(4))
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let (messages, sending) = PairingConnection.makeStream()
                    try PairingConnection.prepare(channel, sending)
                    let made = continuation.yield(PairingConnection(channel, messages: messages))
                    if case .enqueued = made { return }
                    channel.close(promise: nil)
                }
            }
            .bind(host: host, port: 0).get()
        server.closeFuture.whenComplete { _ in continuation.finish() }
        return PairingListener(server, connections)
    }

    /// Takes no more; connections that are open stay.
    func stop() async { try? await server.close() }
}

/// Cuts the stream into messages: two bytes of length before each.
private struct PairingFramer: ByteToMessageDecoder {
    typealias InboundOut = ByteBuffer

    struct TooLong: Error {}

    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        guard let count = buffer.getInteger(at: buffer.readerIndex, as: UInt16.self) else { return .needMoreData }
        guard Int(count) <= PairingMessage.maximumCount else { throw TooLong() }
        guard buffer.readableBytes >= Int(count) + 2 else { return .needMoreData }
        buffer.moveReaderIndex(forwardBy: 2)
        if let message = buffer.readSlice(length: Int(count)) { context.fireChannelRead(wrapInboundOut(message)) }
        return .continue
    }

    mutating func decodeLast(
        context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
    ) throws -> DecodingState {
        try decode(context: context, buffer: &buffer)
    }
}

/// Hands messages on.
private final class PairingReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let continuation: AsyncStream<[UInt8]>.Continuation

    init(_ continuation: AsyncStream<[UInt8]>.Continuation) { self.continuation = continuation }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let message = Array(unwrapInboundIn(data).readableBytesView)
        // Who says more than a meeting has is cut off.
        if case .dropped = continuation.yield(message) { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
