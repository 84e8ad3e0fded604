import Foundation
import TestSupport
import Testing

@testable import Pictures

@Suite("Pictures in which something is looked for", .timeLimit(.minutes(5)))
struct GreyPictureFileTests {
    @Test func `colours become grey, and what is see-through white`() throws {
        let file = try Painting.file("png", width: 4, height: 1) { column, _ in
            [(0, 0, 0, 255), (255, 255, 255, 255), (0, 255, 0, 255), (0, 0, 0, 0)][column]
        }
        let grey = try PictureFile.grey(file)
        let edge = (grey.width - 4) / 2
        #expect(edge > 0 && grey.height == 1 + 2 * edge && grey.pixels.count == grey.width * grey.height)
        let row = grey.pixels[(edge * grey.width + edge)...].prefix(4).map(Int.init)
        #expect(row[0] == 0 && row[1] >= 254 && (140...160).contains(row[2]) && row[3] == 255)
        #expect(grey.pixels[0] == 255)
    }

    @Test func `a large picture is made smaller, and a huge one refused`() throws {
        let large = try PictureFile.grey(Painting.noise("jpeg", width: 3_000, height: 1_000))
        #expect(max(large.width, large.height) <= PictureFile.greySide + 100)
        #expect(large.width > 2 * large.height)
        // A PNG of 100,000 × 100,000 pixels as its header says, and nothing else.
        var bytes = try Painting.file("png", width: 1, height: 1) { _, _ in (0, 0, 0, 255) }
        bytes.replaceSubrange(16..<24, with: [0, 1, 0x86, 0xA0, 0, 1, 0x86, 0xA0])
        #expect(throws: PictureFileError.self) { try PictureFile.grey(bytes) }
    }

    @Test func `what is no picture is a typed error`() throws {
        var random = SeededGenerator(seed: 11)
        for count in [0, 1, 20, 5_000] {
            #expect(throws: PictureFileError.self) { try PictureFile.grey(random.bytes(count)) }
        }
        let good = try Painting.noise("png", width: 40, height: 30)
        for _ in 0..<300 {
            var bytes = good
            bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
            if let grey = try? PictureFile.grey(bytes) { #expect(grey.pixels.count == grey.width * grey.height) }
        }
        #expect(throws: PictureFileError.unreadable) { try PictureFile.grey(at: "/dev/zero") }
    }
}
