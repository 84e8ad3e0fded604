import NIOCore

/// Cuts the decrypted stream into blocks of 16,384 bytes (SMP fact sheet §1, fact 1).
struct BlockFramer: ByteToMessageDecoder {
    typealias InboundOut = ByteBuffer

    static let blockSize = 16_384

    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) -> DecodingState {
        guard let block = buffer.readSlice(length: Self.blockSize) else { return .needMoreData }
        context.fireChannelRead(wrapInboundOut(block))
        return .continue
    }

    /// A short block at the end of the stream is dropped: it can't be read.
    mutating func decodeLast(
        context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
    ) -> DecodingState {
        while decode(context: context, buffer: &buffer) == .continue {}
        buffer.clear()
        return .needMoreData
    }
}
