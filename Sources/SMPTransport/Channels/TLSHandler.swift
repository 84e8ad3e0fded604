import NIOCore
import SMPSession
import TLSChannels

/// TLS as a channel handler; fires ``TLSDetails`` as a user event when the handshake is complete.
final class TLSHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        case idle, handshaking, established, closed
    }

    private let session: TLSSession
    private var state = State.idle

    init(session: TLSSession) { self.session = session }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { start(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        start(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        state = .closed
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard state != .closed else { return }
        let buffer = unwrapInboundIn(data)
        do throws(TransportError) {
            try session.receive(buffer)
            if state != .established { try advanceHandshake(context) }
            if state == .established { try deliver(context) }
            flushOutput(context)
        } catch {
            fail(context, error)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard state == .established else {
            promise?.fail(TransportError.closed)
            return
        }
        let buffer = unwrapOutboundIn(data)
        do throws(TransportError) {
            try session.write(buffer)
            let output = session.takeOutput(context.channel.allocator) ?? ByteBuffer()
            context.write(wrapOutboundOut(output), promise: promise)
        } catch {
            promise?.fail(error)
            fail(context, error)
        }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
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
        do throws(TransportError) {
            try advanceHandshake(context)
            flushOutput(context)
        } catch {
            fail(context, error)
        }
    }

    private func advanceHandshake(_ context: ChannelHandlerContext) throws(TransportError) {
        guard try session.handshake() else { return }
        state = .established
        flushOutput(context)
        context.fireUserInboundEventTriggered(session.details())
    }

    private func deliver(_ context: ChannelHandlerContext) throws(TransportError) {
        while state == .established {
            switch try session.read(context.channel.allocator) {
            case .bytes(let plaintext): context.fireChannelRead(wrapInboundOut(plaintext))
            case .needsInput: return
            case .closed:
                context.fireErrorCaught(TransportError.closedByPeer)
                context.close(promise: nil)
                return
            }
        }
    }

    private func flushOutput(_ context: ChannelHandlerContext) {
        guard let output = session.takeOutput(context.channel.allocator) else { return }
        context.writeAndFlush(wrapOutboundOut(output), promise: nil)
    }

    private func fail(_ context: ChannelHandlerContext, _ error: TransportError) {
        guard state != .closed else { return }
        state = .closed
        // OpenSSL may have left an alert that tells the peer why.
        flushOutput(context)
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }
}

extension TLSSession: TLSRecords {}
