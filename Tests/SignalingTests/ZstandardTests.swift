import TestSupport
import Testing

@testable import Signaling

@Suite("Zstandard frames", .timeLimit(.minutes(5)))
struct ZstandardTests {
    @Test func `2,000 random contents come back as they were, at the least limit that they need`() throws {
        var generator = SeededGenerator(seed: 41)
        for _ in 0..<2_000 {
            let alphabet = generator.bytes(Int.random(in: 1...20, using: &generator))
            let content = (0..<Int.random(in: 0...3_000, using: &generator)).compactMap { _ in
                alphabet.randomElement(using: &generator)
            }
            let frame = try #require(Zstandard.compress(content))
            #expect(try Zstandard.decompress(frame, limit: content.count) == content)
            if !content.isEmpty {
                #expect(throws: SignalingError.tooLarge(count: content.count, limit: content.count - 1)) {
                    try Zstandard.decompress(frame, limit: content.count - 1)
                }
            }
        }
    }

    @Test func `a frame that does not say how long its content is stops at the limit`() throws {
        // 70,000 zero bytes.
        let frame = try #require([UInt8](hexadecimal: "28b52ffd005855000010000001006b1139c002"))
        #expect(try Zstandard.decompress(frame, limit: 70_000) == Array(repeating: 0, count: 70_000))
        #expect(throws: SignalingError.tooLarge(count: 65_537, limit: 65_536)) {
            try Zstandard.decompress(frame, limit: 65_536)
        }
    }

    @Test func `a frame that promises terabytes costs nothing`() throws {
        // Magic number, a header with eight bytes of content size, and a block that ends the frame.
        let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0xE0] + [0, 0, 0, 0, 0, 0, 0xFF, 0x7F] + [1, 0, 0]
        #expect(throws: SignalingError.tooLarge(count: 0x7FFF_0000_0000_0000, limit: 65_536)) {
            try Zstandard.decompress(frame, limit: 65_536)
        }
        // The size of the first frame is all that is known of several.
        let first = try #require(Zstandard.compress([1]))
        #expect(throws: SignalingError.self) { try Zstandard.decompress(first + frame, limit: 65_536) }
    }

    @Test func `several frames on end may not hold more than the limit either`() throws {
        let frame = try #require(Zstandard.compress(Array(repeating: 7, count: 3_000)))
        #expect(try Zstandard.decompress(frame + frame, limit: 6_000).count == 6_000)
        #expect(throws: SignalingError.tooLarge(count: 6_000, limit: 5_999)) {
            try Zstandard.decompress(frame + frame, limit: 5_999)
        }
    }

    @Test func `2,000 damaged frames give content within the limit or an error`() throws {
        var generator = SeededGenerator(seed: 42)
        let frames = [
            try #require(Zstandard.compress(Array(repeating: Array("abcdefg".utf8), count: 300).flatMap { $0 })),
            // 70,000 zero bytes, which the frame does not say.
            try #require([UInt8](hexadecimal: "28b52ffd005855000010000001006b1139c002")),
        ]
        var refused = 0
        for number in 0..<2_000 {
            let frame = frames[number % frames.count]
            var damaged = Array(frame.prefix(Int.random(in: 0...frame.count, using: &generator)))
            if let index = damaged.indices.randomElement(using: &generator) {
                damaged[index] = UInt8.random(in: 0...255, using: &generator)
            }
            do throws(SignalingError) {
                #expect(try Zstandard.decompress(damaged, limit: 4_096).count <= 4_096)
            } catch {
                refused += 1
            }
        }
        #expect(refused > 1_000)
    }
}
