import BaseKit

/// What a peer that gives no feedback on each packet says of what it gets: in receiver reports (RFC 3550 §6.4.2), and as its own estimate
/// of what may be sent (REMB, draft-alvestrand-rmcat-remb-03).
package struct ReceptionReport: Sendable, Equatable {
    /// The largest part of packets lost among the sources that are reported on, 0…1; nil where none is.
    package var loss: Double?
    /// Bits a second; nil where it says none.
    var estimate: Int?

    package init(loss: Double? = nil, estimate: Int? = nil) { (self.loss, self.estimate) = (loss, estimate) }
}

/// The rate that follows from that alone, by the losses (draft-ietf-rmcat-gcc-02 §6, with growth by the second as libwebrtc has it) and
/// without a delay: the peer's estimate has that in it.
struct ReportedRate: Sendable, Equatable {
    /// The time over which losses are taken together; a report may be on very few packets.
    static let window: Duration = .seconds(1)
    /// Growth a second before the first loss, and after it.
    static let firstGrowth = 1.5, growth = 1.08
    /// The part lost below which the rate grows, and above which it falls.
    static let lowLoss = 0.02, highLoss = 0.10
    /// The time for which an estimate holds.
    static let freshness: Duration = .seconds(5)

    /// Part of the packets lost in the last window, 0…1.
    private(set) var loss = 0.0
    private var losses: [Double] = []
    private var began: Instant?
    private var hasLost = false
    private var estimate: (rate: Int, at: Instant)?

    static func == (one: ReportedRate, other: ReportedRate) -> Bool {
        one.loss == other.loss && one.losses == other.losses && one.began == other.began && one.hasLost == other.hasLost
            && one.estimate?.rate == other.estimate?.rate && one.estimate?.at == other.estimate?.at
    }

    /// The rate after a report, where it was `rate`. It does not grow unless pictures are sent: that sound alone comes through shows nothing.
    mutating func update(_ report: ReceptionReport, rate: Double, isSending: Bool, now: Instant) -> Double {
        if let told = report.estimate { estimate = (told, now) }
        if let lost = report.loss { losses.append(min(max(lost, 0), 1)) }
        let start = began ?? now
        began = start
        let most = estimate.flatMap { now - $0.at < Self.freshness ? Double($0.rate) : nil } ?? .infinity
        guard now - start >= Self.window else { return min(rate, most) }
        defer { (losses, began) = ([], now) }
        guard !losses.isEmpty else { return min(rate, most) }
        loss = losses.reduce(0, +) / Double(losses.count)
        if loss > Self.lowLoss { hasLost = true }
        if loss > Self.highLoss { return min(rate * (1 - 0.5 * loss), most) }
        guard loss < Self.lowLoss, isSending else { return min(rate, most) }
        return min(rate * (hasLost ? Self.growth : Self.firstGrowth), most)
    }
}
