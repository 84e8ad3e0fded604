import BaseKit
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct SoundStepsTests {
    private func way(_ bitrate: Int, full congested: Int? = nil, pictures: Bool = true) -> SoundSteps.Way {
        SoundSteps.Way(bitrate: bitrate, congestedAt: congested.map { at($0) }, hasPictures: pictures)
    }

    /// Lets time pass, in milliseconds, ten times a second.
    private func pass(_ steps: inout SoundSteps, _ times: Range<Int>, _ way: SoundSteps.Way) -> [Int] {
        stride(from: times.lowerBound, to: times.upperBound, by: 100).compactMap { time in
            steps.update(way, now: at(time)).map { _ in time }
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
        #expect(pass(&steps, 0..<3_000, way(200_000)) == [])
        #expect(pass(&steps, 3_000..<5_000, way(150_000)) == [3_500])
        #expect(steps.step.packet == 40)
        #expect(pass(&steps, 5_000..<7_000, way(60_000)) == [5_500])
        #expect(steps.step == SoundStep.all.last)
    }

    @Test func `a rate that swings changes nothing`() {
        var steps = SoundSteps()
        for start in stride(from: 0, to: 10_000, by: 1_000) {
            #expect(pass(&steps, start..<start + 400, way(100_000)) == [])
            #expect(pass(&steps, start + 400..<start + 1_000, way(400_000)) == [])
        }
    }

    @Test func `it becomes better a step at a time, where there has been well enough for a while`() {
        var steps = SoundSteps()
        _ = pass(&steps, 0..<1_000, way(60_000))
        #expect(pass(&steps, 1_000..<9_000, way(150_000)) == [])
        #expect(pass(&steps, 9_000..<20_000, way(1_000_000)) == [13_000, 17_100])
        #expect(steps.step == SoundStep.all[0])
    }

    @Test func `without pictures a full way is left by a step each time`() {
        var steps = SoundSteps()
        #expect(steps.update(way(60_000, full: 100, pictures: false), now: at(200)) == SoundStep.all[1])
        // What was congestion before the change says nothing of it.
        #expect(pass(&steps, 300..<1_500, way(60_000, full: 1_100, pictures: false)) == [])
        #expect(steps.update(way(60_000, full: 1_500, pictures: false), now: at(1_500)) == SoundStep.all[2])
        #expect(pass(&steps, 1_600..<3_000, way(60_000, full: 2_900, pictures: false)) == [])
    }

    @Test func `without pictures a wide way that was full for a moment takes nothing from the voice`() {
        var steps = SoundSteps()
        #expect(steps.update(way(400_000, full: 100, pictures: false), now: at(200)) == nil)
    }

    @Test func `without pictures a better step is tried after a calm time, and later each time that was too early`() {
        var steps = SoundSteps()
        _ = steps.update(way(60_000, full: 0, pictures: false), now: at(0))
        var (time, waits) = (0, [Int]())
        for _ in 0..<5 {
            let lowered = time
            while steps.index > 0 {
                time += 100
                _ = steps.update(way(60_000, full: lowered, pictures: false), now: at(time))
            }
            waits.append(time - lowered)
            // The way is full at once.
            time += 1_100
            _ = steps.update(way(60_000, full: time, pictures: false), now: at(time))
            #expect(steps.index == 1)
        }
        #expect(waits == [8_000, 16_000, 32_000, 64_000, 64_000])
    }

    @Test func `without pictures a step that went well is forgotten as a trial`() {
        var steps = SoundSteps()
        _ = steps.update(way(60_000, full: 0, pictures: false), now: at(0))
        #expect(pass(&steps, 0..<9_000, way(60_000, full: 0, pictures: false)) == [8_000])
        // Full again much later: the calm time is as at first.
        _ = steps.update(way(60_000, full: 30_000, pictures: false), now: at(30_000))
        #expect(pass(&steps, 30_000..<40_000, way(60_000, full: 30_000, pictures: false)) == [38_000])
    }

    @Test func `among many no better step than the bound is taken`() {
        var steps = SoundSteps()
        #expect(steps.limit(to: 1) == SoundStep.all[1])
        #expect(pass(&steps, 0..<20_000, way(5_000_000)) == [])
        #expect(steps.limit(to: 0) == nil)
        #expect(pass(&steps, 20_000..<30_000, way(5_000_000)) == [24_000])
    }
}

@Suite(.timeLimit(.minutes(5))) struct RoomBoundsTests {
    @Test func `among many pictures and voices that go to a room are smaller`() {
        let (few, many) = (RoomBounds(others: 3), RoomBounds(others: 4))
        #expect(few.soundStep == 0 && many.soundStep == 1)
        #expect(many.pictures.pixels < few.pictures.pixels)
        #expect(RoomBounds(others: 7) == many && RoomBounds(others: 0) == few)
    }
}
