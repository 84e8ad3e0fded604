import NIOCore

/// TLS as a channel handler, at either end of a connection.
package final class TLSHandler<Session: TLSRecords>: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    /// What those behind the handler are told.
    package struct Reports {
        /// Whether they hear of the channel when it is there, not only once the handshake is complete.
        var isActiveAtOnce: Bool
        /// Called when the handshake is complete.
        var established: (ChannelHandlerContext, Session) -> Void
        /// The error for what TLS says.
        var failure: (Session.Failure) -> any Error
        /// The error for bytes that are written before the handshake is complete, or behind the end.
        var notOpen: any Error
        /// The error for a channel that ends within the handshake; nil: it just ends.
        var endInHandshake: (any Error)?
        /// The error when the peer ends the session; nil: the channel just ends.
        var endByPeer: (any Error)?

        package init(
            isActiveAtOnce: Bool, established: @escaping (ChannelHandlerContext, Session) -> Void,
            failure: @escaping (Session.Failure) -> any Error, notOpen: any Error, endInHandshake: (any Error)? = nil,
            endByPeer: (any Error)? = nil
        ) {
            (self.isActiveAtOnce, self.established, self.failure) = (isActiveAtOnce, established, failure)
            (self.notOpen, self.endInHandshake, self.endByPeer) = (notOpen, endInHandshake, endByPeer)
        }
    }

    private enum State {
        case idle, handshaking, established, closed
    }

    private let session: Session
    private let reports: Reports
    private var state = State.idle

    package init(session: Session, reports: Reports) { (self.session, self.reports) = (session, reports) }

    package func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { start(context) }
    }

    package func channelActive(context: ChannelHandlerContext) {
        start(context)
        if reports.isActiveAtOnce { context.fireChannelActive() }
    }

    package func channelInactive(context: ChannelHandlerContext) {
        if state == .handshaking, let error = reports.endInHandshake { context.fireErrorCaught(error) }
        state = .closed
        context.fireChannelInactive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard state != .closed else { return }
        let buffer = unwrapInboundIn(data)
        attempt(context) { () throws(Session.Failure) in
            try session.receive(buffer)
            if state != .established { try advanceHandshake(context) }
            if state == .established { try deliver(context) }
        }
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard state == .established else {
            promise?.fail(reports.notOpen)
            return
        }
        let buffer = unwrapOutboundIn(data)
        do throws(Session.Failure) {
            try session.write(buffer)
            let output = session.takeOutput(context.channel.allocator) ?? ByteBuffer()
            context.write(wrapOutboundOut(output), promise: promise)
        } catch {
            promise?.fail(reports.failure(error))
            fail(context, error)
        }
    }

    package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if state == .established || state == .handshaking {
            state = .closed
            session.shutDown()
            flushOutput(context)
        }
        context.close(mode: mode, promise: promise)
    }

    private func start(_ context: ChannelHandlerContext) {
        guard state == .idle else { return }
        state = .handshaking
        attempt(context) { () throws(Session.Failure) in try advanceHandshake(context) }
    }

    private func attempt(_ context: ChannelHandlerContext, _ body: () throws(Session.Failure) -> Void) {
        do throws(Session.Failure) {
            try body()
            flushOutput(context)
        } catch {
            fail(context, error)
        }
    }

    private func advanceHandshake(_ context: ChannelHandlerContext) throws(Session.Failure) {
        guard try session.handshake() else { return }
        state = .established
        flushOutput(context)
        reports.established(context, session)
    }

    private func deliver(_ context: ChannelHandlerContext) throws(Session.Failure) {
        while state == .established {
            switch try session.read(context.channel.allocator) {
            case .bytes(let plaintext): context.fireChannelRead(wrapInboundOut(plaintext))
            case .needsInput: return
            case .closed:
                if let error = reports.endByPeer { context.fireErrorCaught(error) }
                context.close(promise: nil)
                return
            }
        }
    }

    private func flushOutput(_ context: ChannelHandlerContext) {
        guard let output = session.takeOutput(context.channel.allocator) else { return }
        context.writeAndFlush(wrapOutboundOut(output), promise: nil)
    }

    private func fail(_ context: ChannelHandlerContext, _ error: Session.Failure) {
        guard state != .closed else { return }
        state = .closed
        // OpenSSL may have left an alert that tells the peer why.
        flushOutput(context)
        context.fireErrorCaught(reports.failure(error))
        context.close(promise: nil)
    }
}
