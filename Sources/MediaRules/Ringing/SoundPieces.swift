import BaseKit

/// Cuts a sound into pieces of a tenth of a second, and begins it again at its end as long as it is to be heard: one piece after the
/// other without a gap.
package struct SoundPieces: Sequence, IteratorProtocol {
    /// A part of the sound with its place in what is heard. Times are exact to the sample, however often the sound is repeated.
    package struct Piece: Sendable, Equatable {
        /// Its samples, counted from the beginning of the sound.
        package var samples: Range<Int>
        /// When it begins, from the first sample on.
        package var time: Duration
        /// How long it is.
        package var duration: Duration
    }

    private let count: Int
    private let rate: Int
    /// How many samples are to be heard in all.
    private let total: Int
    private var heard = 0

    /// A sound of `count` samples, `rate` in a second, in each of its channels. With a `repetition` it is heard for that time, an hour
    /// at most, otherwise once. No samples give no pieces.
    package init(count: Int, rate: Int, repetition: Duration?) {
        (self.count, self.rate) = (count, rate)
        guard count > 0, rate > 0 else {
            total = 0
            return
        }
        total = repetition.map { Self.samples(in: $0, rate: rate) } ?? count
    }

    package mutating func next() -> Piece? {
        guard heard < total else { return nil }
        let begin = heard % count
        let length = Swift.min(Swift.max(rate / 10, 1), count - begin, total - heard)
        defer { heard += length }
        return Piece(
            samples: begin..<begin + length, time: time(of: heard), duration: time(of: heard + length) - time(of: heard)
        )
    }

    private static func samples(in time: Duration, rate: Int) -> Int {
        Int(Swift.min(Swift.max(time, .zero), .seconds(3_600)).wholeMilliseconds) * rate / 1_000
    }

    private func time(of sample: Int) -> Duration { .nanoseconds(Int64(sample) * 1_000_000_000 / Int64(rate)) }
}
