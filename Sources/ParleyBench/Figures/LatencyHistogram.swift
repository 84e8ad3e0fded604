/// Counts durations in buckets whose width grows with the value: 64 for each power of two, so that a percentile is off
/// by less than 1.6 %, in constant memory.
struct LatencyHistogram: Equatable, Sendable {
    private static let subBucketBits = 6
    private static let subBuckets = 1 << subBucketBits

    private var buckets: [Int] = []
    /// How many durations were counted.
    private(set) var count = 0
    /// The longest, in nanoseconds.
    private(set) var maximum: Int64 = 0

    /// Counts one duration in nanoseconds; a negative one counts as zero.
    mutating func record(_ nanoseconds: Int64) {
        let value = max(0, nanoseconds)
        let index = Self.index(of: value)
        if index >= buckets.count { buckets += Array(repeating: 0, count: index + 1 - buckets.count) }
        buckets[index] += 1
        count += 1
        maximum = max(maximum, value)
    }

    /// Adds the counts of another histogram.
    mutating func merge(_ other: LatencyHistogram) {
        if other.buckets.count > buckets.count {
            buckets += Array(repeating: 0, count: other.buckets.count - buckets.count)
        }
        for (index, number) in other.buckets.enumerated() { buckets[index] += number }
        count += other.count
        maximum = max(maximum, other.maximum)
    }

    /// The duration that this share of all does not exceed (nearest rank), in nanoseconds; nil without any.
    ///
    /// - Parameter share: 0.5 for the median; cut to 0...1.
    func percentile(_ share: Double) -> Int64? {
        guard count > 0 else { return nil }
        let rank = max(1, Int((min(max(share, 0), 1) * Double(count)).rounded(.up)))
        var seen = 0
        for (index, number) in buckets.enumerated() {
            seen += number
            if seen >= rank { return min(Self.upperEnd(of: index), maximum) }
        }
        return maximum
    }

    static func index(of value: Int64) -> Int {
        guard value >= subBuckets else { return Int(value) }
        let shift = (Int64.bitWidth - 1 - value.leadingZeroBitCount) - subBucketBits
        return (shift + 1) * subBuckets + Int(value >> Int64(shift)) - subBuckets
    }

    /// The largest value of a bucket.
    static func upperEnd(of index: Int) -> Int64 {
        guard index >= subBuckets else { return Int64(index) }
        let shift = Int64(index / subBuckets - 1)
        let first = Int64(index % subBuckets + subBuckets) << shift
        return first + ((Int64(1) << shift) - 1)
    }
}
