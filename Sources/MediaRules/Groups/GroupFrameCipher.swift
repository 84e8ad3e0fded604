import Cryptography

/// Seals and opens the frames of one member of a group call, with the key of one step, by AES-256-GCM.
///
/// On the wire: clear prefix as in a call of two, ciphertext, tag (16 bytes), ``GroupFrameTrailer`` (8). Clear prefix and trailer are
/// authenticated. Key and salt are derived from the step's secret, the call, the member, the epoch and the step; the initialization
/// vector is the salt with stream and counter put over its last five bytes by exclusive or. Not `Sendable`: it holds one reusable cipher
/// context for one thread at a time. Allocates nothing once it is made.
package struct GroupFrameCipher {
    static let tagSize = FrameKeyContext.tagCount
    /// What sealing adds to a frame, in bytes.
    package static let overhead = tagSize + GroupFrameTrailer.size
    /// How many bytes the identifier of a call has.
    package static let callSize = 16

    package let epoch: UInt8
    package let step: UInt8
    package let member: UInt8
    private let context: FrameKeyContext
    private let salt: SecretBytes

    /// For the frames of `member` in the call with this identifier of 16 bytes.
    package init(_ key: GroupFrameKey, member: UInt8, call: [UInt8]) throws(GroupFrameError) {
        guard member > 0, call.count == Self.callSize else { throw .invalidKey }
        (epoch, step, self.member) = (key.epoch, key.step, member)
        let (keySize, saltSize) = (GroupFrameKey.secretSize, FrameKeyContext.ivCount)
        let material = HKDF.sha256(
            salt: call, inputKey: key.secret, info: Array("parley group frame 1".utf8) + [member, epoch, step],
            count: keySize + saltSize)
        do {
            context = try FrameKeyContext(key: material.part(0..<keySize))
            salt = try material.part(keySize..<keySize + saltSize)
        } catch {
            throw .invalidKey
        }
    }

    /// Writes the sealed form of `frame` to `output`, which has `frame.count + overhead` bytes.
    ///
    /// No counter may be used twice for one stream: they come from ``GroupFrameCounters``.
    package func seal(
        _ frame: UnsafeRawBufferPointer, of stream: GroupStream, counter: UInt32,
        into output: UnsafeMutableRawBufferPointer
    ) throws(GroupFrameError) {
        guard output.count == frame.count + Self.overhead else { throw .wrongSize }
        let prefix = try Self.clearPrefix(of: frame, stream: stream, count: frame.count)
        let (tag, end) = (frame.count, frame.count + Self.tagSize)
        let trailer = GroupFrameTrailer(counter: counter, epoch: epoch, step: step, stream: stream, member: member)
        for index in 0..<prefix { output[index] = frame[index] }
        trailer.encode(to: UnsafeMutableRawBufferPointer(rebasing: output[end...]))
        let sealed = UnsafeRawBufferPointer(output)
        let isDone = withParameters(trailer, clear: sealed[..<prefix], end: sealed[end...]) { vector, data in
            (try? context.seal(
                UnsafeRawBufferPointer(rebasing: frame[prefix...]),
                into: UnsafeMutableRawBufferPointer(rebasing: output[prefix..<tag]), iv: vector,
                authenticatedData: data, tag: UnsafeMutableRawBufferPointer(rebasing: output[tag..<end]))) != nil
        }
        // The lengths are right, so that libcrypto has refused its work.
        guard isDone else { throw .invalidKey }
    }

    /// Writes the plain frame to `output`, which has `frame.count - overhead` bytes; `trailer` is the frame's own.
    ///
    /// When this throws, `output` holds nothing of use and must not be passed on.
    package func open(
        _ frame: UnsafeRawBufferPointer, _ trailer: GroupFrameTrailer, into output: UnsafeMutableRawBufferPointer
    ) throws(GroupFrameError) {
        let count = try Self.openedCount(frame, stream: trailer.stream)
        guard output.count == count else { throw .wrongSize }
        guard trailer.member == member else { throw .foreignMember }
        guard trailer.epoch == epoch else { throw .unknownKey }
        guard trailer.step == step else { throw .foreignStep }
        let prefix = try Self.clearPrefix(of: frame, stream: trailer.stream, count: count)
        let end = count + Self.tagSize
        for index in 0..<prefix { output[index] = frame[index] }
        let isOpened = withParameters(trailer, clear: frame[..<prefix], end: frame[end...]) { vector, data in
            (try? context.open(
                UnsafeRawBufferPointer(rebasing: frame[prefix..<count]),
                into: UnsafeMutableRawBufferPointer(rebasing: output[prefix...]), iv: vector,
                authenticatedData: data, tag: UnsafeRawBufferPointer(rebasing: frame[count..<end]))) != nil
        }
        guard isOpened else { throw .notAuthentic }
    }

    /// How many bytes a sealed frame has once opened.
    static func openedCount(
        _ frame: UnsafeRawBufferPointer, stream: GroupStream
    ) throws(GroupFrameError) -> Int {
        guard frame.count >= overhead else { throw .tooShort }
        let count = frame.count - overhead
        _ = try clearPrefix(of: frame, stream: stream, count: count)
        return count
    }

    private static func clearPrefix(
        of frame: UnsafeRawBufferPointer, stream: GroupStream, count: Int
    ) throws(GroupFrameError) -> Int {
        guard count > 0, let first = frame.first else { throw .tooShort }
        let prefix = stream.kind.clearPrefix(firstByte: first)
        guard count >= prefix else { throw .tooShort }
        return prefix
    }

    /// Calls `body` with the initialization vector and what is authenticated without being sealed.
    private func withParameters(
        _ trailer: GroupFrameTrailer, clear: Slice<UnsafeRawBufferPointer>, end: Slice<UnsafeRawBufferPointer>,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        let vectorSize = FrameKeyContext.ivCount
        return withUnsafeTemporaryAllocation(byteCount: vectorSize + clear.count + end.count, alignment: 1) { place in
            salt.withUnsafeBytes { for index in 0..<vectorSize { place[index] = $0[index] } }
            place[7] ^= trailer.stream.rawValue
            for index in 0..<4 { place[8 + index] ^= UInt8(truncatingIfNeeded: trailer.counter >> (24 - 8 * index)) }
            for (offset, byte) in clear.enumerated() { place[vectorSize + offset] = byte }
            for (offset, byte) in end.enumerated() { place[vectorSize + clear.count + offset] = byte }
            let all = UnsafeRawBufferPointer(place)
            return body(
                UnsafeRawBufferPointer(rebasing: all[..<vectorSize]),
                UnsafeRawBufferPointer(rebasing: all[vectorSize...]))
        }
    }
}

extension GroupFrameCipher {
    /// The sealed form of `frame`.
    package func seal(_ frame: [UInt8], of stream: GroupStream, counter: UInt32) throws(GroupFrameError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: frame.count + Self.overhead)
        let result = frame.withUnsafeBytes { frame in
            output.withUnsafeMutableBytes { output in
                Result { () throws(GroupFrameError) in
                    try seal(frame, of: stream, counter: counter, into: output)
                }
            }
        }
        try result.get()
        return output
    }
}
