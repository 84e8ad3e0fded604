import TestSupport

@testable import Media

/// A link with a rate, a queue, a delay and random loss, driven by a bandwidth controller that sends all it may.
struct LinkModel {
    /// Bits a second.
    var rate: Int
    /// One way, in microseconds.
    var delay: Int64 = 25_000
    /// 0…1.
    var loss = 0.0
    /// Microseconds of sending that fit into the queue.
    var queueLimit: Int64 = 300_000

    private(set) var controller: any BandwidthController
    private(set) var now: Int64 = 0
    /// The longest wait of a packet in the queue since the last reset, in microseconds.
    var longestQueue: Int64 = 0
    private var generator: SeededGenerator
    private var freeAt: Int64 = 0
    private var nextSend: Int64 = 0
    private var onTheWay: [(due: Int64, report: PacketReport)] = []

    init(rate: Int, controller: any BandwidthController = GradientController(), seed: UInt64 = 1) {
        self.rate = rate
        self.controller = controller
        generator = SeededGenerator(seed: seed)
    }

    var bitrate: Int { controller.target.bitrate }

    /// Sends for so many seconds, with feedback each 33 ms. Gives the mean rate that the controller asked for.
    @discardableResult
    mutating func run(seconds: Int) -> Int {
        let end = now + Int64(seconds) * 1_000_000
        var total = 0
        var samples = 0
        while now < end {
            let step = now + 33_000
            while nextSend < step { sendPacket() }
            now = step
            let due = onTheWay.filter { $0.due <= now }.map(\.report)
            onTheWay.removeAll { $0.due <= now }
            controller.receive(due, now: now / 1_000)
            total += bitrate
            samples += 1
        }
        return total / max(samples, 1)
    }

    private mutating func sendPacket() {
        let size = 1_200
        let time = nextSend
        nextSend += Int64(size) * 8_000_000 / Int64(max(bitrate, 1))
        let wait = max(0, freeAt - time)
        var report = PacketReport(sentAt: time, arrivedAt: nil, size: size)
        var due = time + 2 * delay + wait
        if wait <= queueLimit {
            freeAt = max(freeAt, time) + Int64(size) * 8_000_000 / Int64(rate)
            longestQueue = max(longestQueue, wait)
            if Double.random(in: 0..<1, using: &generator) >= loss {
                report.arrivedAt = freeAt + delay + 5_000_000
            }
            due = freeAt + 2 * delay
        }
        onTheWay.append((due, report))
    }
}
