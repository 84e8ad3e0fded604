import BaseKit

/// Whether the queue of the narrowest link grows, from the times between groups of packets.
///
/// Only changes of the delay count: a longer route is no congestion. Groups and the adaptive threshold are those of
/// draft-ietf-rmcat-gcc-02 §5.2 to §5.4; in place of its Kalman filter a line is laid through the last groups, and the
/// threshold falls faster: with the draft's `K_d` it stayed so high in the model that a full queue went unnoticed.
struct DelayTrend: Sendable, Equatable {
    enum Usage: Sendable, Equatable { case normal, over, under }

    /// Packets sent within 5 ms are one group (§5.2, `burst_time`).
    static let groupSpan: Duration = .milliseconds(5)
    /// The time of arrivals that may be one burst.
    static let longestBurst: Duration = .milliseconds(100)
    /// How many groups the line is laid through.
    static let window = 20
    /// Weight of what was before in the smoothed delay.
    static let smoothing = 0.9
    /// Brings the slope to the size of the draft's estimate, milliseconds: a queue that grows by 3 % is noticed.
    static let gain = 240.0
    /// `overuse_time_th` (§5.7): milliseconds over the threshold before it counts.
    static let overuseTime = 10.0
    /// How fast the threshold follows upwards and downwards; §5.7 has `K_u` = 0.01 and `K_d` = 0.00018.
    static let thresholdRise = 0.0087, thresholdFall = 0.039
    /// Limits of the threshold (§5.4).
    static let thresholds = 6.0...600.0

    private struct Group: Sendable, Equatable {
        var firstSent: Instant
        var lastSent: Instant
        var firstArrived: Duration
        var lastArrived: Duration

        init(sentAt: Instant, arrivedAt: Duration) {
            (firstSent, lastSent) = (sentAt, sentAt)
            (firstArrived, lastArrived) = (arrivedAt, arrivedAt)
        }
    }

    /// Both in milliseconds.
    private struct Point: Sendable, Equatable {
        var time: Double
        var delay: Double
    }

    private(set) var usage = Usage.normal
    /// `del_var_th(0)` = 12.5 ms (§5.7).
    private(set) var threshold = 12.5
    private var current: Group?
    private var previous: Group?
    private var points: [Point] = []
    private var firstArrival: Duration = .zero
    private var sum = 0.0
    private var smoothed = 0.0
    private var trend = 0.0
    private var timeOver = 0.0
    private var countOver = 0

    /// Takes a packet that was sent by our clock and arrived by the peer's.
    mutating func add(sentAt: Instant, arrivedAt: Duration) {
        guard var group = current else {
            firstArrival = arrivedAt
            current = Group(sentAt: sentAt, arrivedAt: arrivedAt)
            return
        }
        guard sentAt >= group.firstSent else { return }
        if sentAt - group.firstSent <= Self.groupSpan || isBurst(sentAt: sentAt, arrivedAt: arrivedAt, after: group) {
            group.lastSent = max(group.lastSent, sentAt)
            group.lastArrived = max(group.lastArrived, arrivedAt)
            current = group
            return
        }
        if let previous { finish(group, after: previous) }
        previous = group
        current = Group(sentAt: sentAt, arrivedAt: arrivedAt)
    }

    /// Whether a packet came together with those before it although it left later: something had held them up, a radio or a
    /// receiver that did not get to read them (§5.2).
    private func isBurst(sentAt: Instant, arrivedAt: Duration, after group: Group) -> Bool {
        let distance = arrivedAt - group.lastArrived
        return distance < sentAt - group.lastSent && distance <= Self.groupSpan
            && arrivedAt - group.firstArrived < Self.longestBurst
    }

    private mutating func finish(_ group: Group, after previous: Group) {
        let sent = (group.lastSent - previous.lastSent) / .milliseconds(1)
        let arrived = (group.lastArrived - previous.lastArrived) / .milliseconds(1)
        // A pause or a clock that was set: begin anew.
        guard arrived > -1_000, arrived < 3_000, sent < 3_000 else {
            points = []
            return
        }
        sum += arrived - sent
        smoothed = Self.smoothing * smoothed + (1 - Self.smoothing) * sum
        points.append(Point(time: (group.lastArrived - firstArrival) / .milliseconds(1), delay: smoothed))
        if points.count > Self.window { points.removeFirst(points.count - Self.window) }
        guard points.count == Self.window else { return }
        let last = trend
        trend = slope * Self.gain
        detect(last: last, elapsed: min(max(arrived, 0), 100))
    }

    /// Milliseconds of delay a millisecond, by least squares.
    private var slope: Double {
        let count = Double(points.count)
        let time = points.reduce(0) { $0 + $1.time } / count
        let delay = points.reduce(0) { $0 + $1.delay } / count
        let numerator = points.reduce(0) { $0 + ($1.time - time) * ($1.delay - delay) }
        let denominator = points.reduce(0) { $0 + ($1.time - time) * ($1.time - time) }
        return denominator > 0 ? numerator / denominator : 0
    }

    private mutating func detect(last: Double, elapsed: Double) {
        if trend > threshold {
            timeOver += elapsed
            countOver += 1
            if timeOver > Self.overuseTime, countOver > 1, trend >= last { usage = .over }
        } else {
            timeOver = 0
            countOver = 0
            usage = trend < -threshold ? .under : .normal
        }
        // §5.4: outliers do not move the threshold.
        guard abs(trend) - threshold <= 15 else { return }
        let factor = abs(trend) < threshold ? Self.thresholdFall : Self.thresholdRise
        threshold += elapsed * factor * (abs(trend) - threshold)
        threshold = min(max(threshold, Self.thresholds.lowerBound), Self.thresholds.upperBound)
    }
}
