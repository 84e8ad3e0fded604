import BaseKit
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct EncodeLoadTests {
    /// An encoder that takes so many nanoseconds a pixel, and does what it is told.
    private struct Machine {
        var load = EncodeLoad()
        var cost: Double
        /// What the network allows.
        var network = 0
        var now = 0
        private(set) var changes: [Int] = []

        init(cost: Double) { self.cost = cost }

        var step: Int { max(load.ceiling, network) }

        mutating func run(seconds: Int) {
            let end = now + seconds * 1_000
            while now < end {
                let time = Duration.nanoseconds(Int64(cost * Double(VideoStep.all[step].pixels)))
                if load.encoded(in: time, step: step, now: at(now)) { changes.append(now) }
                now += 33
            }
        }
    }

    @Test func `an encoder that takes more than 70 percent of the time for seconds steps down until it does not`() {
        // 720 rows take 27 of 33 ms, 540 rows 15.
        var machine = Machine(cost: 29)
        machine.network = 2
        machine.run(seconds: 2)
        #expect(machine.load.ceiling == 0 && machine.load.part > EncodeLoad.most)
        machine.run(seconds: 8)
        #expect(machine.load.ceiling == 3)
        #expect(machine.load.part < EncodeLoad.most)
        #expect(machine.changes == [3_003])
    }

    @Test func `an encoder with time enough is left alone`() {
        var machine = Machine(cost: 10)
        machine.run(seconds: 60)
        #expect(machine.changes.isEmpty && machine.load.ceiling == 0)
    }

    @Test func `one slow picture now and then is no slow machine`() {
        var load = EncodeLoad()
        for tick in 0..<1_000 {
            let time = Duration.milliseconds(tick % 20 == 0 ? 120 : 10)
            let isChanged = load.encoded(in: time, step: 2, now: at(tick * 33))
            #expect(!isChanged)
        }
    }

    @Test func `a machine that has time again goes back up, one step at a time`() {
        var machine = Machine(cost: 29)
        machine.network = 2
        machine.run(seconds: 10)
        machine.cost = 5
        machine.run(seconds: 14)
        #expect(machine.load.ceiling == 3)
        machine.run(seconds: 10)
        #expect(machine.load.ceiling == 2)
    }

    @Test func `a step that was too much is not tried while it would be too much again`() {
        var machine = Machine(cost: 29)
        machine.network = 2
        machine.run(seconds: 600)
        #expect(machine.changes.count == 1)
    }

    @Test func `a step that turns out too much again and again is tried ever more seldom`() {
        var (load, now, downs) = (EncodeLoad(), 0, 0)
        while now < 600_000 {
            // Larger pictures take longer than their pixels say.
            let step = max(load.ceiling, 2)
            let before = load.ceiling
            if load.encoded(in: .milliseconds(step == 2 ? 30 : 6), step: step, now: at(now)), load.ceiling > before {
                downs += 1
            }
            now += 33
        }
        #expect((3...8).contains(downs), "\(downs)")
    }

    @Test func `what the network keeps small says nothing of larger pictures`() {
        var machine = Machine(cost: 29)
        machine.network = 2
        machine.run(seconds: 10)
        machine.network = 6
        machine.run(seconds: 120)
        #expect(machine.load.ceiling == 3)
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `whatever the times are, steps stay on the ladder and go down no sooner than patience allows`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var (load, now, network, changedAt) = (EncodeLoad(), 0, 0, 0)
        for _ in 0..<20_000 {
            now += Int.random(in: 5...80, using: &generator)
            if Int.random(in: 0..<300, using: &generator) == 0 {
                network = .random(in: 0..<VideoStep.all.count, using: &generator)
            }
            let before = load.ceiling
            let time = Duration.microseconds(
                Int64.random(in: 0...60_000, using: &generator) * (now / 20_000 % 2 == 0 ? 1 : 0))
            let isChanged = load.encoded(in: time, step: max(load.ceiling, network), now: at(now))
            #expect(isChanged == (load.ceiling != before))
            #expect((0..<VideoStep.all.count).contains(load.ceiling))
            if load.ceiling < before { #expect(load.ceiling == before - 1) }
            if load.ceiling > before {
                #expect(now - changedAt >= 3_000)
            }
            if isChanged { changedAt = now }
        }
    }

    @Test(arguments: [
        (640 * 480, 1, 1, -6), (640 * 480, 16, 1, -6), (1_280 * 720, 2, 1, -8), (1_280 * 720, 4, 2, -8),
        (1_280 * 720, 8, 2, -6), (1_920 * 1_080, 2, 1, -12), (1_920 * 1_080, 4, 2, -12), (1_920 * 1_080, 8, 3, -8),
    ])
    func `threads and speed follow size and processors, and 640 by 480 is encoded as ever`(
        pixels: Int, processors: Int, threads: Int, speed: Int
    ) {
        let effort = EncoderEffort(pixels: pixels, processors: processors)
        #expect((effort.threads, effort.speed) == (threads, speed))
    }
}
