import Cryptography
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct FrameCipherTests {
    static let key = SecretBytes((0..<32).map { UInt8($0) })
    static let iv = (0..<12).map { UInt8($0) }
    static let frame = (0x64...0x73).map { UInt8($0) }

    /// The vectors of the Calls fact sheet §7. Its frame begins with 0x64, which VP8 would take for a key frame: for the
    /// delta frame its first byte has to have bit 0 set, so that vector is checked by what follows the prefix.
    @Test func `an encrypted key frame has the published bytes`() throws {
        let sealed = try FrameCipher(key: Self.key).encrypt(Self.frame, kind: .video, iv: Self.iv)
        #expect(
            sealed.hexadecimal
                == "6465666768696a6b6c6d296da66ab796376356f3d2ea07deed99c612bdd4c999000102030405060708090a0b")
    }

    @Test func `an encrypted Opus packet has the published bytes`() throws {
        let sealed = try FrameCipher(key: Self.key).encrypt(Self.frame, kind: .audio, iv: Self.iv)
        #expect(
            sealed.hexadecimal
                == "642264b173ac8fa977e02ff8fbc09b0b31d4c5627b5735badcc2d0e92289fbbd000102030405060708090a0b")
    }

    @Test func `an encrypted delta frame has the published bytes behind its first`() throws {
        var frame = Self.frame
        frame[0] = 0x65
        let sealed = try FrameCipher(key: Self.key).encrypt(frame, kind: .video, iv: Self.iv)
        #expect(
            sealed.dropFirst().map { $0 }.hexadecimal
                == "6566206abf71ae89af75e231e6f9c21984b5de60405f3266a53cdb6c62a98d000102030405060708090a0b")
    }

    @Test(arguments: [FrameKind.audio, .video]) func `every frame comes back as it was`(kind: FrameKind) throws {
        var generator = SeededGenerator(seed: 11)
        let cipher = try FrameCipher(key: Self.key)
        for count in [10, 11, 12, 100, 1_200, 20_000] {
            let frame = generator.bytes(count)
            let sealed = try cipher.encrypt(frame, kind: kind)
            #expect(sealed.count == count + FrameCipher.overhead)
            #expect(try cipher.decrypt(sealed, kind: kind) == frame)
        }
    }

    @Test func `the clear prefix is what the receiver may see`() throws {
        let cipher = try FrameCipher(key: Self.key)
        var frame = [UInt8](repeating: 0x55, count: 40)
        for (first, prefix) in [(UInt8(0x10), 10), (0x11, 3)] {
            frame[0] = first
            let sealed = try cipher.encrypt(frame, kind: .video)
            #expect(sealed.prefix(prefix) == frame.prefix(prefix))
            #expect(sealed[prefix..<40] != frame[prefix..<40])
        }
    }

    @Test func `two encryptions of one frame differ`() throws {
        let cipher = try FrameCipher(key: Self.key)
        #expect(try cipher.encrypt(Self.frame, kind: .audio) != cipher.encrypt(Self.frame, kind: .audio))
    }

    @Test func `a changed bit behind the prefix is noticed wherever it is`() throws {
        let cipher = try FrameCipher(key: Self.key)
        let sealed = try cipher.encrypt(Self.frame, kind: .audio)
        for index in 1..<sealed.count {
            var changed = sealed
            changed[index] ^= 1 << UInt8(index % 8)
            #expect(throws: FrameError.notAuthentic) { try cipher.decrypt(changed, kind: .audio) }
        }
    }

    @Test func `another key does not open a frame`() throws {
        let sealed = try FrameCipher(key: Self.key).encrypt(Self.frame, kind: .video)
        let other = try FrameCipher(key: SecretBytes([UInt8](repeating: 1, count: 32)))
        #expect(throws: FrameError.notAuthentic) { try other.decrypt(sealed, kind: .video) }
    }

    @Test func `prefix and vector alone are a packet of silence`() throws {
        let cipher = try FrameCipher(key: Self.key)
        for first in UInt8.min ... .max { #expect(try cipher.decrypt([first] + Self.iv, kind: .audio) == [first]) }
    }

    @Test(arguments: [(UInt8(0), 10), (1, 3)])
    func `prefix and vector alone are no picture`(first: UInt8, prefix: Int) throws {
        let cipher = try FrameCipher(key: Self.key)
        let clear = [first] + [UInt8](repeating: 9, count: prefix - 1)
        #expect(throws: FrameError.notAuthentic) { try cipher.decrypt(clear + Self.iv, kind: .video) }
    }

    @Test func `a frame of any impossible length is too short`() throws {
        let cipher = try FrameCipher(key: Self.key)
        for count in 0..<38 where count != 22 {
            #expect(throws: FrameError.tooShort) {
                try cipher.decrypt([UInt8](repeating: 0, count: count), kind: .video)
            }
        }
    }

    @Test func `a frame shorter than its prefix is not encrypted`() throws {
        let cipher = try FrameCipher(key: Self.key)
        #expect(throws: FrameError.tooShort) { try cipher.encrypt([], kind: .audio) }
        #expect(throws: FrameError.tooShort) { try cipher.encrypt([0, 1, 2], kind: .video) }
    }

    @Test func `a key of another length is refused`() {
        #expect(throws: CryptographyError.self) { try FrameCipher(key: SecretBytes([1, 2, 3])) }
    }
}
