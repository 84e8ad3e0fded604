import BaseKit
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct SoundStepsTests {
    /// Lets time pass, in milliseconds, ten times a second.
    private func pass(_ steps: inout SoundSteps, _ times: Range<Int>, _ bitrate: Int?) -> [Int] {
        stride(from: times.lowerBound, to: times.upperBound, by: 100).compactMap { time in
            steps.update(bitrate: bitrate, now: at(time)).map { _ in time }
        }
    }

    @Test func `each step costs less than the one before it and comes in pieces as long or longer`() {
        for (better, worse) in zip(SoundStep.all, SoundStep.all.dropFirst()) {
            #expect(worse.share < better.share && worse.bitrate < better.bitrate && worse.packet > better.packet)
            #expect(worse.least < better.least)
        }
        // What the last one takes, with 38 bytes of UDP, IP and SRTP a packet, passes a way of 40 kbit/s.
        #expect(SoundStep.all.last.map { $0.share + 38 * 8 * 1_000 / $0.packet < 30_000 } == true)
    }

    @Test func `a voice takes less of a narrow way, once that has lasted`() {
        var steps = SoundSteps()
        #expect(pass(&steps, 0..<3_000, 200_000) == [])
        #expect(pass(&steps, 3_000..<5_000, 150_000) == [3_500])
        #expect(steps.step.packet == 40)
        #expect(pass(&steps, 5_000..<7_000, 60_000) == [5_500])
        #expect(steps.step == SoundStep.all.last)
    }

    @Test func `a rate that swings changes nothing`() {
        var steps = SoundSteps()
        for start in stride(from: 0, to: 10_000, by: 1_000) {
            #expect(pass(&steps, start..<start + 400, 100_000) == [])
            #expect(pass(&steps, start + 400..<start + 1_000, 400_000) == [])
        }
    }

    @Test func `it becomes better a step at a time, where there has been well enough for a while`() {
        var steps = SoundSteps()
        _ = pass(&steps, 0..<1_000, 60_000)
        #expect(pass(&steps, 1_000..<9_000, 150_000) == [])
        #expect(pass(&steps, 9_000..<20_000, 1_000_000) == [13_000, 17_100])
        #expect(steps.step == SoundStep.all[0])
    }

    @Test func `without pictures, for which nothing is spared, it becomes better again`() {
        var steps = SoundSteps()
        _ = pass(&steps, 0..<1_000, 60_000)
        #expect(pass(&steps, 1_000..<20_000, nil) == [5_000, 9_100])
        #expect(steps.step == SoundStep.all[0])
    }

    @Test func `among many no better step than the bound is taken`() {
        var steps = SoundSteps()
        #expect(steps.limit(to: 1) == SoundStep.all[1])
        #expect(pass(&steps, 0..<20_000, 5_000_000) == [])
        #expect(steps.limit(to: 0) == nil)
        #expect(pass(&steps, 20_000..<30_000, 5_000_000) == [24_000])
    }
}
