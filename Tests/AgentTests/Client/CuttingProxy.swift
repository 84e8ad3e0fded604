import NIOCore
import NIOPosix

/// A TCP tunnel to a relay that a test can cut, so that connections die and the relay lives.
actor CuttingProxy {
    private let target: Int
    private var listener: (any Channel)?
    private var open: [any Channel] = []
    private(set) var port = 0
    /// Whether new connections are let through.
    private var isClosed = false
    private var cuts = 0

    init(target: Int) {
        self.target = target
    }

    func start() async throws {
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    Task { await self.accept(channel) }
                }
            }
        let channel = try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
        listener = channel
        port = channel.localAddress?.port ?? 0
    }

    func stop() async {
        try? await listener?.close()
        cut()
    }

    /// Ends every connection through the tunnel; new ones pass.
    func cut() {
        cuts += 1
        for channel in open { channel.close(promise: nil) }
        open = []
    }

    /// Ends every connection and lets none pass until `mend`.
    func block() {
        isClosed = true
        cut()
    }

    func mend() {
        isClosed = false
    }

    /// Lets nothing through any more on the connections there are, without ending them, as a network that is cut does; new
    /// ones pass.
    func freeze() async {
        for channel in open { try? await channel.setOption(.autoRead, value: false).get() }
    }

    private func accept(_ near: any Channel) async {
        guard !isClosed else { return near.close(promise: nil) }
        let before = cuts
        open.append(near)
        do {
            let far = try await ClientBootstrap(group: near.eventLoop)
                .channelOption(.autoRead, value: false)
                .connect(host: "127.0.0.1", port: target).get()
            // Cut while the other half was being made.
            guard cuts == before else {
                near.close(promise: nil)
                return far.close(promise: nil)
            }
            open.append(far)
            try await near.pipeline.addHandler(Pipe(to: far)).get()
            try await far.pipeline.addHandler(Pipe(to: near)).get()
            try await far.setOption(.autoRead, value: true).get()
            try await near.setOption(.autoRead, value: true).get()
        } catch {
            near.close(promise: nil)
        }
    }
}

private final class Pipe: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let peer: any Channel

    init(to peer: any Channel) {
        self.peer = peer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        peer.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        peer.close(promise: nil)
        context.fireChannelInactive()
    }
}
