import Cryptography
import TestSupport
import Testing

@Suite("Frame keys", .timeLimit(.minutes(5)))
struct FrameKeyContextTests {
    let key = SecretBytes([UInt8](repeating: 0x42, count: 32))

    @Test func `a frame sealed in place is the AES-GCM of its content, again and again with one context`() throws {
        let context = try FrameKeyContext(key: key)
        var random = SeededGenerator(seed: 1)
        for count in [0, 1, 16, 1_000, 65_537] {
            let frame = random.bytes(count)
            let iv = random.bytes(12)
            let expected = try AESGCM.seal(frame, key: key, iv: iv, authenticatedData: [])
            let (sealed, tag) = try seal(frame, iv: iv, context)
            #expect(sealed == expected.ciphertext)
            #expect(tag == expected.tag)
            #expect(try open(sealed, iv: iv, tag: tag, context) == frame)
        }
    }

    @Test func `a changed frame does not open, and the context still works afterwards`() throws {
        let context = try FrameKeyContext(key: key)
        let iv = [UInt8](repeating: 3, count: 12)
        let (sealed, tag) = try seal([1, 2, 3, 4], iv: iv, context)
        var changed = sealed
        changed[0] ^= 1
        #expect(throws: CryptographyError.authenticationFailed) { try open(changed, iv: iv, tag: tag, context) }
        #expect(try open(sealed, iv: iv, tag: tag, context) == [1, 2, 3, 4])
    }

    @Test func `wrong lengths are refused`() throws {
        #expect(throws: CryptographyError.invalidLength) { try FrameKeyContext(key: .random(16)) }
        let context = try FrameKeyContext(key: key)
        #expect(throws: CryptographyError.invalidLength) {
            try seal([1], iv: [UInt8](repeating: 0, count: 11), context)
        }
        #expect(throws: CryptographyError.invalidLength) {
            try open([1], iv: [UInt8](repeating: 0, count: 12), tag: [1, 2], context)
        }
    }

    private func seal(_ frame: [UInt8], iv: [UInt8], _ context: FrameKeyContext) throws -> ([UInt8], [UInt8]) {
        var frame = frame
        var tag = [UInt8](repeating: 0, count: 16)
        try frame.withUnsafeMutableBytes { frame in
            try tag.withUnsafeMutableBytes { tag in
                try iv.withUnsafeBytes {
                    try context.seal(UnsafeRawBufferPointer(frame), into: frame, iv: $0, tag: tag)
                }
            }
        }
        return (frame, tag)
    }

    private func open(_ frame: [UInt8], iv: [UInt8], tag: [UInt8], _ context: FrameKeyContext) throws -> [UInt8] {
        var frame = frame
        try frame.withUnsafeMutableBytes { frame in
            try tag.withUnsafeBytes { tag in
                try iv.withUnsafeBytes {
                    try context.open(UnsafeRawBufferPointer(frame), into: frame, iv: $0, tag: tag)
                }
            }
        }
        return frame
    }
}
