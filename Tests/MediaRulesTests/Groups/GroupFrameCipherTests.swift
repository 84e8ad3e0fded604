import BaseKit
import Cryptography
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct GroupFrameCipherTests {
    private let vectors: VectorValue
    private let call: [UInt8]
    private let secret: SecretBytes

    init() throws {
        vectors = try Vectors.group("group_frames")
        call = try #require(vectors["call"].bytes)
        secret = SecretBytes(try #require(vectors["secret"].bytes))
    }

    private func cipher(epoch: UInt8 = 1, step: UInt8 = 0, member: UInt8 = 3) throws -> GroupFrameCipher {
        try GroupFrameCipher(GroupFrameKey(epoch: epoch, step: step, secret: secret), member: member, call: call)
    }

    private func open(_ frame: [UInt8], by cipher: GroupFrameCipher) throws -> [UInt8] {
        var output = [UInt8](repeating: 0, count: max(frame.count - GroupFrameCipher.overhead, 0))
        try frame.withUnsafeBytes { frame in
            try output.withUnsafeMutableBytes {
                try cipher.open(frame, GroupFrameTrailer(endOf: frame), into: $0)
            }
        }
        return output
    }

    @Test func `the next step's secret is that of an independent HKDF`() throws {
        let key = try GroupFrameKey(epoch: 0, step: 0, secret: secret)
        #expect(try key.next(in: call).secret.bytes == vectors["first_step"].bytes)
        #expect(try key.next(in: call).step == 1)
    }

    @Test func `sealed frames have the bytes that an independent program gives them`() throws {
        #expect(vectors["frames"].items.count == 7)
        for vector in vectors["frames"].items {
            let number: (String) throws -> Int = { try #require(vector[$0].integer) }
            let (member, epoch) = (UInt8(try number("member")), UInt8(try number("epoch")))
            var key = try GroupFrameKey(epoch: epoch, step: 0, secret: secret)
            while key.step < (try number("step")) { key = try key.next(in: call) }
            let cipher = try GroupFrameCipher(key, member: member, call: call)
            let stream = try #require(GroupStream(rawValue: UInt8(try number("stream"))))
            let frame = try #require(vector["frame"].bytes)
            let sealed = try cipher.seal(frame, of: stream, counter: UInt32(try number("counter")))
            #expect(sealed.hexadecimal == vector["sealed"].string)
            #expect(try open(sealed, by: cipher) == frame)
        }
    }

    @Test func `every frame comes back as it was`() throws {
        var generator = SeededGenerator(seed: 23)
        let cipher = try cipher()
        for stream in GroupStream.allCases {
            for count in [10, 11, 12, 100, 1_200, 20_000] {
                let frame = generator.bytes(count)
                let sealed = try cipher.seal(frame, of: stream, counter: generator.next(upperBound: .max))
                #expect(sealed.count == count + 24)
                #expect(try open(sealed, by: cipher) == frame)
            }
        }
    }

    @Test(arguments: [(GroupStream.sound, UInt8(0x78), 1), (.high, 0x10, 10), (.low, 0x11, 3), (.screen, 0x10, 10)])
    func `the clear bytes are what a forwarder may see`(stream: GroupStream, first: UInt8, prefix: Int) throws {
        let frame = [first] + [UInt8](repeating: 0x55, count: 39)
        let sealed = try cipher().seal(frame, of: stream, counter: 4)
        #expect(sealed.prefix(prefix) == frame.prefix(prefix))
        #expect(sealed[prefix..<40] != frame[prefix..<40])
    }

    @Test(arguments: GroupStream.allCases)
    func `nothing of a frame behind its clear bytes, and nothing of the secret, stands in what is forwarded`(
        stream: GroupStream
    ) throws {
        var generator = SeededGenerator(seed: UInt64(stream.rawValue))
        let (length, cipher) = (4, try cipher())
        for _ in 0..<20 {
            let frame = generator.bytes(200)
            let sealed = try cipher.seal(frame, of: stream, counter: generator.next(upperBound: .max))
            let pieces = Set((0...sealed.count - length).map { Array(sealed[$0..<$0 + length]) })
            let hidden = Array(frame.dropFirst(stream.kind.clearPrefix(firstByte: frame[0]))) + secret.bytes
            for start in 0...hidden.count - length {
                #expect(!pieces.contains(Array(hidden[start..<start + length])))
            }
        }
    }

    @Test(arguments: GroupStream.allCases) func `each changed bit is refused`(stream: GroupStream) throws {
        let cipher = try cipher()
        let frame = [0x10] + (1..<24).map { UInt8($0) }
        let sealed = try cipher.seal(frame, of: stream, counter: 70_000)
        for index in sealed.indices {
            for bit in UInt8(0)..<8 {
                var changed = sealed
                changed[index] ^= 1 << bit
                #expect(throws: GroupFrameError.self) { try open(changed, by: cipher) }
            }
        }
        #expect(try open(sealed, by: cipher) == frame)
    }

    @Test func `a frame opens with no other secret, call, member, epoch or step`() throws {
        let frame = [UInt8](repeating: 9, count: 30)
        let sealed = try cipher().seal(frame, of: .sound, counter: 1)
        var relabelled = sealed
        // Each alone, with a trailer that claims what the cipher is for, so that the tag alone decides.
        func refuses(_ cipher: GroupFrameCipher) -> Bool {
            relabelled = sealed
            let end = relabelled.count
            (relabelled[end - 4], relabelled[end - 3], relabelled[end - 1]) = (cipher.epoch, cipher.step, cipher.member)
            return (try? open(relabelled, by: cipher)) == nil
        }
        #expect(try refuses(cipher(epoch: 2)) && refuses(cipher(step: 1)) && refuses(cipher(member: 4)))
        let other = try GroupFrameKey(epoch: 1, step: 0, secret: SecretBytes([UInt8](repeating: 5, count: 32)))
        #expect(try refuses(GroupFrameCipher(other, member: 3, call: call)))
        let here = try GroupFrameKey(epoch: 1, step: 0, secret: secret)
        #expect(try refuses(GroupFrameCipher(here, member: 3, call: [UInt8](repeating: 8, count: 16))))
        #expect(try !refuses(cipher()))
    }

    @Test func `two streams with one counter are sealed with other vectors`() throws {
        let frame = [UInt8](repeating: 0x11, count: 60)
        let (high, low) = try (
            cipher().seal(frame, of: .high, counter: 5), cipher().seal(frame, of: .low, counter: 5)
        )
        #expect(high[3..<60] != low[3..<60])
    }

    @Test func `a frame of an impossible length is too short`() throws {
        let cipher = try cipher()
        for (stream, first, prefix) in [(GroupStream.sound, UInt8(1), 1), (.high, 0x11, 3), (.high, 0x10, 10)] {
            for count in 0..<24 + prefix {
                var frame = [UInt8](repeating: 0, count: count)
                if count > 0 { frame[0] = first }
                if count >= 8 { (frame[count - 2], frame[count - 1], frame[count - 4]) = (stream.rawValue, 3, 1) }
                #expect(throws: GroupFrameError.tooShort) { try open(frame, by: cipher) }
            }
            #expect(throws: GroupFrameError.tooShort) {
                try cipher.seal([UInt8](repeating: first, count: prefix - 1), of: stream, counter: 0)
            }
        }
    }

    @Test func `keys, calls and members of impossible sizes are refused`() throws {
        #expect(throws: GroupFrameError.invalidKey) {
            try GroupFrameKey(epoch: 0, step: 0, secret: SecretBytes([1, 2]))
        }
        let key = try GroupFrameKey(epoch: 0, step: 255, secret: secret)
        #expect(throws: GroupFrameError.invalidKey) { try GroupFrameCipher(key, member: 0, call: call) }
        #expect(throws: GroupFrameError.invalidKey) { try GroupFrameCipher(key, member: 1, call: [1]) }
        #expect(throws: GroupFrameError.exhausted) { try key.next(in: call) }
    }

    @Test func `a counter is given once, and none behind the last`() throws {
        var counters = GroupFrameCounters(used: UInt64(UInt32.max) - 1, of: .sound)
        #expect(try counters.next(of: .sound) == .max - 1)
        #expect(try counters.next(of: .sound) == .max)
        for _ in 0..<3 { #expect(throws: GroupFrameError.exhausted) { try counters.next(of: .sound) } }
        #expect(try counters.next(of: .high) == 0)
        #expect(try counters.next(of: .high) == 1)
    }
}

extension SeededGenerator {
    mutating func next(upperBound: UInt32) -> UInt32 { UInt32.random(in: 0...upperBound, using: &self) }
}
