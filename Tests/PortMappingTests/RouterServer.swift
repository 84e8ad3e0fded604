import BaseKit
import NIOCore
import NIOPosix
import Synchronization

@testable import PortMapping

/// A ``PretendedRouter`` behind a real UDP socket of 127.0.0.1.
final class RouterServer: Sendable {
    private let channel: any Channel
    private let handler: Handler
    let port: UInt16

    private init(_ channel: any Channel, _ handler: Handler) {
        (self.channel, self.handler) = (channel, handler)
        port = UInt16(clamping: channel.localAddress?.port ?? 0)
    }

    static func start(_ router: PretendedRouter = PretendedRouter()) async throws -> RouterServer {
        let handler = Handler(router)
        let channel = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { $0.pipeline.addHandler(handler) }
            .bind(host: "127.0.0.1", port: 0).get()
        return RouterServer(channel, handler)
    }

    /// What it has mapped.
    var mappings: [UInt16: UInt16] { handler.router.withLock { $0.mappings } }

    /// Whether it answers nothing.
    func mute(_ isMute: Bool) { handler.isMute.withLock { $0 = isMute } }

    /// Who asked last, and what.
    var lastRequest: (from: SocketAddress, bytes: [UInt8])? { handler.last.withLock { $0 } }

    func send(_ bytes: [UInt8], to address: SocketAddress) async throws {
        try await channel.writeAndFlush(
            AddressedEnvelope(remoteAddress: address, data: channel.allocator.buffer(bytes: bytes))
        ).get()
    }

    func stop() async { try? await channel.close() }

    private final class Handler: ChannelInboundHandler, Sendable {
        typealias InboundIn = AddressedEnvelope<ByteBuffer>
        typealias OutboundOut = AddressedEnvelope<ByteBuffer>

        let router: Mutex<PretendedRouter>
        let isMute = Mutex(false)
        let last = Mutex<(from: SocketAddress, bytes: [UInt8])?>(nil)

        init(_ router: PretendedRouter) { self.router = Mutex(router) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let request = unwrapInboundIn(data)
            let bytes = Array(request.data.readableBytesView)
            last.withLock { $0 = (request.remoteAddress, bytes) }
            guard !isMute.withLock({ $0 }), let answer = router.withLock({ $0.answer(bytes, at: .now) }) else { return }
            let envelope = AddressedEnvelope(
                remoteAddress: request.remoteAddress, data: context.channel.allocator.buffer(bytes: answer))
            context.writeAndFlush(wrapOutboundOut(envelope), promise: nil)
        }
    }
}

/// UPnP that brings what a test says, and keeps what it was asked.
final class PretendedUPnP: UPnPAsking {
    private let outcome: UPnPOutcome
    private let asked = Mutex<[UPnPRequest]>([])

    init(_ outcome: UPnPOutcome) { self.outcome = outcome }

    var requests: [UPnPRequest] { asked.withLock { $0 } }

    func ask(_ request: UPnPRequest, of router: IPv4Address, from client: IPv4Address) async -> UPnPOutcome {
        asked.withLock { $0.append(request) }
        return outcome
    }
}
