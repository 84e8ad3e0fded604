import BaseKit
import Foundation
import NIOCore
import NIOPosix
import RelayRules
import SMPSession

/// Takes requests of the operator on a socket in the state folder, which nobody but the relay's account and root can reach: one
/// line, then the answer, then the end. The answer's first line is `ok`, or `error` with a sentence.
final class ControlListener: Sendable {
    static let fileName = "relay.control"

    private static let maximumConnections = 8
    private static let patience = TimeAmount.seconds(60)

    private struct State {
        var server: (any Channel)?
        var connections = 0
    }

    private let path: String
    private let answer: @Sendable (ControlRequest) async throws(ControlError) -> [String]
    private let state = Lock(State())

    init(directory: String, answer: @escaping @Sendable (ControlRequest) async throws(ControlError) -> [String]) {
        path = directory + "/" + Self.fileName
        self.answer = answer
    }

    /// Opens the socket.
    ///
    /// - Throws: `TransportError.cannotListen`.
    func start() async throws(TransportError) {
        do {
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { [self] channel in
                    channel.eventLoop.makeCompletedFuture { try accept(channel) }
                }
                .bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
            state.withLock { $0.server = channel }
            guard chmod(path, 0o600) == 0 else { throw TransportError.closed }
        } catch {
            throw .cannotListen("\(path): \(error)")
        }
    }

    /// Closes and removes the socket.
    func stop() async {
        let server = state.withLock { state in
            defer { state.server = nil }
            return state.server
        }
        guard let server else { return }
        try? await server.close()
        unlink(path)
    }

    private func accept(_ channel: any Channel) throws {
        let hasRoom = state.withLock { state in
            guard state.connections < Self.maximumConnections else { return false }
            state.connections += 1
            return true
        }
        guard hasRoom else { throw TransportError.closed }
        channel.closeFuture.whenComplete { [self] _ in state.withLock { $0.connections -= 1 } }
        try channel.pipeline.syncOperations.addHandler(ControlHandler(answer: reply))
        channel.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
    }

    private func reply(to line: String) async -> String {
        do throws(ControlError) {
            let lines = try await answer(try ControlRequest(line: line))
            return (["ok"] + lines).joined(separator: "\n") + "\n"
        } catch {
            return "error \(error)\n"
        }
    }
}

/// One connection.
private final class ControlHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: @Sendable (String) async -> String
    private var line: [UInt8] = []
    private var isAnswered = false

    init(answer: @escaping @Sendable (String) async -> String) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isAnswered else { return }
        line += unwrapInboundIn(data).readableBytesView
        guard let end = line.firstIndex(of: UInt8(ascii: "\n")) else {
            if line.count > ControlRequest.maximumLength { context.close(promise: nil) }
            return
        }
        isAnswered = true
        let text = String(decoding: line[..<end], as: UTF8.self)
        let channel = context.channel
        Task { [answer] in
            let reply = await answer(text)
            try? await channel.writeAndFlush(ByteBuffer(string: reply))
            try? await channel.close()
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
