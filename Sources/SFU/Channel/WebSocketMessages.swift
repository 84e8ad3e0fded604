import NIOCore
import NIOWebSocket

/// Whole texts in and out of WebSocket frames; answers what the protocol wants answered (RFC 6455 §5.5).
final class WebSocketMessages: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = WebSocketFrame

    private var isClosing = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        guard !isClosing else { return }
        switch frame.opcode {
        case .text: context.fireChannelRead(wrapInboundOut(frame.unmaskedData))
        case .ping: send(.pong, frame.unmaskedData, context)
        case .connectionClose:
            isClosing = true
            send(.connectionClose, frame.unmaskedData, context)
            context.close(promise: nil)
        // Janus sends texts alone; what else comes is passed over.
        default: break
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let frame = WebSocketFrame(fin: true, opcode: .text, maskKey: .random(), data: unwrapOutboundIn(data))
        context.write(wrapOutboundOut(frame), promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if !isClosing, context.channel.isActive {
            isClosing = true
            // 1000, normal closure (RFC 6455 §7.4.1).
            send(.connectionClose, ByteBuffer(bytes: [0x03, 0xE8]), context)
        }
        context.close(mode: mode, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A peer that breaks the protocol, or sends more than is taken.
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }

    private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext) {
        let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }
}
