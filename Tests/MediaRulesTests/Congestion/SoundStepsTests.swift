import BaseKit
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct SoundStepsTests {
    /// Lets time pass, in milliseconds, ten times a second.
    private func pass(_ steps: inout SoundSteps, _ times: Range<Int>, _ bitrate: Int) -> [Int] {
        stride(from: times.lowerBound, to: times.upperBound, by: 100).compactMap { time in
            steps.update(bitrate: bitrate, now: at(time)).map { _ in time }
        }
    }

    /// The same of a voice alone on a way that carries so many bits a second, of which every piece tells; the steps at their times.
    private func talk(_ steps: inout SoundSteps, _ times: Range<Int>, over carried: Int) -> [Int: Int] {
        var changes: [Int: Int] = [:]
        var congestion: Congestion?
        for time in stride(from: times.lowerBound, to: times.upperBound, by: 100) {
            if steps.step.share > carried { congestion = Congestion(at: at(time), carried: carried) }
            guard let step = steps.update(alone: congestion, now: at(time)) else { continue }
            changes[time] = SoundStep.all.firstIndex(of: step)
        }
        return changes
    }

    @Test func `each step costs less than the one before it and comes in pieces as long or longer`() {
        for (better, worse) in zip(SoundStep.all, SoundStep.all.dropFirst()) {
            #expect(worse.share < better.share && worse.bitrate < better.bitrate && worse.packet >= better.packet)
            #expect(worse.least < better.least)
        }
        // What the last one takes, with 38 bytes of UDP, IP and SRTP a packet, leaves room for reports on a way of 40 kbit/s.
        #expect(SoundStep.all.last.map { $0.share + 38 * 8 * 1_000 / $0.packet < 25_000 } == true)
    }

    @Test func `a voice takes less of a narrow way, once that has lasted`() {
        var steps = SoundSteps()
        #expect(pass(&steps, 0..<3_000, 200_000) == [])
        #expect(pass(&steps, 3_000..<5_000, 150_000) == [3_500])
        #expect(steps.step.packet == 40)
        #expect(pass(&steps, 5_000..<7_000, 90_000) == [5_500])
        #expect(steps.step.packet == 60)
        #expect(pass(&steps, 7_000..<9_000, 74_000) == [7_500])
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
        _ = pass(&steps, 0..<1_000, 80_000)
        #expect(pass(&steps, 1_000..<9_000, 150_000) == [])
        #expect(pass(&steps, 9_000..<20_000, 1_000_000) == [13_000, 17_100])
        #expect(steps.step == SoundStep.all[0])
    }

    @Test func `without pictures, for which nothing is spared, it becomes better again`() {
        var steps = SoundSteps()
        _ = pass(&steps, 0..<1_000, 60_000)
        #expect(steps.bestSince == nil)
        #expect(talk(&steps, 1_000..<20_000, over: 1_000_000) == [3_000: 2, 5_000: 1, 7_000: 0])
        #expect(steps.bestSince == at(7_000))
    }

    @Test func `a voice alone takes at once what came through of one that was too much`() {
        var steps = SoundSteps()
        #expect(talk(&steps, 0..<1_000, over: 28_000) == [0: 2])
        var wider = SoundSteps()
        #expect(talk(&wider, 0..<1_000, over: 45_000) == [0: 1])
        var narrow = SoundSteps()
        #expect(talk(&narrow, 0..<1_000, over: 10_000) == [0: 3])
    }

    @Test func `congestion that a change has not had the time to end changes nothing, and what lasts does`() {
        var steps = SoundSteps()
        _ = steps.update(alone: Congestion(at: at(0), carried: 45_000), now: at(0))
        #expect(steps.update(alone: Congestion(at: at(1_900), carried: 30_000), now: at(1_900)) == nil)
        #expect(steps.update(alone: Congestion(at: at(2_000), carried: 30_000), now: at(2_000)) == SoundStep.all[2])
    }

    @Test func `a better step is tried later and later where it is too much each time`() {
        var steps = SoundSteps()
        let changes = talk(&steps, 0..<300_000, over: 30_000)
        let trials = changes.filter { $0.value == 1 }.keys.sorted()
        let pauses = zip(trials, trials.dropFirst()).map { ($1 - $0) / 1_000 }
        #expect(pauses.prefix(3) == [4, 8, 16] && pauses.dropFirst(3).allSatisfy { $0 == 32 }, "\(pauses)")
        // Each lasts no longer than it takes to see.
        for trial in trials { #expect(changes[trial + 100] == 2) }
    }

    @Test func `a way that has become wider is found out, and then soon`() {
        var steps = SoundSteps()
        _ = talk(&steps, 0..<200_000, over: 18_000)
        #expect(steps.step == SoundStep.all[3] || steps.step == SoundStep.all[2])
        let changes = talk(&steps, 200_000..<260_000, over: 1_000_000)
        #expect(changes.keys.max().map { $0 < 260_000 } == true && steps.step == SoundStep.all[0], "\(changes)")
    }

    @Test func `old congestion says nothing of a voice that has only just been left alone`() {
        var steps = SoundSteps()
        #expect(steps.update(alone: Congestion(at: at(0), carried: 20_000), now: at(10_000)) == nil)
    }

    @Test func `among many no better step than the bound is taken`() {
        var steps = SoundSteps()
        #expect(steps.limit(to: 1) == SoundStep.all[1])
        #expect(pass(&steps, 0..<20_000, 5_000_000) == [])
        #expect(steps.limit(to: 0) == nil)
        #expect(pass(&steps, 20_000..<30_000, 5_000_000) == [24_000])
    }
}
