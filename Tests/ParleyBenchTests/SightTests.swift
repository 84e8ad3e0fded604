import Foundation
import TestSupport
import Testing

@testable import ParleyBench

/// What a measured call is looked at with.
@Suite(.timeLimit(.minutes(5))) struct SightTests {
    private func grey(_ width: Int, _ height: Int, _ value: UInt8 = 100) throws -> LumaPicture {
        try #require(
            LumaPicture(width: width, height: height, bytes: Data(repeating: value, count: width * height)))
    }

    private func noise(_ width: Int, _ height: Int, seed: UInt64) throws -> LumaPicture {
        var random = SeededGenerator(seed: seed)
        return try #require(LumaPicture(width: width, height: height, bytes: Data(random.bytes(width * height))))
    }

    @Test func `every time code is read from the picture it was drawn in, also at a quarter of its size`() throws {
        for number in 0..<TimeCode.limit {
            var picture = try noise(640, 32, seed: UInt64(number))
            TimeCode.draw(number, in: &picture)
            #expect(TimeCode.read(picture) == number)
            #expect(TimeCode.read(picture.scaled(width: 160, height: 8)) == number)
        }
    }

    @Test func `a picture without a time code has none`() throws {
        #expect(TimeCode.read(try grey(640, 360)) == nil)
        var picture = try grey(640, 360)
        TimeCode.draw(5, in: &picture)
        // One bit changed.
        picture.fill(x: 16 * 9..<16 * 10, y: 0..<16, with: 16)
        #expect(TimeCode.read(picture) == nil)
        #expect(TimeCode.read(levels: [235, 16]) == nil)
    }

    @Test func `a picture has as many bytes as pixels`() throws {
        #expect(LumaPicture(width: 4, height: 4, bytes: Data(count: 15)) == nil)
        #expect(LumaPicture(width: 0, height: 4, bytes: Data()) == nil)
        let whole = try JSONEncoder().encode(try grey(2, 2))
        #expect(try JSONDecoder().decode(LumaPicture.self, from: whole) == grey(2, 2))
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(LumaPicture.self, from: Data(#"{"width":4,"height":4,"bytes":"AAAA"}"#.utf8))
        }
    }

    @Test func `scaling keeps what is even, and brings a picture back that was enlarged`() throws {
        #expect(try grey(64, 48).scaled(width: 100, height: 30) == grey(100, 30))
        var picture = try grey(64, 64, 50)
        picture.fill(x: 16..<48, y: 16..<48, with: 200)
        let back = picture.scaled(width: 128, height: 128).scaled(width: 64, height: 64)
        #expect(abs(back[32, 32] - 200) <= 1 && abs(back[4, 4] - 50) <= 1)
    }

    @Test func `the same picture is as alike as can be, a noisy one less, another one hardly`() throws {
        let picture = try noise(64, 64, seed: 3)
        #expect(abs(StructuralSimilarity.compare(picture, with: picture) - 1) < 1e-9)
        var scratched = picture
        scratched.fill(x: 0..<32, y: 0..<32, with: 128)
        let less = StructuralSimilarity.compare(picture, with: scratched)
        #expect(less > 0.7 && less < 0.8)
        #expect(StructuralSimilarity.compare(picture, with: try noise(64, 64, seed: 4)) < 0.1)
    }

    @Test func `a beep is found at its first loud sample, once, and not where the sound was loud from the start`() {
        // 1 kHz at 8,000 samples a second, in pieces of 10 ms; loud where it says.
        func pieces(_ isLoud: (Int) -> Bool) -> [[Int16]] {
            (0..<100).map { piece in
                (0..<80).map { isLoud(piece) ? Int16(8_000 * (($0 % 8) < 4 ? 1 : -1) * (($0 % 4) == 0 ? 0 : 1)) : 0 }
            }
        }
        func onsets(_ isLoud: (Int) -> Bool) -> [Double] {
            var detector = BeepDetector()
            return pieces(isLoud).enumerated().flatMap {
                detector.feed($0.element, at: 5_000 + Double($0.offset) * 10, rate: 8_000)
            }
        }
        #expect(onsets { (30..<38).contains($0) || (70..<78).contains($0) } == [5_300.125, 5_700.125])
        #expect(onsets { $0 < 8 || (70..<78).contains($0) } == [5_700.125])
        // An echo within the silence that must be between two is none.
        #expect(onsets { (30..<38).contains($0) || (45..<50).contains($0) } == [5_300.125])
        #expect(onsets { _ in false }.isEmpty)
    }

    @Test func `a picture's delay counts from when its number was last captured, once each`() {
        let captured = [(1, 0.0), (2, 33), (3, 66), (1, 5_000), (2, 5_033)].map { Delays.Sighting(number: $0, at: $1) }
        let shown = [(1, 100.0), (1, 120), (2, 140), (4, 150), (1, 5_090), (2, 9_000)].map {
            Delays.Sighting(number: $0, at: $1)
        }
        #expect(Delays.pictures(captured: captured, shown: shown) == [100, 107, 90])
    }

    @Test func `a beep's delay is to the next one that is heard, if that is soon`() {
        #expect(Delays.beeps(spoken: [0, 1_100, 2_200], heard: [150, 1_300]) == [150, 200])
    }

    @Test func `a family is all that come from one process`() {
        let parents: [Int32: Int32] = [10: 1, 11: 10, 12: 11, 13: 1, 14: 13, 10_000: 12]
        #expect(ProcessTree.family(of: 10, parents: parents) == [10, 11, 12, 10_000])
        #expect(ProcessTree.parent("17 (a (b) c) S 4 17 17 0") == 4)
        #expect(ProcessTree.read(root: getpid()).proportionalBytes > 1_000_000)
    }
}
