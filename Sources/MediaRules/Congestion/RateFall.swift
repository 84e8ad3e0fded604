import BaseKit

/// Whether a rate has fallen so far, within so short a time, that pictures which wait and were made for the rate of before are not worth
/// sending any more.
struct RateFall: Sendable {
    /// The part of the rate of this time before that is too little: news of a link that has become narrow wait in its queue.
    static let part = 0.4, time: Duration = .milliseconds(1_500)

    /// The highest rate of late.
    private var highest: (rate: Int, at: Instant)?

    /// Takes the rate of now, in bits a second; says so once of each fall.
    mutating func update(_ rate: Int, now: Instant) -> Bool {
        guard let highest, rate < highest.rate, now - highest.at < Self.time else {
            highest = (rate, now)
            return false
        }
        guard Double(rate) < Self.part * Double(highest.rate) else { return false }
        self.highest = (rate, now)
        return true
    }
}
