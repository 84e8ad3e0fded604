/// How often RTCP reports leave: often enough for lost packets to be asked for soon, and no more than a narrow link has room for.
package enum ReportInterval {
    /// Milliseconds between two rounds of reports.
    package static let bounds = 50...250
    /// What rounds at the shortest interval take, in bits a second (measured: ninety reports with their headers), and the part of the rate
    /// that they may take.
    static let most = 100_000.0, share = 0.08

    /// Milliseconds between two rounds where so many bits a second may be sent; the shortest where nothing is known.
    package static func milliseconds(at rate: Int) -> Int {
        guard rate > 0 else { return bounds.lowerBound }
        let wanted = Double(bounds.lowerBound) * most / (share * Double(rate))
        // In steps of ten: not every change is worth one.
        return min(max(Int((wanted / 10).rounded(.up)) * 10, bounds.lowerBound), bounds.upperBound)
    }
}
