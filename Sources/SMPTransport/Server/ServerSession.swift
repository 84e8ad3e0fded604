import BaseKit
import Cryptography
import NIOCore
import SMP
import SMPSession

/// One client of a listener, after both hellos.
public final class ServerSession: Sendable {
    /// Unique within the process.
    public let number: UInt64
    public let version: SMPVersion
    public let sessionID: [UInt8]
    /// The key of the relay's hello.
    public let key: SessionKey
    /// Shared with the client's hello key; a proxy's forwarded commands are sealed with it.
    public let secret: SecretBytes?
    /// Where the connection comes from; nil for this machine.
    public let origin: ConnectionOrigin?

    /// What is to be sent from the event loop.
    private enum Sending: Sendable {
        /// Counted already.
        case payloads([[UInt8]])
        case making(@Sendable () -> [[UInt8]])
    }

    let output: OutputGauge
    private let handedOver = Lock<[Sending]>([])
    private let handler: NIOLoopBound<ServerChannelHandler>
    private let eventLoop: any EventLoop

    init(
        number: UInt64, agreement: ServerGreeting.Agreement, greeting: ServerGreeting, origin: ConnectionOrigin?,
        output: OutputGauge, handler: NIOLoopBound<ServerChannelHandler>, eventLoop: any EventLoop
    ) {
        self.number = number
        version = agreement.version
        sessionID = greeting.sessionID
        key = greeting.sessionKey
        secret = agreement.secret
        self.origin = origin
        self.output = output
        self.handler = handler
        self.eventLoop = eventLoop
    }

    /// Sends payloads, each in a block of its own, in this order.
    public func send(_ payloads: [[UInt8]]) {
        guard !payloads.isEmpty else { return }
        output.add(payloads.count * SMPLimits.block)
        if eventLoop.inEventLoop {
            sendCounted(payloads)
            handler.value.flush()
        } else {
            handOver(.payloads(payloads))
        }
    }

    /// Sends what `make` returns, which runs on the session's event loop: so sealing is spread over the threads.
    public func send(making make: @escaping @Sendable () -> [[UInt8]]) { handOver(.making(make)) }

    /// Has the event loop send something. What is handed over until it comes to it, such as the answers to all messages of one
    /// transaction, costs it one turn and the network one call.
    private func handOver(_ sending: Sending) {
        let isFirst = handedOver.withLock { all in
            all.append(sending)
            return all.count == 1
        }
        if isFirst { eventLoop.execute { [self] in sendHandedOver() } }
    }

    private func sendHandedOver() {
        let all = handedOver.withLock { all in
            defer { all = [] }
            return all
        }
        for sending in all {
            switch sending {
            case .payloads(let payloads): sendCounted(payloads)
            case .making(let make):
                let payloads = make()
                output.add(payloads.count * SMPLimits.block)
                sendCounted(payloads)
            }
        }
        handler.value.flush()
    }

    private func sendCounted(_ payloads: [[UInt8]]) {
        if !handler.value.send(payloads) { _ = output.remove(payloads.count * SMPLimits.block) }
    }

    /// Counts bytes that are kept for the client until they can be sent; a client for which too much is kept is given up.
    public func reserve(_ bytes: Int) -> OutputReserve {
        let reserve = OutputReserve(bytes, of: output)
        if output.isOverLimit { onEventLoop { $0.giveUp() } }
        return reserve
    }

    /// Whether the client lets so much wait at present that nothing more should be done for it.
    public var lacksRoom: Bool { output.lacksRoom }

    /// The same; if so, ``ServerSessionHandler/sessionHasRoom(_:)`` follows.
    public var wantsRoom: Bool { output.wantsRoom() }

    /// Reads nothing more from the client until as many calls of ``release()`` have followed.
    public func hold() { onEventLoop { $0.hold() } }

    /// Undoes one call of ``hold()``.
    public func release() { onEventLoop { $0.release() } }

    /// Reads nothing from the client for a while.
    public func hold(for duration: Duration) {
        hold()
        eventLoop.scheduleTask(in: TimeAmount(duration)) { [handler] in handler.value.release() }
    }

    private func onEventLoop(_ body: @escaping @Sendable (ServerChannelHandler) -> Void) {
        if eventLoop.inEventLoop {
            body(handler.value)
        } else {
            eventLoop.execute { [handler] in body(handler.value) }
        }
    }

    /// Ends the session.
    public func close() {
        eventLoop.execute { [handler] in handler.value.close(.closed) }
    }
}

/// What a listener's clients talk to. All calls for one session come in order, on its event loop.
public protocol ServerSessionHandler: Sendable {
    /// Both hellos are exchanged.
    func sessionStarted(_ session: ServerSession)
    /// A block arrived: its payload, or why it can't be read.
    func session(_ session: ServerSession, received payload: Result<[UInt8], SMPDecodingError>)
    /// The client has read most of what waited for it when ``ServerSession/wantsRoom`` was asked.
    func sessionHasRoom(_ session: ServerSession)
    /// The connection is gone.
    func sessionEnded(_ session: ServerSession, reason: TransportError)
}

extension ServerSessionHandler {
    public func sessionHasRoom(_ session: ServerSession) {}
}
