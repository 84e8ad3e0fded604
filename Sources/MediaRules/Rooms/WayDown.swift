import BaseKit

/// How long packets from a server wait in queues on their way, by the times at which they left and came.
///
/// The two clocks have nothing to do with each other: the shortest way of late counts as one without a queue. A server that forwards
/// may estimate nothing (Janus 1.1.2), so that who receives has to say what is too much. Only the luckiest packet of late counts: a queue holds up
/// all of them, a busy machine, here or there, those that it does not read or send at once. The first of those that it reads late tell of
/// nothing: what was told before holds until all of them are read.
package struct WayDown: Sendable {
    /// As long the shortest way holds, at least; at most twice as long. Clocks drift apart, and ways change.
    static let memory: Duration = .seconds(15)
    /// After so long without a packet it begins anew: times would be ambiguous.
    static let silence: Duration = .seconds(20)
    /// What counts as of late.
    static let recent: Duration = .milliseconds(300)
    /// A packet that is so much later than the one before it was held up with all that came meanwhile, and so long these are read.
    static let stall = 0.1, reading: Duration = .milliseconds(150)
    /// So long a packet tells of the way.
    static let validity: Duration = .seconds(1)

    private struct Packet: Sendable {
        var time: SendTime
        var arrival: Instant
    }

    private var first: Instant?
    private var last: Packet?
    /// Units that the sender's clock has gone on since the first packet.
    private var sent = 0
    /// Seconds, of the present turn and the one before it.
    private var shortest = Double.infinity
    private var formerShortest = Double.infinity
    private var turned: Instant?
    /// Those of late that were shorter than all that came behind them, and when they came.
    private var late: [(delay: Double, arrival: Instant)] = []
    /// How late the last packet was, in seconds, and until when those are read that a stall held up.
    private var lastDelay = 0.0
    private var stalledUntil: Instant?
    /// What is told, in seconds.
    private var told = 0.0

    package init() {}

    /// The time in queues; nil while nothing comes, as where nothing is asked for: what was last seen tells nothing of the way any more.
    package func queue(now: Instant) -> Duration? {
        guard let last, now - last.arrival < Self.validity else { return nil }
        return .seconds(told)
    }

    /// A packet came.
    package mutating func came(_ time: SendTime, now: Instant) {
        if let last, now - last.arrival > Self.silence { self = WayDown() }
        guard let first, let last else {
            (self.first, turned) = (now, now)
            self.last = Packet(time: time, arrival: now)
            shortest = 0
            late = [(0, now)]
            return
        }
        sent += time.since(last.time)
        self.last = Packet(time: time, arrival: now)
        let delay = (now - first).inSeconds - Double(sent) / Double(SendTime.second)
        if now.isAfter(turned, by: Self.memory) {
            (formerShortest, shortest) = (shortest, .infinity)
            turned = now
        }
        shortest = min(shortest, delay)
        late.removeAll { now - $0.arrival > Self.recent || $0.delay >= delay }
        late.append((delay, now))
        if delay - lastDelay >= Self.stall { stalledUntil = now + Self.reading }
        lastDelay = delay
        guard stalledUntil.map({ $0 <= now }) ?? true, let luckiest = late.first else { return }
        told = max(0, luckiest.delay - min(shortest, formerShortest))
    }
}
