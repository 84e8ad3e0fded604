import CSodium

/// Seals a sequence of chunks under one key, so that none can be changed, left out, repeated, or cut off at the end
/// (libsodium's secretstream: XChaCha20 and Poly1305).
///
/// `SealedStreamWriter` and `SealedStreamReader` belong to one user at a time.
public enum SealedStream {
    /// Bytes of the key.
    public static let keyCount = Int(crypto_secretstream_xchacha20poly1305_KEYBYTES)
    /// Bytes that stand before the chunks, in clear.
    public static let headerCount = Int(crypto_secretstream_xchacha20poly1305_HEADERBYTES)
    /// How many bytes longer than its content a sealed chunk is.
    public static let overhead = Int(crypto_secretstream_xchacha20poly1305_ABYTES)
}

/// The side that seals.
public final class SealedStreamWriter {
    /// What the reader needs besides the key.
    public let header: [UInt8]
    private var state: crypto_secretstream_xchacha20poly1305_state

    /// Begins a stream.
    ///
    /// - Throws: `CryptographyError.invalidLength` for a key of another size than 32 bytes.
    public init(key: SecretBytes) throws {
        Sodium.start()
        guard key.count == SealedStream.keyCount else { throw CryptographyError.invalidLength }
        var header = [UInt8](repeating: 0, count: SealedStream.headerCount)
        var made = crypto_secretstream_xchacha20poly1305_state()
        let status = key.withPointer { crypto_secretstream_xchacha20poly1305_init_push(&made, &header, $0) }
        (self.header, state) = (header, made)
        sodium_memzero(&made, MemoryLayout.size(ofValue: made))
        guard status == 0 else { throw CryptographyError.unavailable("secretstream") }
    }

    deinit { sodium_memzero(&state, MemoryLayout.size(ofValue: state)) }

    /// The next chunk, sealed.
    ///
    /// - Parameters:
    ///   - isLast: that no chunk follows; the reader learns it.
    ///   - associatedData: what the reader has to name as well.
    public func seal(_ chunk: [UInt8], isLast: Bool = false, associatedData: [UInt8] = []) throws -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: chunk.count + SealedStream.overhead)
        let tag =
            isLast
            ? crypto_secretstream_xchacha20poly1305_tag_final() : crypto_secretstream_xchacha20poly1305_tag_message()
        let status = crypto_secretstream_xchacha20poly1305_push(
            &state, &sealed, nil, chunk, UInt64(chunk.count), associatedData, UInt64(associatedData.count), tag)
        guard status == 0 else { throw CryptographyError.unavailable("secretstream") }
        return sealed
    }
}

/// The side that opens.
public final class SealedStreamReader {
    private var state = crypto_secretstream_xchacha20poly1305_state()

    /// Begins to read a stream.
    ///
    /// - Throws: `CryptographyError.invalidLength` for a key or header of another size.
    public init(key: SecretBytes, header: [UInt8]) throws {
        Sodium.start()
        guard key.count == SealedStream.keyCount, header.count == SealedStream.headerCount else {
            throw CryptographyError.invalidLength
        }
        let status = key.withPointer { crypto_secretstream_xchacha20poly1305_init_pull(&state, header, $0) }
        guard status == 0 else { throw CryptographyError.authenticationFailed }
    }

    deinit { sodium_memzero(&state, MemoryLayout.size(ofValue: state)) }

    /// The next chunk, and whether it is the last one.
    ///
    /// - Throws: `CryptographyError.authenticationFailed` for what is not the next chunk of this stream.
    public func open(
        _ sealed: [UInt8], associatedData: [UInt8] = []
    ) throws -> (chunk: [UInt8], isLast: Bool) {
        guard sealed.count >= SealedStream.overhead else { throw CryptographyError.authenticationFailed }
        var chunk = [UInt8](repeating: 0, count: sealed.count - SealedStream.overhead)
        var tag: UInt8 = 0
        let status = crypto_secretstream_xchacha20poly1305_pull(
            &state, &chunk, nil, &tag, sealed, UInt64(sealed.count), associatedData, UInt64(associatedData.count))
        guard status == 0 else { throw CryptographyError.authenticationFailed }
        return (chunk, tag == crypto_secretstream_xchacha20poly1305_tag_final())
    }
}
