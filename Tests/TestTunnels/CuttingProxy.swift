import NIOCore
import NIOPosix
import Synchronization

/// A TCP tunnel to a relay that a test can cut, so that connections die and the relay lives.
public actor CuttingProxy {
    private let host: String
    private let target: Int
    private let traffic = Traffic()
    /// What the near side of each connection has said, where that is kept.
    private var records: [Record]?
    private var listener: (any Channel)?
    private var open: [any Channel] = []
    /// Where it listens, once it has been started.
    public private(set) var port = 0
    /// Whether new connections are let through.
    private var isClosed = false
    /// Whether new connections are taken and nothing comes of them.
    private var isSwallowing = false
    private var cuts = 0
    /// How many connections there were.
    public private(set) var connectionCount = 0

    /// One to a port of the loopback, or of another host. `keeps`: whether it keeps what is said to the target.
    public init(to host: String = "127.0.0.1", target: Int, keeps: Bool = false) {
        (self.host, self.target) = (host, target)
        records = keeps ? [] : nil
    }

    /// What was said to the target so far, by connection, where it is kept.
    public var said: [[UInt8]] { records?.map(\.bytes) ?? [] }

    /// Listens from now on.
    public func start() async throws {
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

    /// Ends for good.
    public func stop() async {
        try? await listener?.close()
        cut()
    }

    /// Ends every connection through the tunnel; new ones pass.
    public func cut() {
        cuts += 1
        for channel in open { channel.close(promise: nil) }
        open = []
    }

    /// Ends every connection and lets none pass until `mend`.
    public func block() {
        isClosed = true
        cut()
    }

    /// Lets everything through again that comes from now on.
    public func mend() {
        isClosed = false
        isSwallowing = false
    }

    /// Lets nothing through any more on the connections there are, without ending them, as a network that is cut does; new
    /// ones pass.
    public func freeze() async {
        for channel in open { try? await channel.setOption(.autoRead, value: false).get() }
    }

    /// From now on new connections are taken, and what is said on them goes nowhere.
    public func swallow() { isSwallowing = true }

    /// Waits until nothing has come through for so long: nobody waits for an answer any more.
    public func waitForQuiet(of length: Duration) async throws {
        while true {
            let before = traffic.count
            try await Task.sleep(for: length)
            if traffic.count == before { return }
        }
    }

    private func accept(_ near: any Channel) async {
        guard !isClosed else { return near.close(promise: nil) }
        connectionCount += 1
        let before = cuts
        open.append(near)
        guard !isSwallowing else { return }
        do {
            let far = try await ClientBootstrap(group: near.eventLoop)
                .channelOption(.autoRead, value: false)
                .connect(host: host, port: target).get()
            // Cut while the other half was being made.
            guard cuts == before else {
                near.close(promise: nil)
                return far.close(promise: nil)
            }
            open.append(far)
            let record = records.map { _ in Record() }
            if let record { records?.append(record) }
            try await near.pipeline.addHandler(Pipe(to: far, traffic, record)).get()
            try await far.pipeline.addHandler(Pipe(to: near, traffic)).get()
            try await far.setOption(.autoRead, value: true).get()
            try await near.setOption(.autoRead, value: true).get()
        } catch {
            near.close(promise: nil)
        }
    }
}

/// How much has come through.
private final class Traffic: Sendable {
    private let pieces = Mutex(0)

    var count: Int { pieces.withLock { $0 } }

    func note() { pieces.withLock { $0 += 1 } }
}

/// What one side of a connection has said.
private final class Record: Sendable {
    private let content = Mutex<[UInt8]>([])

    var bytes: [UInt8] { content.withLock { $0 } }

    func note(_ piece: ByteBuffer) { content.withLock { $0 += piece.readableBytesView } }
}

private final class Pipe: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let peer: any Channel
    private let traffic: Traffic
    private let record: Record?

    init(to peer: any Channel, _ traffic: Traffic, _ record: Record? = nil) {
        (self.peer, self.traffic, self.record) = (peer, traffic, record)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        traffic.note()
        let piece = unwrapInboundIn(data)
        record?.note(piece)
        peer.writeAndFlush(piece, promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        peer.close(promise: nil)
        context.fireChannelInactive()
    }
}
