import TestSupport
import Testing

@testable import ParleyBench

@Suite(.timeLimit(.minutes(5))) struct LatencyHistogramTests {
    @Test func `knows nothing without durations`() {
        #expect(LatencyHistogram().percentile(0.5) == nil)
    }

    @Test func `small durations are exact`() {
        var histogram = LatencyHistogram()
        for value in 1...10 { histogram.record(Int64(value)) }
        #expect(histogram.percentile(0) == 1)
        #expect(histogram.percentile(0.5) == 5)
        #expect(histogram.percentile(0.99) == 10)
        #expect(histogram.percentile(1) == 10)
        #expect(histogram.maximum == 10)
    }

    @Test func `percentiles stay within their precision`() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<50 {
            let values = (0..<300).map { _ in Int64.random(in: 0...(1 << Int64.random(in: 1...40)), using: &generator) }
            var histogram = LatencyHistogram()
            for value in values { histogram.record(value) }
            let sorted = values.sorted()
            for share in [0.1, 0.5, 0.9, 0.99, 1] {
                let exact = sorted[Int((share * 300).rounded(.up)) - 1]
                let found = histogram.percentile(share) ?? -1
                #expect(found >= exact)
                #expect(Double(found) <= Double(exact) * (1 + 1.0 / 64) + 1)
            }
        }
    }

    @Test func `every value lies in its bucket`() {
        for value in [0, 63, 64, 65, 127, 128, 129, 1_000_000, Int64.max] {
            let index = LatencyHistogram.index(of: value)
            #expect(LatencyHistogram.upperEnd(of: index) >= value)
            #expect(index == 0 || LatencyHistogram.upperEnd(of: index - 1) < value)
        }
    }

    @Test func `merging is counting together`() {
        var left = LatencyHistogram()
        var right = LatencyHistogram()
        var both = LatencyHistogram()
        for value in [5, 900, 70_000] as [Int64] {
            left.record(value)
            both.record(value)
        }
        for value in [1, 5_000_000] as [Int64] {
            right.record(value)
            both.record(value)
        }
        left.merge(right)
        #expect(left == both)
    }

    @Test func `a negative duration counts as zero`() {
        var histogram = LatencyHistogram()
        histogram.record(-5)
        #expect(histogram.percentile(1) == 0)
    }
}
