import CZstd

/// Frames of Zstandard (RFC 8878), in which peers send bodies that are too long otherwise (Calls fact sheet §1).
enum Zstandard {
    /// The level that other programs use.
    private static let level: Int32 = 3

    /// Compresses to one frame; nil if the library can't.
    static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        let frame = [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(bytes.count)) { buffer, count in
            let written = ZSTD_compress(buffer.baseAddress, buffer.count, bytes, bytes.count, level)
            count = ZSTD_isError(written) == 0 ? written : 0
        }
        return frame.isEmpty ? nil : frame
    }

    /// The content of a frame, or of several on end. No more memory than the limit is used, whatever the frame says.
    ///
    /// - Parameter limit: of the content, in bytes.
    /// - Throws: `SignalingError.malformedCompression`, or `.tooLarge` for more content than the limit.
    static func decompress(_ frame: [UInt8], limit: Int) throws(SignalingError) -> [UInt8] {
        let announced = ZSTD_getFrameContentSize(frame, frame.count)
        guard announced != parley_zstd_size_error else { throw .malformedCompression }
        if announced != parley_zstd_size_unknown, announced > UInt64(limit) {
            throw .tooLarge(count: Int(clamping: announced), limit: limit)
        }
        var failure: SignalingError?
        let content = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            let written = ZSTD_decompress(buffer.baseAddress, buffer.count, frame, frame.count)
            guard ZSTD_isError(written) == 0 else {
                failure =
                    ZSTD_getErrorCode(written) == ZSTD_error_dstSize_tooSmall
                    ? .tooLarge(count: limit + 1, limit: limit) : .malformedCompression
                count = 0
                return
            }
            count = written
        }
        if let failure { throw failure }
        return content
    }
}
