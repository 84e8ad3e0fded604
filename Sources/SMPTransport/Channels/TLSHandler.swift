import NIOCore
import SMPSession

/// TLS as a channel handler; fires ``TLSDetails`` as a user event when the handshake is complete.
final class TLSHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        case idle, handshaking, established, closed
    }

    /// The largest plaintext of a TLS record (RFC 8446 §5.1); an SMP block is exactly as large.
    private static let recordSize = 16_384

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
            try receive(buffer)
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
            try encrypt(buffer)
            context.write(wrapOutboundOut(takeOutput(context)), promise: promise)
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
            var plaintext = context.channel.allocator.buffer(capacity: Self.recordSize)
            let result = try decrypt(into: &plaintext)
            switch result {
            case .bytes: context.fireChannelRead(wrapInboundOut(plaintext))
            case .needsInput: return
            case .closed:
                context.fireErrorCaught(TransportError.closedByPeer)
                context.close(promise: nil)
                return
            }
        }
    }

    private func receive(_ buffer: ByteBuffer) throws(TransportError) {
        let result = buffer.withUnsafeReadableBytes { bytes in
            Result { () throws(TransportError) in try session.receive(bytes) }
        }
        try result.get()
    }

    private func encrypt(_ buffer: ByteBuffer) throws(TransportError) {
        let result = buffer.withUnsafeReadableBytes { bytes in
            Result { () throws(TransportError) in try session.write(bytes) }
        }
        try result.get()
    }

    private func decrypt(into buffer: inout ByteBuffer) throws(TransportError) -> TLSSession.ReadResult {
        var result: Result<TLSSession.ReadResult, TransportError> = .success(.needsInput)
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.recordSize) { bytes in
            result = Result { () throws(TransportError) in try session.read(into: bytes) }
            if case .success(.bytes(let count)) = result { return count }
            return 0
        }
        return try result.get()
    }

    private func takeOutput(_ context: ChannelHandlerContext) -> ByteBuffer {
        let count = session.pendingOutput
        var output = context.channel.allocator.buffer(capacity: count)
        output.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in session.takeOutput(into: bytes) }
        return output
    }

    private func flushOutput(_ context: ChannelHandlerContext) {
        guard session.pendingOutput > 0 else { return }
        context.writeAndFlush(wrapOutboundOut(takeOutput(context)), promise: nil)
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
