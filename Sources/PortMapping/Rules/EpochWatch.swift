import BaseKit

/// Whether a router still knows what it has mapped: its answers tell how long it has known, and that has to grow as time does.
struct EpochWatch: Sendable {
    private var last: (epoch: UInt32, moment: Instant)?

    /// Takes an answer's epoch, in seconds; false when the router must have forgotten everything since the answer before.
    mutating func isContinuous(_ epoch: UInt32, at now: Instant, by way: PortMappingWay) -> Bool {
        defer { last = (epoch, now) }
        guard let last else { return true }
        let here = Int64((now - last.moment) / .seconds(1))
        let (before, after) = (Int64(last.epoch), Int64(epoch))
        // RFC 6886 §3.6: seven eighths of the time here, less two seconds.
        if way == .natPMP { return after >= before + here * 7 / 8 - 2 }
        // RFC 6887 §8.5.
        guard after + 1 >= before else { return false }
        let there = after - before
        return here + 2 >= there - there / 16 && there + 2 >= here - here / 16
    }

    /// Forgets what was told: of another router nothing is known.
    mutating func reset() { last = nil }
}
