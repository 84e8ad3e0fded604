import Cryptography

/// Padding to a fixed length (SMP fact sheet §1): two length bytes, the message, then `#`.
public enum Padding {
    /// Bytes of the length in front.
    static let lengthCount = 2
    private static let fill = UInt8(ascii: "#")

    /// Pads `message` to `count` bytes in total.
    ///
    /// - Throws: `SMPEncodingError.tooLong` when message and length do not fit.
    public static func pad(_ message: [UInt8], to count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { output, written in
            let whole = UnsafeMutableRawBufferPointer(output)[..<count]
            try pad(message, into: UnsafeMutableRawBufferPointer(rebasing: whole))
            written = count
        }
    }

    /// Pads `message` to the whole of `output`.
    ///
    /// - Throws: `SMPEncodingError.tooLong` when message and length do not fit.
    static func pad(_ message: [UInt8], into output: UnsafeMutableRawBufferPointer) throws {
        guard fits(message, output.count) else { throw SMPEncodingError.tooLong }
        write(message, to: output[...])
    }

    /// Pads `message` to `count` bytes in the place where it is sealed.
    ///
    /// - Throws: `SMPEncodingError.tooLong` when message and length do not fit.
    static func seal(_ message: [UInt8], to count: Int, secret: SecretBytes, nonce: [UInt8]) throws -> [UInt8] {
        guard fits(message, count) else { throw SMPEncodingError.tooLong }
        return CryptoBox.seal(count: count, secret: secret, nonce: nonce) { write(message, to: $0[...]) }
    }

    /// Pads `message` in the place where it is sealed, to the whole of `box` but for its tag.
    ///
    /// - Throws: `SMPEncodingError.tooLong` when message and length do not fit.
    static func seal(
        _ message: [UInt8], into box: UnsafeMutableRawBufferPointer, secret: SecretBytes, nonce: [UInt8]
    ) throws {
        guard fits(message, box.count - CryptoBox.tagCount) else { throw SMPEncodingError.tooLong }
        CryptoBox.seal(into: box, secret: secret, nonce: nonce) { write(message, to: $0[...]) }
    }

    private static func fits(_ message: [UInt8], _ count: Int) -> Bool {
        message.count <= min(count - lengthCount, Int(UInt16.max))
    }

    private static func write(_ message: [UInt8], to output: Slice<UnsafeMutableRawBufferPointer>) {
        let output = UnsafeMutableRawBufferPointer(rebasing: output)
        output[0] = UInt8(truncatingIfNeeded: message.count >> 8)
        output[1] = UInt8(truncatingIfNeeded: message.count)
        let end = lengthCount + message.count
        UnsafeMutableRawBufferPointer(rebasing: output[lengthCount..<end]).copyBytes(from: message)
        UnsafeMutableRawBufferPointer(rebasing: output[end...]).initializeMemory(as: UInt8.self, repeating: fill)
    }

    /// The message inside; the fill is not looked at.
    ///
    /// - Throws: `SMPDecodingError.truncated` when the length reaches beyond the end.
    public static func unpad(_ padded: [UInt8]) throws -> [UInt8] {
        var reader = ByteReader(padded)
        return try reader.large()
    }
}
