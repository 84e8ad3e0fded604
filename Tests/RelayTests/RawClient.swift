import NIOCore
import NIOPosix
import SMP

@testable import SMPTransport

/// A client that sends whatever bytes it likes, inside TLS or without it.
final class RawClient: Sendable {
    private let channel: any Channel
    /// The blocks that arrive; the stream ends with the connection.
    let received: AsyncStream<[UInt8]>

    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        let continuation: AsyncStream<[UInt8]>.Continuation
        let ready: EventLoopPromise<Void>

        init(continuation: AsyncStream<[UInt8]>.Continuation, ready: EventLoopPromise<Void>) {
            self.continuation = continuation
            self.ready = ready
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is TLSDetails { ready.succeed() }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            continuation.yield(Array(unwrapInboundIn(data).readableBytesView))
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        func channelInactive(context: ChannelHandlerContext) {
            ready.fail(TransportError.closedByPeer)
            continuation.finish()
        }
    }

    init(to address: RelayAddress, tls: Bool) async throws {
        let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
        received = stream
        let context = try TLSContext(role: .client, options: TLSOptions())
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let ready = eventLoop.makePromise(of: Void.self)
        let bootstrap = ClientBootstrap(group: eventLoop).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                let collector = Collector(continuation: continuation, ready: ready)
                let pipeline = channel.pipeline.syncOperations
                if tls {
                    try pipeline.addHandlers([
                        TLSHandler(session: TLSSession(context: context, expectedKeyHash: address.keyHash)),
                        ByteToMessageHandler(BlockFramer()),
                    ])
                }
                try pipeline.addHandler(collector)
            }
        }
        channel = try await bootstrap.connect(
            host: address.hosts.first ?? "", port: Int(address.effectivePort)
        ).get()
        if !tls { ready.succeed() }
        try await ready.futureResult.get()
    }

    func send(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    func close() async throws { try await channel.close() }

    /// Waits until the other side closes.
    func waitForEnd() async { for await _ in received {} }
}
