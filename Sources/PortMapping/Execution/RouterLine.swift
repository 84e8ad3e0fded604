import NIOCore
import NIOPosix

/// A UDP socket towards one router: the kernel lets nobody else's datagrams in.
final class RouterLine: Sendable {
    /// What comes.
    enum News: Sendable {
        case datagram([UInt8])
        /// The router says that nobody listens at the port.
        case nobodyListens
    }

    /// Datagrams that wait to be looked at; an answer is one.
    private static let backlog = 16

    let news: AsyncStream<News>
    /// This machine's address towards the router.
    let client: IPv4Address
    private let channel: any Channel

    private init(_ channel: any Channel, _ news: AsyncStream<News>, _ client: IPv4Address) {
        (self.channel, self.news, self.client) = (channel, news, client)
    }

    /// - Throws: What the system says, such as that there is no way there.
    static func open(to router: IPv4Address, port: UInt16) async throws -> RouterLine {
        let (news, continuation) = AsyncStream.makeStream(of: News.self, bufferingPolicy: .bufferingOldest(backlog))
        let channel = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(RouterReader(continuation))
                }
            }
            .connect(host: router.description, port: Int(port)).get()
        channel.closeFuture.whenComplete { _ in continuation.finish() }
        let client = channel.localAddress?.ipAddress.flatMap(IPv4Address.init(parsing:)) ?? .unspecified
        return RouterLine(channel, news, client)
    }

    /// Sends a datagram; what can't be sent is lost, as on the way.
    func send(_ bytes: [UInt8]) {
        guard let router = channel.remoteAddress else { return }
        let envelope = AddressedEnvelope(remoteAddress: router, data: channel.allocator.buffer(bytes: bytes))
        channel.writeAndFlush(envelope, promise: nil)
    }

    func close() { channel.close(promise: nil) }
}

/// Hands datagrams on.
private final class RouterReader: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let continuation: AsyncStream<RouterLine.News>.Continuation

    init(_ continuation: AsyncStream<RouterLine.News>.Continuation) { self.continuation = continuation }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        continuation.yield(.datagram(Array(unwrapInboundIn(data).data.readableBytesView)))
    }

    /// A connected socket tells of ICMP errors when it is read.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if (error as? IOError)?.errnoCode == ECONNREFUSED { continuation.yield(.nobodyListens) }
    }
}
