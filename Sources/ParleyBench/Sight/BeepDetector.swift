/// Finds when beeps begin in sound that comes piece by piece.
struct BeepDetector: Sendable, Equatable {
    /// The part of full scale that is a beep's, and the milliseconds of less before the next one.
    static let threshold = 0.02, silence = 200.0

    private var quietSince: Double?

    /// When beeps begin in a piece whose first sample is heard at `time`, in milliseconds.
    mutating func feed(_ samples: some Collection<Int16>, at time: Double, rate: Int) -> [Double] {
        var onsets: [Double] = []
        for (index, sample) in samples.enumerated() {
            let now = time + Double(index) * 1_000 / Double(rate)
            guard sample.magnitude > UInt16(Self.threshold * 32_768) else {
                quietSince = quietSince ?? now
                continue
            }
            // What was there before it was first listened is no beginning.
            if let since = quietSince, now - since >= Self.silence { onsets.append(now) }
            quietSince = nil
            // A wave passes zero all the time: silence is counted from its last loud sample.
        }
        return onsets
    }
}
