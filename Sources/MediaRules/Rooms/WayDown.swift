import BaseKit

/// How long packets from a server wait in queues on their way, by the times at which they left and came.
///
/// The two clocks have nothing to do with each other: the shortest way of late counts as one without a queue. A server that forwards
/// may estimate nothing (Janus 1.1.2), so that who receives has to say what is too much.
package struct WayDown: Sendable, Equatable {
    /// As long the shortest way holds, at least; at most twice as long. Clocks drift apart, and ways change.
    static let memory: Duration = .seconds(15)
    /// After so long without a packet it begins anew: times would be ambiguous.
    static let silence: Duration = .seconds(20)
    /// In this time, in seconds, what is told follows to two thirds; and the most that one packet counts.
    private static let inertia = 0.2, most = 0.2

    private struct Packet: Sendable, Equatable {
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
    private var smooth: Double?

    package init() {}

    /// The time in queues; nil before anything has come.
    package var queue: Duration? {
        smooth.map { .seconds(max(0, $0 - min(shortest, formerShortest))) }
    }

    /// A packet came.
    package mutating func came(_ time: SendTime, now: Instant) {
        if let last, now - last.arrival > Self.silence { self = WayDown() }
        guard let first, let last else {
            (self.first, turned) = (now, now)
            self.last = Packet(time: time, arrival: now)
            (shortest, smooth) = (0, 0)
            return
        }
        sent += time.since(last.time)
        let passed = (now - last.arrival).inSeconds
        self.last = Packet(time: time, arrival: now)
        let delay = (now - first).inSeconds - Double(sent) / Double(SendTime.second)
        if now.isAfter(turned, by: Self.memory) {
            (formerShortest, shortest) = (shortest, .infinity)
            turned = now
        }
        shortest = min(shortest, delay)
        // Packets of one picture come close together: the time counts, not how many they are.
        let weight = min(Self.most, max(passed, 0.001) / Self.inertia)
        smooth = smooth.map { $0 + weight * (delay - $0) }
    }
}
