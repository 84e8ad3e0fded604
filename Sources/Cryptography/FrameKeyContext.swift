/// AES-256-GCM for media frames: one key, 12-byte vectors, between raw buffers.
///
/// The context is set up once and used for every frame; it is not for two threads at a time.
public final class FrameKeyContext {
    /// Length of the initialisation vector.
    public static let ivCount = 12
    /// Length of the tag.
    public static let tagCount = CipherContext.tagCount

    private let context: CipherContext

    /// - Throws: `CryptographyError.invalidLength` when the key is not 32 bytes.
    public init(key: SecretBytes) throws {
        context = try CipherContext()
        try context.setKey(key, ivCount: Self.ivCount)
    }

    /// Encrypts `input` into `output`, which is as long and may be the same memory, and writes the 16 bytes of `tag`, which is also
    /// over `authenticatedData`.
    ///
    /// - Throws: `CryptographyError.invalidLength` for an output, vector or tag of another length.
    public func seal(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, iv: UnsafeRawBufferPointer,
        authenticatedData: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
        tag: UnsafeMutableRawBufferPointer
    ) throws {
        guard iv.count == Self.ivCount, tag.count == Self.tagCount else { throw CryptographyError.invalidLength }
        try context.seal(input, into: output, iv: iv, authenticatedData: authenticatedData, tag: tag)
    }

    /// Decrypts `input` into `output`, which is as long and may be the same memory; when this throws, it holds garbage.
    ///
    /// - Throws: `CryptographyError.invalidLength` for an output, vector or tag of another length, `.authenticationFailed` when
    ///   the frame was changed or sealed with another key.
    public func open(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, iv: UnsafeRawBufferPointer,
        authenticatedData: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
        tag: UnsafeRawBufferPointer
    ) throws {
        guard iv.count == Self.ivCount, tag.count == Self.tagCount else { throw CryptographyError.invalidLength }
        try context.open(input, into: output, iv: iv, authenticatedData: authenticatedData, tag: tag)
    }
}
