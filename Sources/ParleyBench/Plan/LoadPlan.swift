/// How much a run does: every loop of it is bounded by one of these numbers.
struct LoadPlan: Equatable, Sendable {
    /// Numbers of connections that delivery is measured at.
    var connections = [1, 100, 1_000]
    /// Length of one measurement.
    var seconds = 3.0
    /// How often a measurement is repeated, alternating with its ceilings, so that all suffer the same neighbours.
    var rounds = 4
    /// Idle subscribed queues.
    var queues = 10_000
    /// Stored queues altogether; those beyond `queues` are not subscribed.
    var stored = 10_000

    /// A run of a few seconds that shows every figure and proves none.
    static let quick = LoadPlan(connections: [1, 4, 8], seconds: 0.2, rounds: 1, queues: 1_024, stored: 1_536)

    /// Bounds of the numbers, so that a mistyped option does not take the machine down.
    enum Limits {
        static let connections = 1...5_000
        static let counts = 1...8
        static let seconds = 0.1...120.0
        static let queues = 1...100_000
        static let stored = 1...1_000_000
    }

    /// Messages under way in each connection when as many as possible are sent: about this many altogether, and no more
    /// than a quarter of a queue's quota (SMP fact sheet §9.4) in one queue.
    static func window(connections: Int) -> Int { max(1, min(32, 32 / max(1, connections))) }

    /// The share of the relay's highest rate at which latency is measured: beyond it a queue only measures itself.
    static let latencyShare = 0.5

    /// Connections over which the idle queues are spread.
    static let fillConnections = 4

    /// Numbers of stored queues at which the cost of a message is measured.
    var growthSizes: [Int] { Self.sizes(to: max(stored, queues)) }

    /// Numbers of idle subscribed queues at which memory is measured.
    var memorySizes: [Int] { Self.sizes(to: queues) }

    /// Powers of ten from 1,000, and the last.
    private static func sizes(to last: Int) -> [Int] {
        let powers = Array(sequence(first: 1_000) { $0 * 10 }.prefix { $0 < last })
        // A small run has something to compare as well.
        return (powers.isEmpty ? [max(1, last / 4)].filter { $0 < last } : powers) + [last]
    }
}
