import BaseKit

/// By how much the packets of one source come later than its quickest ones, and whether some are missing, from their RTP times and numbers
/// (RFC 3550 §5.1).
///
/// What is sent at one time, such as the packets of one picture, counts once, by the last of it. A packet that was overtaken, or sent again,
/// says nothing of the way.
package struct ArrivalDelays: Sendable {
    /// How long a delay counts.
    static let window: Duration = .seconds(10)
    /// Fewer say nothing.
    static let fewest = 5
    /// The time in which a packet that was overtaken comes, which was not missing then.
    static let overtaking: Duration = .milliseconds(10)
    /// The most that a packet of sound can have (RFC 6716 §3.2.5).
    static let longestPacket: Duration = .milliseconds(120)
    /// How many are kept: of sound those of ten seconds.
    static let most = 512
    /// Numbers, and nanoseconds, by which a source does not jump; one that does has begun anew.
    private static let numberJump = 1_000, timeJump: Int64 = 5_000_000_000

    /// What is sent at one time.
    private struct Unit: Sendable {
        var time: UInt32
        var arrived: Instant
        /// When its first and last packet came, as if all units had been sent at once: nanoseconds, as numbers are faster than durations.
        var first: Int64
        var last: Int64
    }

    private let clockRate: Int
    private var number: UInt16?
    private var missing = 0
    private var missingSince: Instant?
    /// The time from one packet to the next, by RTP times.
    package private(set) var packet = Duration.zero
    private var current: Unit?
    private var units: [Unit] = []
    private var next = 0

    /// `clockRate` in Hz is that of its RTP times.
    package init(clockRate: Int) { self.clockRate = clockRate }

    /// Notes a packet that came at `now`.
    package mutating func note(number: UInt16, time: UInt32, now: Instant) {
        let step = Int(self.number.map { Int16(bitPattern: number &- $0) } ?? 1)
        guard abs(step) < Self.numberJump else {
            self = ArrivalDelays(clockRate: clockRate)
            (missing, missingSince) = (step > 0 ? step : 0, now)
            return note(number: number, time: time, now: now)
        }
        guard step > 0 else {
            if missing > 0, let since = missingSince, now - since < Self.overtaking { missing -= 1 }
            return
        }
        if step > 1 {
            if missing == 0 { missingSince = now }
            missing += step - 1
        }
        self.number = number
        arrive(time: time, isNext: step == 1, now: now)
    }

    /// Whether packets were missing since the last time.
    package mutating func takeMissing(now: Instant) -> Bool {
        guard missing > 0, let since = missingSince, now - since >= Self.overtaking else { return false }
        missing = 0
        return true
    }

    private mutating func arrive(time: UInt32, isNext: Bool, now: Instant) {
        guard var unit = current else {
            current = Unit(time: time, arrived: now, first: 0, last: 0)
            return
        }
        let sent = Int64(Int32(bitPattern: time &- unit.time)) * 1_000_000_000 / Int64(clockRate)
        let late = (now - unit.arrived).wholeNanoseconds - sent
        guard abs(late) < Self.timeJump else {
            units = []
            next = 0
            current = Unit(time: time, arrived: now, first: 0, last: 0)
            return
        }
        if time == unit.time {
            unit.arrived = now
            unit.last += late
            current = unit
        } else {
            keep(unit)
            // A pause, such as of a microphone that was off, is no packet.
            let step = Duration.nanoseconds(sent)
            if isNext, step > .zero, step <= Self.longestPacket { packet = step }
            current = Unit(time: time, arrived: now, first: unit.last + late, last: unit.last + late)
        }
    }

    private mutating func keep(_ unit: Unit) {
        if units.count < Self.most {
            units.append(unit)
        } else {
            units[next] = unit
            next = (next + 1) % Self.most
        }
    }

    /// The delay that this part of them, 0…1, has at most; nil while too few are known.
    package func delay(of part: Double, now: Instant) -> Duration? {
        let begin = now - Self.window
        var (lasts, quickest) = ([Int64](), Int64.max)
        for unit in units where unit.arrived >= begin {
            lasts.append(unit.last)
            quickest = min(quickest, unit.first)
        }
        guard lasts.count >= Self.fewest else { return nil }
        lasts.sort()
        return .nanoseconds(lasts[min(Int(Double(lasts.count) * part), lasts.count - 1)] - quickest)
    }
}
