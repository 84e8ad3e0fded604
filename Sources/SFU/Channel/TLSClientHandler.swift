import NIOCore
import SFURules
import TLS
import TLSChannels

/// TLS towards a call server as a channel handler. Those behind it hear of the channel when the handshake is complete and the certificate is
/// good.
final class TLSClientHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        case idle, handshaking, established, closed
    }

    private let session: OpenSSLSession
    private var state = State.idle

    init(session: OpenSSLSession) { self.session = session }

    func channelActive(context: ChannelHandlerContext) {
        guard state == .idle else { return }
        state = .handshaking
        attempt(context) { () throws(TLSFailure) in try advance(context) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if state == .handshaking { context.fireErrorCaught(SFUError.unreachable(reason: "it closed the connection")) }
        state = .closed
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard state == .handshaking || state == .established else { return }
        let buffer = unwrapInboundIn(data)
        attempt(context) { () throws(TLSFailure) in
            try session.receive(buffer)
            if state == .handshaking { try advance(context) }
            if state == .established { try deliver(context) }
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard state == .established else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        let buffer = unwrapOutboundIn(data)
        do throws(TLSFailure) {
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

    private func attempt(_ context: ChannelHandlerContext, _ body: () throws(TLSFailure) -> Void) {
        do throws(TLSFailure) {
            try body()
            flushOutput(context)
        } catch {
            fail(context, error)
        }
    }

    private func advance(_ context: ChannelHandlerContext) throws(TLSFailure) {
        guard try session.handshake() else { return }
        state = .established
        flushOutput(context)
        context.fireChannelActive()
    }

    private func deliver(_ context: ChannelHandlerContext) throws(TLSFailure) {
        while state == .established {
            switch try session.read(context.channel.allocator) {
            case .bytes(let plaintext): context.fireChannelRead(wrapInboundOut(plaintext))
            case .needsInput: return
            case .closed:
                context.close(promise: nil)
                return
            }
        }
    }

    private func flushOutput(_ context: ChannelHandlerContext) {
        guard let output = session.takeOutput(context.channel.allocator) else { return }
        context.writeAndFlush(wrapOutboundOut(output), promise: nil)
    }

    private func fail(_ context: ChannelHandlerContext, _ error: TLSFailure) {
        guard state != .closed else { return }
        state = .closed
        // OpenSSL may have left an alert that tells the peer why.
        flushOutput(context)
        context.fireErrorCaught(SFUError(error))
        context.close(promise: nil)
    }
}

extension SFUError {
    /// What a failure of TLS means.
    init(_ failure: TLSFailure) {
        switch failure {
        case .certificate(let reason): self = .certificate(reason: reason)
        case .authorities: self = .authorities
        case .noApplicationProtocol: self = .unreachable(reason: "no application protocol")
        case .other(let reason): self = .unreachable(reason: reason ?? "it closed the connection")
        }
    }
}
