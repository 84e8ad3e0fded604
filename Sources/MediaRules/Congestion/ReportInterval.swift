/// How often RTCP reports leave: often enough for lost packets to be asked for soon, and no more than a narrow link has room for.
package enum ReportInterval {
    /// Milliseconds between two rounds of reports.
    package static let bounds = 50...400
    /// Milliseconds between two reports of what comes (transport-wide feedback). More would be taken for silence (``SendPlan/silence``).
    package static let feedbackBounds = 40...160
    /// What these take at the shortest interval, in bits a second (75 bytes each), and the part of the rate that they may take.
    static let mostFeedback = 15_000.0, feedbackShare = 0.06
    /// What rounds at the shortest interval take, in bits a second (measured: ninety reports with their headers), and the part of the rate
    /// that they may take.
    static let most = 100_000.0, share = 0.08

    /// Milliseconds between two rounds where so many bits a second may be sent; the shortest where nothing is known.
    package static func milliseconds(at rate: Int) -> Int {
        interval(bounds, taking: most / share, at: rate)
    }

    /// Milliseconds between two reports of what comes, where so many bits a second may be sent.
    package static func feedbackMilliseconds(at rate: Int) -> Int {
        interval(feedbackBounds, taking: mostFeedback / feedbackShare, at: rate)
    }

    /// Milliseconds between two rounds about what a server forwards, where this part of it is lost lately. Wishes leave between rounds (RFC 4585
    /// §3.5.2), and with the next one where that is refused: where nothing is missing rounds are of little use, and a call of eight has seven ways.
    package static func milliseconds(forwardedLoss loss: Double) -> Int {
        loss > 0 ? bounds.lowerBound : bounds.upperBound
    }

    private static func interval(_ bounds: ClosedRange<Int>, taking most: Double, at rate: Int) -> Int {
        guard rate > 0 else { return bounds.lowerBound }
        let wanted = Double(bounds.lowerBound) * most / Double(rate)
        // In steps of ten: not every change is worth one.
        return min(max(Int((wanted / 10).rounded(.up)) * 10, bounds.lowerBound), bounds.upperBound)
    }
}
