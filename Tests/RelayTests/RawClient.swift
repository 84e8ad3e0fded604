import Cryptography
import NIOCore
import NIOPosix
import SMP
import TLSChannels

@testable import SMPSession
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

    /// Leaves in the network what the other side sends.
    func stopReading() async throws {
        try await channel.setOption(.socketOption(.so_rcvbuf), value: 16_384).get()
        try await channel.setOption(.autoRead, value: false).get()
    }

    func close() async throws { try await channel.close() }

    /// Waits until the other side closes.
    func waitForEnd() async { for await _ in received {} }
}

/// A client with both hellos behind it, that sends blocks at its own pace.
final class RawSession {
    let client: RawClient
    let sessionID: [UInt8]
    private var cipher: BlockCipher
    private var blocks: AsyncStream<[UInt8]>.AsyncIterator

    init(to address: RelayAddress, version: SMPVersion = 14) async throws {
        client = try await RawClient(to: address, tls: true)
        blocks = client.received.makeAsyncIterator()
        guard let block = await blocks.next() else { throw TransportError.closedByPeer }
        let hello = try ServerHello(decoding: Padding.unpad(block))
        guard let serverKey = try hello.key?.agreementKey(keyHash: address.keyHash) else {
            throw TransportError.hello(.missingKey)
        }
        let key = X25519.PrivateKey()
        let answer = ClientHello(version: version, keyHash: address.keyHash, sessionKey: key.publicKey)
        try await client.send(Padding.pad(answer.encoded(), to: SMPLimits.block))
        sessionID = hello.sessionID
        cipher = try BlockCipher(sessionID: hello.sessionID, secret: key.sharedSecret(with: serverKey), side: .client)
    }

    /// Sends one command in a block of its own.
    func send(
        _ command: Command, entity: EntityID = .none, key: AuthenticationPrivateKey? = nil
    ) async throws {
        let transmission = try Transmission(
            command, entityID: entity, version: 14, sessionID: sessionID, key: key, serverKey: nil)
        try await client.send(cipher.seal(Batch.encode([transmission.encoded(14)])))
    }

    /// The next block.
    func receive() async throws -> BrokerMessage? {
        try await receiveBytes().map { try BrokerMessage(decoding: $0, version: 14) }
    }

    /// The message in the next block, as it came.
    func receiveBytes() async throws -> [UInt8]? {
        guard let block = await blocks.next() else { return nil }
        return try Batch.transmissions(cipher.open(block), version: 14).first?.get().command
    }
}
