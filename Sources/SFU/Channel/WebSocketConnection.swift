import BaseKit
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import SFURules
import TLS
import TLSChannels

/// One WebSocket to a Janus, from the first packet to the last.
struct WebSocketConnection: Sendable {
    /// The name that Janus knows its protocol by (“WebSockets Interface” of its documentation).
    private static let subprotocol = "janus-protocol"
    /// The most pieces of a message.
    private static let maximumPieces = 256

    private let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>

    private enum Upgrade: Sendable {
        case done(NIOAsyncChannel<ByteBuffer, ByteBuffer>)
        case refused
    }

    private struct Dialled: Sendable {
        let channel: any Channel
        let upgrade: EventLoopFuture<Upgrade>
    }

    /// Connects. Nothing is looked up for an address of this machine. Who takes the connection has `patience` from there on to say that
    /// it is a Janus.
    static func open(
        _ address: SFUAddress, tls: OpenSSLContext?, patience: Duration = .seconds(8)
    ) async throws(SFUError) -> WebSocketConnection {
        let dialled: Dialled
        do {
            dialled = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(.seconds(8))
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .connect(host: address.dialledHost, port: address.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        if let tls {
                            let peer =
                                address.isLiteral ? OpenSSLSession.Peer.address(address.host) : .name(address.host)
                            let session = try OpenSSLSession(tls, peer: peer)
                            try channel.pipeline.syncOperations.addHandler(TLSHandler(session: session))
                        }
                        return Dialled(channel: channel, upgrade: try Self.upgrade(channel, address))
                    }
                }
        } catch {
            throw SFUError(connecting: error)
        }
        let eventLoop = dialled.channel.eventLoop
        let answer = eventLoop.makePromise(of: Upgrade.self)
        dialled.upgrade.cascade(to: answer)
        let limit = eventLoop.scheduleTask(in: TimeAmount(patience)) { answer.fail(SFUError.timedOut) }
        let upgrade: Upgrade
        do {
            defer { limit.cancel() }
            upgrade = try await answer.futureResult.get()
        } catch {
            dialled.channel.close(promise: nil)
            throw SFUError(connecting: error)
        }
        guard case .done(let channel) = upgrade else { throw .notJanus }
        return WebSocketConnection(channel: channel)
    }

    private static func upgrade(_ channel: any Channel, _ address: SFUAddress) throws -> EventLoopFuture<Upgrade> {
        let upgrader = NIOTypedWebSocketClientUpgrader<Upgrade>(maxFrameSize: JanusMessage.maximumLength) {
            channel, head in
            channel.eventLoop.makeCompletedFuture {
                guard head.headers["Sec-WebSocket-Protocol"] == [subprotocol] else {
                    channel.close(promise: nil)
                    return .refused
                }
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(
                    NIOWebSocketFrameAggregator(
                        minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: maximumPieces,
                        maxAccumulatedFrameSize: JanusMessage.maximumLength))
                try pipeline.addHandler(WebSocketMessages())
                return .done(try NIOAsyncChannel(wrappingChannelSynchronously: channel))
            }
        }
        let standard = address.isSecure ? 443 : 80
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: address.path,
            headers: [
                "Host": address.place + (address.port == standard ? "" : ":\(address.port)"),
                "Sec-WebSocket-Protocol": subprotocol,
            ])
        let configuration = NIOUpgradableHTTPClientPipelineConfiguration(
            upgradeConfiguration: NIOTypedHTTPClientUpgradeConfiguration(
                upgradeRequestHead: head, upgraders: [upgrader],
                notUpgradingCompletionHandler: { channel in
                    channel.close(promise: nil)
                    return channel.eventLoop.makeSucceededFuture(.refused)
                }))
        return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(configuration: configuration)
    }

    /// Takes messages, one after the other, and sends what comes out of `outgoing`, until either ends; why.
    func run(
        sending outgoing: AsyncStream<[UInt8]>, receive: @escaping @Sendable ([UInt8]) async -> Void
    ) async -> SFUError {
        do {
            try await channel.executeThenClose { incoming, outbound in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for await text in outgoing { try await outbound.write(ByteBuffer(bytes: text)) }
                    }
                    group.addTask {
                        for try await message in incoming { await receive(Array(message.readableBytesView)) }
                    }
                    defer { group.cancelAll() }
                    _ = try await group.next()
                }
            }
            return .lost
        } catch {
            return SFUError(connecting: error)
        }
    }
}

extension SFUError {
    /// What an error of a connection means.
    init(connecting error: any Error) {
        switch error {
        case let error as SFUError: self = error
        case let error as TLSFailure:
            if case .other(let reason) = error { self = .local(reason: reason ?? "unknown") } else { self.init(error) }
        case let error as NIOConnectionError:
            if let cause = error.connectionErrors.first?.error {
                self.init(connecting: cause)
            } else {
                self = .unreachable(reason: "its name is unknown")
            }
        case let error as IOError:
            self = .unreachable(reason: String(cString: strerror(error.errnoCode)).lowercased())
        case ChannelError.connectTimeout: self = .timedOut
        case is HTTPParserError, is NIOWebSocketError, is NIOHTTPClientUpgradeError: self = .notJanus
        case is NIOWebSocketFrameAggregator.Error: self = .malformed
        default: self = .unreachable(reason: "it closed the connection")
        }
    }
}
