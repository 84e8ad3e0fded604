import Logging
import NIOCore
import SMP
import SMPSession

/// The relay's end of one connection: hello, then blocks.
final class ServerChannelHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        case connecting
        case greeting(ServerGreeting)
        case serving(ServerSession, BlockCipher)
        case closed
    }

    private let configuration: ListenerConfiguration
    private let number: UInt64
    private let sessions: any ServerSessionHandler
    private let ledger: ConnectionLedger
    /// So many blocks stay below what NIO takes for a full channel, 64 KiB; written together they cost the kernel less.
    private static let blocksTogether = 3

    /// Reasons not to read from the client at present.
    private var holds = 0
    /// Blocks are handed on; what they are answered is flushed after the last of them.
    private var isReading = false
    /// Blocks that were written and not flushed.
    private var unflushed = 0
    private var state = State.connecting
    private var context: ChannelHandlerContext?
    private var timeout: Scheduled<Void>?
    private var stallCheck: Scheduled<Void>?

    init(
        configuration: ListenerConfiguration, number: UInt64, sessions: any ServerSessionHandler,
        ledger: ConnectionLedger
    ) {
        self.configuration = configuration
        self.number = number
        self.sessions = sessions
        self.ledger = ledger
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        startTimeout(configuration.tlsTimeout, .tls, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let details = event as? TLSDetails { greet(details, context) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let block = unwrapInboundIn(data)
        switch state {
        case .connecting, .closed: return
        case .greeting(let greeting): agree(on: Array(block.readableBytesView), greeting, context)
        case .serving(let session, var cipher):
            let payload = Result { () throws(SMPDecodingError) in
                do {
                    return try block.withUnsafeReadableBytes { try cipher.open($0) }
                } catch {
                    throw error as? SMPDecodingError ?? .decryptionFailed
                }
            }
            state = .serving(session, cipher)
            isReading = true
            sessions.session(session, received: payload)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        flushNow()
        context.fireChannelReadComplete()
    }

    /// Has the network take what was sent, unless more is to come: what is answered to blocks that were read together leaves together.
    func flush() {
        if !isReading { flushNow() }
    }

    private func flushNow() {
        guard unflushed > 0, let context else { return }
        unflushed = 0
        context.flush()
        guard stallCheck == nil, case .serving(let session, _) = state, session.output.pending > 0 else { return }
        watchOutput(session, context)
    }

    /// A client that does not read its responses is not read from either.
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        updateReading(context)
        context.fireChannelWritabilityChanged()
    }

    func hold() {
        holds += 1
        if holds == 1, let context { updateReading(context) }
    }

    func release() {
        holds -= 1
        if holds == 0, let context { updateReading(context) }
    }

    private func updateReading(_ context: ChannelHandlerContext) {
        let reads = holds == 0 && context.channel.isWritable
        context.channel.setOption(.autoRead, value: reads).whenFailure { _ in }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish(TransportError(channelError: error), context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(.closedByPeer, context)
        context.fireChannelInactive()
    }

    /// Seals and sends payloads, whose blocks the session's gauge has counted; ``flush()`` follows.
    ///
    /// - Returns: whether they were taken; the gauge then hears of each.
    func send(_ payloads: [[UInt8]]) -> Bool {
        guard case .serving(let session, var cipher) = state, let context else { return false }
        guard !session.output.isOverLimit else {
            giveUp(context)
            return false
        }
        do {
            let blocks = try payloads.map { payload in
                var block = context.channel.allocator.buffer(capacity: SMPLimits.block)
                try block.writeWithUnsafeMutableBytes(minimumWritableBytes: SMPLimits.block) { room in
                    let whole = UnsafeMutableRawBufferPointer(rebasing: room[..<SMPLimits.block])
                    try cipher.seal(payload, into: whole)
                    return SMPLimits.block
                }
                return block
            }
            state = .serving(session, cipher)
            for block in blocks {
                let promise = context.eventLoop.makePromise(of: Void.self)
                promise.futureResult.assumeIsolated().whenComplete { [sessions] _ in
                    if session.output.remove(SMPLimits.block) { sessions.sessionHasRoom(session) }
                }
                context.write(wrapOutboundOut(block), promise: promise)
                unflushed += 1
                if unflushed == Self.blocksTogether { flushNow() }
            }
            return true
        } catch {
            finish(.block, context)
            return false
        }
    }

    /// Looks now and then whether the client takes anything of what waits for it.
    private func watchOutput(_ session: ServerSession, _ context: ChannelHandlerContext) {
        let sent = session.output.sent
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        stallCheck = context.eventLoop.scheduleTask(in: TimeAmount(ledger.outputLimits.patience)) {
            bound.value.checkOutput(session, since: sent)
        }
    }

    private func checkOutput(_ session: ServerSession, since sent: UInt64) {
        stallCheck = nil
        guard let context, session.output.pending > 0 else { return }
        if session.output.sent == sent { giveUp(context) } else { watchOutput(session, context) }
    }

    /// Ends a session whose client lets too much wait.
    func giveUp() {
        guard case .serving = state, let context else { return }
        giveUp(context)
    }

    private func giveUp(_ context: ChannelHandlerContext) {
        ledger.gaveUp()
        finish(.silent, context)
    }

    func close(_ reason: TransportError) {
        if let context { finish(reason, context) }
    }

    private func greet(_ details: TLSDetails, _ context: ChannelHandlerContext) {
        guard case .connecting = state else { return }
        // Without ALPN a client knows version 6 at most (SMP fact sheet §2).
        guard details.applicationProtocol != nil else { return finish(.version, context) }
        do {
            let greeting = try ServerGreeting(
                versions: configuration.versions, sessionID: details.sessionID,
                certificates: configuration.certificates)
            let block = try greeting.block()
            state = .greeting(greeting)
            startTimeout(configuration.helloTimeout, .hello, context)
            context.writeAndFlush(
                wrapOutboundOut(context.channel.allocator.buffer(bytes: block)), promise: nil)
        } catch {
            finish(.credentials(.greeting), context)
        }
    }

    private func agree(on block: [UInt8], _ greeting: ServerGreeting, _ context: ChannelHandlerContext) {
        do throws(TransportError) {
            let agreement = try greeting.agree(on: block)
            timeout?.cancel()
            let session = ServerSession(
                number: number, agreement: agreement, greeting: greeting,
                origin: context.remoteAddress.flatMap { ConnectionOrigin($0) }, output: OutputGauge(ledger: ledger),
                handler: NIOLoopBound(self, eventLoop: context.eventLoop), eventLoop: context.eventLoop)
            state = .serving(session, agreement.cipher)
            ledger.greeted(number)
            sessions.sessionStarted(session)
        } catch {
            if error == .hello(.unsupportedService), let reply = try? greeting.serviceRefusal() {
                context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: reply)), promise: nil)
            }
            finish(error, context)
        }
    }

    private func startTimeout(_ duration: Duration, _ stage: TransportStage, _ context: ChannelHandlerContext) {
        timeout?.cancel()
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        timeout = context.eventLoop.scheduleTask(in: TimeAmount(duration)) { bound.value.close(.timeout(stage)) }
    }

    private func finish(_ reason: TransportError, _ context: ChannelHandlerContext) {
        let last = state
        state = .closed
        timeout?.cancel()
        stallCheck?.cancel()
        switch last {
        case .closed: return
        case .connecting, .greeting:
            configuration.logger.debug(
                "Connection refused", metadata: ["connection": "\(number)", "reason": "\(reason)"])
        case .serving(let session, _): sessions.sessionEnded(session, reason: reason)
        }
        flushNow()
        context.close(promise: nil)
    }
}
