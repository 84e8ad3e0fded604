import Cryptography

/// Why an encrypted frame was not accepted, or a frame could not be encrypted.
package enum FrameError: Error, Equatable, Sendable {
    /// Shorter than its clear prefix and what must follow it.
    case tooShort
    /// The tag does not fit: another key, or changed on the way.
    case notAuthentic
    /// The place for the result has the wrong size.
    case wrongSize
}

/// Encrypts and decrypts single encoded frames with AES-256-GCM (Calls fact sheet §7).
///
/// On the wire: clear prefix, ciphertext, tag (16 bytes), initialization vector (12 random bytes, last). There is no
/// additional authenticated data. Not `Sendable`: it holds one reusable cipher context for one thread at a time.
package struct FrameCipher {
    static let tagSize = 16
    static let ivSize = 12
    /// What encryption adds to a frame, in bytes.
    package static let overhead = tagSize + ivSize

    private let context: FrameKeyContext
    private let vectors = RandomSupply()

    /// `key` has 32 bytes. Throws `CryptographyError` for another length.
    package init(key: SecretBytes) throws {
        context = try FrameKeyContext(key: key)
    }

    /// Writes the encrypted form of `frame`, with a random initialization vector, to `output`, which has
    /// `frame.count + overhead` bytes. Allocates nothing.
    ///
    /// Always the full form, with a tag even for an empty remainder: every receiver takes it.
    package func encrypt(
        _ frame: UnsafeRawBufferPointer, kind: FrameKind, into output: UnsafeMutableRawBufferPointer
    ) throws {
        guard output.count == frame.count + Self.overhead else { throw FrameError.wrongSize }
        vectors.fill(UnsafeMutableRawBufferPointer(rebasing: output[(frame.count + Self.tagSize)...]))
        try seal(frame, kind: kind, into: output)
    }

    /// Seals with the vector that stands at the end of `output`.
    private func seal(
        _ frame: UnsafeRawBufferPointer, kind: FrameKind, into output: UnsafeMutableRawBufferPointer
    ) throws {
        guard let firstByte = frame.first else { throw FrameError.tooShort }
        let prefix = kind.clearPrefix(firstByte: firstByte)
        guard frame.count >= prefix else { throw FrameError.tooShort }
        let (tag, vector) = (frame.count, frame.count + Self.tagSize)
        for index in 0..<prefix { output[index] = frame[index] }
        try context.seal(
            UnsafeRawBufferPointer(rebasing: frame[prefix...]),
            into: UnsafeMutableRawBufferPointer(rebasing: output[prefix..<tag]),
            iv: UnsafeRawBufferPointer(rebasing: output[vector...]),
            tag: UnsafeMutableRawBufferPointer(rebasing: output[tag..<vector]))
    }

    /// How many bytes `frame` has once decrypted. Throws `FrameError`.
    ///
    /// A prefix and a vector alone are the web client's form of a frame with nothing behind the prefix. Of sound that is a packet of
    /// one byte, as Opus makes of silence: it is taken although it has no tag, since it holds no sound. No picture is so small.
    package static func decryptedCount(_ frame: UnsafeRawBufferPointer, kind: FrameKind) throws(FrameError) -> Int {
        guard let firstByte = frame.first else { throw .tooShort }
        let prefix = kind.clearPrefix(firstByte: firstByte)
        if frame.count == prefix + ivSize {
            guard kind == .audio else { throw .notAuthentic }
            return prefix
        }
        guard frame.count >= prefix + overhead else { throw .tooShort }
        return frame.count - overhead
    }

    /// Writes the plain frame to `output`, which has `decryptedCount(frame, kind:)` bytes.
    ///
    /// Throws `FrameError`; `output` then holds nothing of use and must not be passed on.
    package func decrypt(
        _ frame: UnsafeRawBufferPointer, kind: FrameKind, into output: UnsafeMutableRawBufferPointer
    ) throws(FrameError) {
        let count = try Self.decryptedCount(frame, kind: kind)
        guard output.count == count else { throw .wrongSize }
        guard frame.count == count + Self.overhead, let firstByte = frame.first else {
            return output.copyMemory(from: UnsafeRawBufferPointer(rebasing: frame[..<count]))
        }
        let prefix = kind.clearPrefix(firstByte: firstByte)
        let ivStart = count + Self.tagSize
        for index in 0..<prefix { output[index] = frame[index] }
        do {
            try context.open(
                UnsafeRawBufferPointer(rebasing: frame[prefix..<count]),
                into: UnsafeMutableRawBufferPointer(rebasing: output[prefix...]),
                iv: UnsafeRawBufferPointer(rebasing: frame[ivStart...]),
                tag: UnsafeRawBufferPointer(rebasing: frame[count..<ivStart]))
        } catch {
            throw .notAuthentic
        }
    }
}

