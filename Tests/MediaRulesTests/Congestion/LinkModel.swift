import BaseKit
import TestSupport

@testable import MediaRules

/// A link with a rate, a queue, a delay and random loss, and a sender that a bandwidth controller drives: thirty pictures a
/// second of uneven size, paced, and fifty packets of sound. All time is simulated.
struct LinkModel {
    /// What became of the packets of sound.
    struct Sound {
        var sent = 0
        var lost = 0
        /// The longest wait in the queue.
        var longestWait: Duration = .zero
    }

    /// Bits a second.
    var rate: Int
    /// One way.
    var delay: Duration = .milliseconds(25)
    /// 0…1.
    var loss = 0.0
    /// The time of sending that fits into the queue.
    var queueLimit: Duration = .milliseconds(300)
    /// Bits a second of somebody else's packets, which do not give way.
    var others = 0
    /// The receiver gets to read packets only so often; with zero at once.
    var readsEvery: Duration = .zero
    /// The part of what it may that the sender sends.
    var use = 1.0
    /// How long feedback waits on its way back, beside the link's delay.
    var feedbackWait: Duration = .zero

    private(set) var controller: any BandwidthController
    private(set) var now = at(0)
    /// The longest wait of a packet in the queue since the last reset.
    var longestQueue: Duration = .zero
    /// Bits that arrived, of pictures and sound, since the last reset.
    var delivered = 0
    /// Since the last reset.
    var sound = Sound()
    private var pacer: Pacer
    private var generator: SeededGenerator
    private var freeAt = at(0)
    private var nextPicture = at(0)
    private var nextSound = at(7)
    private var nextOther = at(0)
    private var waiting: [(at: Instant, size: Int)] = []
    private var onTheWay: [(due: Instant, report: PacketReport)] = []
    /// The packets of a probe.
    private var probing: [(at: Instant, size: Int)] = []

    init(rate: Int, controller: any BandwidthController = GradientController(), seed: UInt64 = 1) {
        self.rate = rate
        self.controller = controller
        generator = SeededGenerator(seed: seed)
        pacer = Pacer(rate: controller.target.pacingRate)
    }

    var bitrate: Int { controller.target.bitrate }

    /// Forgets what has been measured.
    mutating func reset() {
        longestQueue = .zero
        delivered = 0
        sound = Sound()
    }

    /// Sends for so many seconds, with feedback each 33 ms. Gives the mean rate that the controller asked for.
    @discardableResult
    mutating func run(seconds: Int) -> Int {
        let end = now + .seconds(seconds)
        var total = 0
        var samples = 0
        while now < end {
            let step = now + .milliseconds(33)
            send(until: step)
            now = step
            let due = onTheWay.filter { $0.due <= now }.map(\.report)
            onTheWay.removeAll { $0.due <= now }
            controller.receive(due, now: now)
            if let probe = controller.probe(now: now) { send(probe) }
            pacer.rate = controller.target.pacingRate
            total += bitrate
            samples += 1
        }
        return total / max(samples, 1)
    }

    private mutating func send(_ probe: Probe) {
        let size = max(probe.bytes / Probe.packets.lowerBound, 200)
        let count = max(probe.bytes / size, Probe.packets.lowerBound)
        probing = (0..<count).map { (now + probe.moment(behind: $0 * size), size) }
        controller.sent(probe, between: (now, (probing.last?.at ?? now) + .milliseconds(1)), now: now)
    }

    /// In the order of time: pictures are cut up and paced, sound goes at once.
    private mutating func send(until end: Instant) {
        while nextPicture < end {
            picture(at: nextPicture)
            nextPicture += .microseconds(33_333)
        }
        while true {
            let picture = waiting.first?.at ?? end
            let other = others > 0 ? nextOther : end
            let repeated = probing.first?.at ?? end
            let next = min(picture, nextSound, other, repeated)
            guard next < end else { return }
            if next == repeated {
                packet(size: probing.removeFirst().size, at: next, isSound: false)
            } else if next == other {
                nextOther += .microseconds(9_600_000_000 / others)
                _ = enqueue(size: 1_200, at: next)
            } else if next == nextSound {
                nextSound += .milliseconds(20)
                packet(size: 130, at: next, isSound: true)
            } else {
                packet(size: waiting.removeFirst().size, at: next, isSound: false)
            }
        }
    }

    private mutating func picture(at time: Instant) {
        let share = max(Double(bitrate) * use - 52_000, 20_000) / 30 / 8
        var bytes = Int(share * Double.random(in: 0.7...1.3, using: &generator))
        while bytes > 0 {
            let size = min(bytes, 1_200)
            bytes -= size
            let start = max(time, waiting.last?.at ?? time)
            waiting.append((start + pacer.delay(size: size, now: start), size))
        }
    }

    private mutating func packet(size: Int, at time: Instant, isSound: Bool) {
        var report = PacketReport(sentAt: time, arrivedAt: nil, size: size)
        let wait = enqueue(size: size, at: time)
        let isLost = wait == nil || Double.random(in: 0..<1, using: &generator) < loss
        if isSound {
            sound.sent += 1
            sound.lost += isLost ? 1 : 0
            sound.longestWait = max(sound.longestWait, wait ?? .zero)
        }
        var due = freeAt + delay * 2
        if !isLost {
            var arrival = freeAt + delay
            if readsEvery > .zero {
                // Not so evenly either: the processor comes when it comes.
                let every = readsEvery.wholeMicroseconds
                let period = every / 2 + Int64.random(in: 0...every, using: &generator)
                let time = arrival.sinceStart.wholeMicroseconds
                arrival = Instant(sinceStart: .microseconds((time + period - 1) / period * period))
            }
            report.arrivedAt = arrival.sinceStart + .seconds(5)
            due = arrival + delay + feedbackWait
            delivered += size * 8
        }
        onTheWay.append((due, report))
    }

    /// How long a packet waits; nil when there is no room for it.
    private mutating func enqueue(size: Int, at time: Instant) -> Duration? {
        let wait = max(.zero, freeAt - time)
        guard wait <= queueLimit else { return nil }
        freeAt = max(freeAt, time) + .microseconds(Int64(size) * 8_000_000 / Int64(rate))
        longestQueue = max(longestQueue, wait)
        return wait
    }
}
