import BaseKit
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct SoundPiecesTests {
    private func pieces(_ count: Int, rate: Int = 48_000, for time: Duration? = nil) -> [SoundPieces.Piece] {
        Array(SoundPieces(count: count, rate: rate, repetition: time))
    }

    @Test func `a sound that is played once is each of its samples once`() {
        let pieces = pieces(12_000)
        #expect(pieces.map(\.samples) == [0..<4_800, 4_800..<9_600, 9_600..<12_000])
        #expect(pieces.map(\.time) == [.zero, .milliseconds(100), .milliseconds(200)])
        #expect(pieces.map(\.duration) == [.milliseconds(100), .milliseconds(100), .milliseconds(50)])
    }

    @Test func `a repeated sound begins anew at its end, without a gap and without an overlap`() {
        let pieces = pieces(7_001, for: .seconds(2))
        for (piece, next) in zip(pieces, pieces.dropFirst()) {
            #expect(next.samples.lowerBound == piece.samples.upperBound % 7_001)
            #expect(next.time == piece.time + piece.duration)
        }
        #expect(pieces.reduce(0) { $0 + $1.samples.count } == 96_000)
        #expect(pieces.first?.samples.lowerBound == 0)
    }

    @Test(arguments: [1, 2_205, 44_100, 192_000, 500_000])
    func `a repeated sound is heard for its time, however long one round is`(_ count: Int) throws {
        let last = try #require(pieces(count, rate: 44_100, for: .milliseconds(1_500)).last)
        #expect(last.time + last.duration == .milliseconds(1_500))
    }

    @Test func `nothing is heard of no samples or in no time`() {
        #expect(pieces(0, for: .seconds(60)) == [])
        #expect(pieces(100, rate: 0) == [])
        #expect(pieces(100, for: .zero) == [])
        #expect(pieces(100, for: .seconds(-1)) == [])
    }

    @Test func `nothing is repeated for more than an hour`() throws {
        let last = try #require(pieces(8_000, rate: 8_000, for: .seconds(1_000_000_000_000)).last)
        #expect(last.time + last.duration == .seconds(3_600))
    }

    @Test(arguments: [(0.0, 0.0), (0.5, 0.125), (1, 1), (-3, 0), (7, 1), (.infinity, 1)])
    func `a volume multiplies with its cube, within its bounds`(_ volume: Double, _ factor: Double) {
        #expect(SoundRequest.factor(ofVolume: volume) == factor)
    }
}
