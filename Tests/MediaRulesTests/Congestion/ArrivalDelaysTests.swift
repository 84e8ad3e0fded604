import BaseKit
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct ArrivalDelaysTests {
    /// A source of sound, a packet each 20 ms, whose clock and numbers go over their ends. `late` gives by how many milliseconds each is late.
    private func sound(_ count: Int, late: (_ index: Int) -> Int) -> ArrivalDelays {
        var delays = ArrivalDelays(clockRate: 48_000)
        for index in 0..<count {
            delays.note(
                number: UInt16(truncatingIfNeeded: 65_500 + index),
                time: UInt32(truncatingIfNeeded: 0xFFFF_F000 + index * 960), now: at(index * 20 + late(index)))
        }
        return delays
    }

    @Test func `packets that come evenly come without delay, and none is missing`() {
        var delays = sound(500) { _ in 0 }
        #expect(delays.delay(of: 1, now: at(10_000)) == .zero)
        let isMissing = delays.takeMissing(now: at(20_000))
        #expect(!isMissing)
    }

    @Test func `a delay is told of the part that has it, however long the way is`() {
        let delays = sound(500) { 300 + ($0 % 20 == 19 ? 60 : 10 * ($0 % 2)) }
        #expect(delays.delay(of: 0.9, now: at(10_300)) == .milliseconds(10))
        #expect(delays.delay(of: 0.99, now: at(10_300)) == .milliseconds(60))
        #expect(delays.delay(of: 1, now: at(10_300)) == .milliseconds(60))
    }

    @Test func `a picture counts by its last packet`() {
        var delays = ArrivalDelays(clockRate: 90_000)
        for picture in 0..<60 {
            for part in 0..<3 {
                delays.note(
                    number: UInt16(picture * 3 + part), time: UInt32(picture * 3_000),
                    now: Instant(sinceStart: .microseconds(picture * 33_334 + part * 12_000)))
            }
        }
        #expect(delays.delay(of: 0.5, now: at(2_000)).map { Int($0.wholeMilliseconds) } == 24)
    }

    @Test func `of a few the latest counts`() {
        let delays = sound(8) { $0 == 3 ? 45 : 0 }
        #expect(delays.delay(of: 0.95, now: at(200)) == .milliseconds(45))
        #expect(sound(4) { _ in 0 }.delay(of: 0.95, now: at(200)) == nil)
    }

    @Test func `what came more than ten seconds ago does not count`() {
        let delays = sound(1_000) { $0 < 400 ? 80 : 0 }
        #expect(delays.delay(of: 1, now: at(19_000)) == .zero)
        #expect(delays.delay(of: 1, now: at(60_000)) == nil)
    }

    @Test(arguments: [20, 40, 60]) func `the time from a packet to the next is told`(milliseconds: Int) {
        var delays = ArrivalDelays(clockRate: 48_000)
        for number in [0, 1, 2, 5, 6, 9] as [UInt16] {
            delays.note(number: number, time: UInt32(number) * UInt32(milliseconds) * 48, now: at(0))
        }
        #expect(delays.packet == .milliseconds(milliseconds))
    }

    @Test func `a pause is not the time from a packet to the next`() {
        var delays = sound(10) { _ in 0 }
        delays.note(number: UInt16(truncatingIfNeeded: 65_510), time: 48_000 * 4, now: at(4_200))
        #expect(delays.packet == .milliseconds(20))
    }

    @Test func `packets that go on to be missing are told`() {
        var delays = ArrivalDelays(clockRate: 48_000)
        for number in stride(from: UInt16(0), to: 40, by: 2) {
            delays.note(number: number, time: UInt32(number) * 960, now: at(number))
        }
        let isMissing = delays.takeMissing(now: at(40))
        #expect(isMissing)
    }

    @Test func `packets that are missing are told once`() {
        var delays = ArrivalDelays(clockRate: 48_000)
        for number in [0, 1, 3] as [UInt16] { delays.note(number: number, time: UInt32(number) * 960, now: at(60)) }
        let told = [70, 80].map { delays.takeMissing(now: at($0)) }
        #expect(told == [true, false])
    }

    @Test(arguments: [(9, false), (11, true)])
    func `a packet that was overtaken is not missing, one that comes much later was`(late: Int, isMissing: Bool) {
        var delays = ArrivalDelays(clockRate: 48_000)
        for number in [0, 1, 3] as [UInt16] { delays.note(number: number, time: UInt32(number) * 960, now: at(60)) }
        delays.note(number: 2, time: 1_920, now: at(60 + late))
        let isTold = delays.takeMissing(now: at(100))
        #expect(isTold == isMissing)
    }

    @Test func `a packet that was sent again is no delay`() {
        var delays = ArrivalDelays(clockRate: 48_000)
        for index in 0..<100 where index % 10 != 9 {
            delays.note(number: UInt16(index), time: UInt32(index * 960), now: at(index * 20))
            guard index % 10 == 0, index > 0 else { continue }
            delays.note(number: UInt16(index - 1), time: UInt32((index - 1) * 960), now: at(index * 20 + 1))
        }
        #expect(delays.delay(of: 1, now: at(2_000)) == .zero)
    }

    @Test func `a source that begins anew is measured anew`() {
        var delays = sound(100) { _ in 0 }
        for index in 0...60 {
            delays.note(number: UInt16(9_000 + index), time: UInt32(5 + index * 960), now: at(5_000 + index * 20))
        }
        #expect(delays.delay(of: 1, now: at(6_200)) == .zero)
    }

    @Test func `more than a thousand packets that are missing are missing`() {
        var delays = sound(100) { _ in 0 }
        delays.note(number: 5_000, time: 0, now: at(2_000))
        let isMissing = delays.takeMissing(now: at(2_100))
        #expect(isMissing)
    }

    @Test func `a clock that jumps is no delay`() {
        var delays = ArrivalDelays(clockRate: 48_000)
        for index in 0..<200 {
            let jump: UInt32 = index < 100 ? 0 : 48_000 * 3_600
            delays.note(number: UInt16(index), time: UInt32(index * 960) &+ jump, now: at(index * 20))
        }
        #expect(delays.delay(of: 1, now: at(4_000)) == .zero)
    }

    @Test func `of very many only the last count`() {
        var delays = ArrivalDelays(clockRate: 48_000)
        for index in 0..<600 {
            let late = index < 80 ? 50 : 0
            delays.note(number: UInt16(index), time: UInt32(index * 480), now: at(index * 10 + late))
        }
        #expect(delays.delay(of: 1, now: at(6_000)) == .zero)
    }

    @Test(arguments: 0..<10) func `whatever comes is borne`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var delays = ArrivalDelays(clockRate: 90_000)
        var (number, time) = (UInt16(0), UInt32(0))
        for index in 0..<5_000 {
            number &+= UInt16.random(in: 0...3, using: &random) == 0 ? .random(in: 0...(.max), using: &random) : 1
            time = index % 3 == 0 ? .random(in: 0...(.max), using: &random) : time &+ 3_000
            delays.note(number: number, time: time, now: at(index * 5))
            _ = delays.takeMissing(now: at(index * 5))
            if let delay = delays.delay(of: 0.95, now: at(index * 5)) { #expect(delay >= .zero) }
        }
    }
}
