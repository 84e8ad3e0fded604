import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct EchoDelayEstimatorTests {
    /// Ten milliseconds.
    private static let piece = 480

    /// Plays `far` and hears `near` for some seconds; gives what was found, in order.
    private func found(seconds: Int, far: [Int16], near: [Int16], nearBegins: Int64 = 0) -> [Int] {
        var estimator = EchoDelayEstimator()
        var found: [Int] = []
        for number in 0..<(seconds * 100) {
            let range = number * Self.piece..<(number + 1) * Self.piece
            let time = Int64(number) * 10_000_000
            let both = far[range].flatMap { [$0, $0] }
            both.withUnsafeBufferPointer { estimator.plays($0, channels: 2, at: time) }
            let comparison = Array(near[range]).withUnsafeBufferPointer {
                estimator.hears($0, at: time + nearBegins)
            }
            if let comparison, let delay = estimator.add(comparison.lag()) { found.append(delay) }
        }
        return found
    }

    private func noise(_ count: Int, seed: UInt64, volume: Double = 0.1) -> [Int16] {
        var random = SeededGenerator(seed: seed)
        // Slow enough to be left at 1 kHz.
        var level = 0.0
        return (0..<count).map { _ in
            level = 0.97 * level + Double.random(in: -1...1, using: &random)
            return Int16(clamping: Int(level * volume * 8_000))
        }
    }

    private func delayed(_ sound: [Int16], milliseconds: Int, volume: Double) -> [Int16] {
        let samples = milliseconds * 48
        let quiet = sound.map { Int16(clamping: Int(Double($0) * volume)) }
        return samples >= 0
            ? Array(repeating: 0, count: samples) + quiet.dropLast(samples)
            : Array(quiet.dropFirst(-samples)) + Array(repeating: 0, count: -samples)
    }

    @Test(arguments: [-60, -7, 0, 13, 80, 250])
    func `the delay of a quiet echo is found`(delay: Int) throws {
        let far = noise(5 * 48_000, seed: 1)
        let all = found(seconds: 5, far: far, near: delayed(far, milliseconds: delay, volume: 0.1))
        #expect(all.count > 3)
        #expect(all.allSatisfy { abs($0 - delay) <= 1 }, "\(all)")
    }

    @Test func `it is found while somebody speaks as loudly`() {
        let (far, voice) = (noise(5 * 48_000, seed: 2), noise(5 * 48_000, seed: 3))
        let near = zip(delayed(far, milliseconds: 40, volume: 1), voice).map { Int16(clamping: Int($0) + Int($1)) }
        let all = found(seconds: 5, far: far, near: near)
        #expect(all.count > 3)
        #expect(all.allSatisfy { abs($0 - 40) <= 1 }, "\(all)")
    }

    @Test func `clocks that began at other times do not matter`() {
        let far = noise(5 * 48_000, seed: 4)
        let all = found(
            seconds: 5, far: far, near: delayed(far, milliseconds: 100, volume: 0.5), nearBegins: -70_000_000)
        #expect(all.last == 30)
    }

    @Test(arguments: 1...8)
    func `nothing is found where there is no echo`(seed: UInt64) {
        let (far, voice) = (noise(6 * 48_000, seed: seed), noise(6 * 48_000, seed: seed + 100))
        #expect(found(seconds: 6, far: far, near: voice).isEmpty)
        let silence = [Int16](repeating: 0, count: 6 * 48_000)
        #expect(found(seconds: 6, far: far, near: silence).isEmpty)
        #expect(found(seconds: 6, far: silence, near: voice).isEmpty)
    }

    @Test func `a tone, alike at many delays, gives none`() {
        let tone = (0..<(6 * 48_000)).map { Int16(8_000 * (Double($0 % 480) / 240 - 1)) }
        #expect(found(seconds: 6, far: tone, near: delayed(tone, milliseconds: 33, volume: 0.5)).isEmpty)
    }

    @Test func `a pause, a jump back and what is no sound are borne`() {
        var estimator = EchoDelayEstimator()
        let sound = noise(48_000, seed: 5)
        var random = SeededGenerator(seed: 6)
        for _ in 0..<500 {
            let time = Int64.random(in: 0...20_000_000_000, using: &random)
            let count = Int.random(in: 0...2_000, using: &random)
            sound[..<count].withUnsafeBufferPointer { piece in
                estimator.plays(piece, channels: Int.random(in: 0...3, using: &random), at: time)
                if let comparison = estimator.hears(piece, at: time) { _ = estimator.add(comparison.lag()) }
            }
        }
    }
}
