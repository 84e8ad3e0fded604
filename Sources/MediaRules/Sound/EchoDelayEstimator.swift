/// Finds out how much later than computed a microphone hears what the loudspeaker plays.
///
/// What devices say of their latency is wrong by some ten milliseconds, with Bluetooth by more, and a canceller whose filter
/// covers 45 ms finds no echo outside of it. Both sounds are brought to ``rate``, made even over frequencies by their differences,
/// and compared at all lags. An estimate counts when it stands out from all other lags and comes twice.
package struct EchoDelayEstimator: Sendable {
    /// Samples a second that are compared: one is a millisecond.
    static let rate = 1_000
    /// The lags that are looked at, in milliseconds.
    static let lags = -80...320
    /// Milliseconds of sound that are compared.
    static let window = 1_500
    /// How often, in milliseconds of the microphone's sound.
    static let interval = 500
    /// The least correlation that counts, and by how much it has to be more than at any lag that is not near.
    static let least = 0.3
    static let prominence = 1.3
    /// Milliseconds around a peak that belong to it, and within which two estimates agree.
    static let near = 20
    static let agreement = 4

    private static let nanoseconds: Int64 = 1_000_000_000 / Int64(rate)

    private var played = Timeline()
    private var heard = Timeline()
    private var next: Int64?
    private var last: Int?

    package init() {}

    /// Takes a piece that the loudspeaker plays, in 16-bit samples of 48 kHz. `time` in nanoseconds is when its beginning is heard,
    /// as far as is known.
    package mutating func plays(_ samples: UnsafeBufferPointer<Int16>, channels: Int, at time: Int64) {
        played.add(samples, channels: channels, at: time / Self.nanoseconds)
    }

    /// Takes a piece of the microphone's sound, likewise in one channel. Gives what to compare when it is time for it.
    package mutating func hears(_ samples: UnsafeBufferPointer<Int16>, at time: Int64) -> Comparison? {
        heard.add(samples, channels: 1, at: time / Self.nanoseconds)
        guard let end = heard.end else { return nil }
        guard let due = next, abs(end - due) < Int64(Self.window) else {
            next = end + Int64(Self.window)
            return nil
        }
        guard end >= due else { return nil }
        next = end + Int64(Self.interval)
        let begin = end - Int64(Self.window)
        let (first, most) = (begin - Int64(Self.lags.upperBound), Self.window + Self.lags.count - 1)
        return Comparison(
            heard: heard.differences(from: begin, count: Self.window),
            played: played.differences(from: first, count: most))
    }

    /// Adds the outcome of a comparison. Gives the delay in milliseconds when it is certain.
    package mutating func add(_ estimate: Int?) -> Int? {
        defer { last = estimate }
        guard let estimate, let last, abs(estimate - last) <= Self.agreement else { return nil }
        return (estimate + last) / 2
    }

    /// What the microphone heard in a window, and what the loudspeaker played from the highest lag before it to the lowest after.
    package struct Comparison: Sendable {
        var heard: [Float]
        var played: [Float]

        /// The lag at which both are most alike, in milliseconds; nil when none stands out.
        package func lag() -> Int? {
            let count = heard.count
            let loudness = Self.energy(heard[...])
            var best = (lag: 0, value: 0.0)
            var values: [Double] = []
            var running = Self.energy(played.prefix(count))
            guard loudness > Self.silence * Double(count) else { return nil }
            for start in 0...(played.count - count) {
                if start > 0 {
                    let (out, new) = (Double(played[start - 1]), Double(played[start + count - 1]))
                    running += new * new - out * out
                }
                let lag = EchoDelayEstimator.lags.upperBound - start
                guard running > Self.silence * Double(count) else {
                    values.append(0)
                    continue
                }
                let value = Double(product(at: start)).magnitude / (loudness * running).squareRoot()
                values.append(value)
                if value > best.value { best = (lag, value) }
            }
            guard best.value >= EchoDelayEstimator.least else { return nil }
            let peak = EchoDelayEstimator.lags.upperBound - best.lag
            let others = values.enumerated().lazy.filter { abs($0.offset - peak) > EchoDelayEstimator.near }.map(
                \.element)
            guard best.value >= EchoDelayEstimator.prominence * (others.max() ?? 0) else { return nil }
            return best.lag
        }

        /// Mean square below which there is nothing to compare: about −66 dB below full scale.
        private static let silence = 250.0

        private static func energy(_ samples: ArraySlice<Float>) -> Double {
            samples.reduce(0) { $0 + Double($1) * Double($1) }
        }

        private func product(at start: Int) -> Float {
            heard.withUnsafeBufferPointer { heard in
                played.withUnsafeBufferPointer { played in
                    var sum: Float = 0
                    for index in 0..<heard.count { sum += heard[index] * played[start + index] }
                    return sum
                }
            }
        }
    }
}

/// The last seconds of a sound by the time of each sample; where nothing came there is silence.
private struct Timeline: Sendable {
    private static let capacity = 4_096
    private static let factor = 48_000 / EchoDelayEstimator.rate

    private var samples = [Float](repeating: 0, count: capacity)
    /// The time after the last sample, in samples; nil before the first.
    private(set) var end: Int64?

    mutating func add(_ sound: UnsafeBufferPointer<Int16>, channels: Int, at time: Int64) {
        let step = Self.factor * max(channels, 1)
        let count = sound.count / step
        guard count > 0, count <= Self.capacity else { return }
        clear(from: end ?? time, to: time)
        for index in 0..<count {
            var sum: Int32 = 0
            for offset in 0..<step { sum += Int32(sound[index * step + offset]) }
            samples[Self.place(time + Int64(index))] = Float(sum) / Float(step)
        }
        end = max(end ?? 0, time + Int64(count))
    }

    /// The differences of neighbouring samples; those that are not known are silence.
    func differences(from begin: Int64, count: Int) -> [Float] {
        (0..<count).map { index in
            let time = begin + Int64(index)
            guard let end, time > end - Int64(Self.capacity), time < end else { return 0 }
            return samples[Self.place(time)] - samples[Self.place(time - 1)]
        }
    }

    private mutating func clear(from: Int64, to: Int64) {
        guard to > from else { return }
        for time in max(from, to - Int64(Self.capacity))..<to { samples[Self.place(time)] = 0 }
    }

    private static func place(_ time: Int64) -> Int { Int(time & Int64(capacity - 1)) }
}
