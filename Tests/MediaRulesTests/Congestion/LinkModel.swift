import TestSupport

@testable import MediaRules

/// A link with a rate, a queue, a delay and random loss, and a sender that a bandwidth controller drives: thirty pictures a
/// second of uneven size, paced, and fifty packets of sound. All time is simulated.
struct LinkModel {
    /// What became of the packets of sound.
    struct Sound {
        var sent = 0
        var lost = 0
        /// The longest wait in the queue, in microseconds.
        var longestWait: Int64 = 0
    }

    /// Bits a second.
    var rate: Int
    /// One way, in microseconds.
    var delay: Int64 = 25_000
    /// 0…1.
    var loss = 0.0
    /// Microseconds of sending that fit into the queue.
    var queueLimit: Int64 = 300_000
    /// Bits a second of somebody else's packets, which do not give way.
    var others = 0
    /// The receiver gets to read packets only so often, in microseconds; with 0 at once.
    var readsEvery: Int64 = 0
    /// The part of what it may that the sender sends.
    var use = 1.0

    private(set) var controller: any BandwidthController
    private(set) var now: Int64 = 0
    /// The longest wait of a packet in the queue since the last reset, in microseconds.
    var longestQueue: Int64 = 0
    /// Bits that arrived, of pictures and sound, since the last reset.
    var delivered = 0
    /// Since the last reset.
    var sound = Sound()
    private var pacer: Pacer
    private var generator: SeededGenerator
    private var freeAt: Int64 = 0
    private var nextPicture: Int64 = 0
    private var nextSound: Int64 = 7_000
    private var nextOther: Int64 = 0
    private var waiting: [(at: Int64, size: Int)] = []
    private var onTheWay: [(due: Int64, report: PacketReport)] = []

    init(rate: Int, controller: any BandwidthController = GradientController(), seed: UInt64 = 1) {
        self.rate = rate
        self.controller = controller
        generator = SeededGenerator(seed: seed)
        pacer = Pacer(rate: controller.target.pacingRate)
    }

    var bitrate: Int { controller.target.bitrate }

    /// Forgets what has been measured.
    mutating func reset() {
        longestQueue = 0
        delivered = 0
        sound = Sound()
    }

    /// Sends for so many seconds, with feedback each 33 ms. Gives the mean rate that the controller asked for.
    @discardableResult
    mutating func run(seconds: Int) -> Int {
        let end = now + Int64(seconds) * 1_000_000
        var total = 0
        var samples = 0
        while now < end {
            let step = now + 33_000
            send(until: step)
            now = step
            let due = onTheWay.filter { $0.due <= now }.map(\.report)
            onTheWay.removeAll { $0.due <= now }
            controller.receive(due, now: now / 1_000)
            pacer.rate = controller.target.pacingRate
            total += bitrate
            samples += 1
        }
        return total / max(samples, 1)
    }

    /// In the order of time: pictures are cut up and paced, sound goes at once.
    private mutating func send(until end: Int64) {
        while nextPicture < end {
            picture(at: nextPicture)
            nextPicture += 33_333
        }
        while true {
            let picture = waiting.first?.at ?? .max
            let other = others > 0 ? nextOther : .max
            let next = min(picture, nextSound, other)
            guard next < end else { return }
            if next == other {
                nextOther += 9_600_000_000 / Int64(others)
                _ = enqueue(size: 1_200, at: next)
            } else if next == nextSound {
                nextSound += 20_000
                packet(size: 130, at: next, isSound: true)
            } else {
                packet(size: waiting.removeFirst().size, at: next, isSound: false)
            }
        }
    }

    private mutating func picture(at time: Int64) {
        let share = max(Double(bitrate) * use - 52_000, 20_000) / 30 / 8
        var bytes = Int(share * Double.random(in: 0.7...1.3, using: &generator))
        while bytes > 0 {
            let size = min(bytes, 1_200)
            bytes -= size
            let last = waiting.last?.at ?? 0
            let at = max(time, last)
            waiting.append((at + pacer.delay(size: size, now: at), size))
        }
    }

    private mutating func packet(size: Int, at time: Int64, isSound: Bool) {
        var report = PacketReport(sentAt: time, arrivedAt: nil, size: size)
        let wait = enqueue(size: size, at: time)
        let isLost = wait == nil || Double.random(in: 0..<1, using: &generator) < loss
        if isSound {
            sound.sent += 1
            sound.lost += isLost ? 1 : 0
            sound.longestWait = max(sound.longestWait, wait ?? 0)
        }
        var due = freeAt + 2 * delay
        if !isLost {
            var arrival = freeAt + delay
            if readsEvery > 0 {
                // Not so evenly either: the processor comes when it comes.
                let period = readsEvery / 2 + Int64.random(in: 0...readsEvery, using: &generator)
                arrival = (arrival + period - 1) / period * period
            }
            report.arrivedAt = arrival + 5_000_000
            due = arrival + delay
            delivered += size * 8
        }
        onTheWay.append((due, report))
    }

    /// How long a packet waits; nil when there is no room for it.
    private mutating func enqueue(size: Int, at time: Int64) -> Int64? {
        let wait = max(0, freeAt - time)
        guard wait <= queueLimit else { return nil }
        freeAt = max(freeAt, time) + Int64(size) * 8_000_000 / Int64(rate)
        longestQueue = max(longestQueue, wait)
        return wait
    }
}