extension FrameCipher {
    /// What is no frame, sealed as a whole: ciphertext, tag, random initialization vector.
    func sealWhole(_ bytes: [UInt8]) throws -> [UInt8] {
        var output = bytes + [UInt8](repeating: 0, count: Self.tagSize) + randomBytes(Self.ivSize)
        try output.withUnsafeMutableBytes { place in
            let (tag, vector) = (bytes.count, bytes.count + Self.tagSize)
            try context.seal(
                UnsafeRawBufferPointer(rebasing: place[..<tag]),
                into: UnsafeMutableRawBufferPointer(rebasing: place[..<tag]),
                iv: UnsafeRawBufferPointer(rebasing: place[vector...]),
                tag: UnsafeMutableRawBufferPointer(rebasing: place[tag..<vector]))
        }
        return output
    }

    /// What was sealed as a whole. Throws ``FrameError``.
    func openWhole(_ sealed: [UInt8]) throws(FrameError) -> [UInt8] {
        guard sealed.count > Self.overhead else { throw .tooShort }
        var output = Array(sealed.dropLast(Self.overhead))
        do {
            try output.withUnsafeMutableBytes { place in
                try sealed.withUnsafeBytes { sealed in
                    let vector = sealed.count - Self.ivSize
                    try context.open(
                        UnsafeRawBufferPointer(place), into: place,
                        iv: UnsafeRawBufferPointer(rebasing: sealed[vector...]),
                        tag: UnsafeRawBufferPointer(rebasing: sealed[place.count..<vector]))
                }
            }
        } catch {
            throw .notAuthentic
        }
        return output
    }
}

extension FrameCipher {
    /// The encrypted form of `frame` with a random initialization vector.
    package func encrypt(_ frame: [UInt8], kind: FrameKind) throws -> [UInt8] {
        var output = [UInt8](repeating: 0, count: frame.count + Self.overhead)
        try frame.withUnsafeBytes { frame in
            try output.withUnsafeMutableBytes { try encrypt(frame, kind: kind, into: $0) }
        }
        return output
    }

    /// The encrypted form of `frame` with a given initialization vector (for test vectors).
    package func encrypt(_ frame: [UInt8], kind: FrameKind, iv: [UInt8]) throws -> [UInt8] {
        guard iv.count == Self.ivSize else { throw FrameError.wrongSize }
        var output = frame + [UInt8](repeating: 0, count: Self.tagSize) + iv
        try frame.withUnsafeBytes { frame in
            try output.withUnsafeMutableBytes { try seal(frame, kind: kind, into: $0) }
        }
        return output
    }

    /// The plain frame of `frame`. Throws `FrameError`.
    package func decrypt(_ frame: [UInt8], kind: FrameKind) throws -> [UInt8] {
        try frame.withUnsafeBytes { frame in
            var output = [UInt8](repeating: 0, count: try Self.decryptedCount(frame, kind: kind))
            try output.withUnsafeMutableBytes { try decrypt(frame, kind: kind, into: $0) }
            return output
        }
    }
}
