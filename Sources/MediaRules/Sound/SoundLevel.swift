import Glibc

/// How loud a piece of sound is: the root of its mean square, in decibels below full scale.
package struct SoundLevel: Sendable, Equatable, Comparable {
    /// 0 is full scale; digital silence is −infinity.
    var decibels: Double

    init(decibels: Double) { self.decibels = decibels }

    /// The level of 16-bit samples; no samples are silence.
    init(_ samples: UnsafeBufferPointer<Int16>) {
        let sum = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
        self.init(sumOfSquares: sum, count: samples.count)
    }

    /// The level of 16-bit samples whose squares have this sum.
    init(sumOfSquares: Double, count: Int) {
        let mean = count > 0 ? sumOfSquares / Double(count) : 0
        decibels = mean > 0 ? 10 * log10(mean / (32_768 * 32_768)) : -.infinity
    }

    static let silence = SoundLevel(decibels: -.infinity)

    package static func < (left: SoundLevel, right: SoundLevel) -> Bool { left.decibels < right.decibels }

    /// The quietest level that a meter shows.
    static let floor = -60.0

    /// How far a meter's bar goes, from 0 at −60 dB and below to 1 at full scale.
    package var fraction: Double { decibels > Self.floor ? min(1 - decibels / Self.floor, 1) : 0 }
}

/// Sums sound up to levels that come at most 20 times a second.
package struct LevelMeter: Sendable, Equatable {
    /// Samples in a second.
    package let rate: Int
    private var sum = 0.0
    private var count = 0

    package init(rate: Int = 48_000) { self.rate = rate }

    /// Takes samples in; gives a level whenever 50 ms are full.
    package mutating func add(_ samples: UnsafeBufferPointer<Int16>) -> SoundLevel? {
        for sample in samples { sum += Double(sample) * Double(sample) }
        count += samples.count
        guard count >= rate / 20 else { return nil }
        defer { (sum, count) = (0, 0) }
        return SoundLevel(sumOfSquares: sum, count: count)
    }
}
