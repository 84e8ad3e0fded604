import SMP

@testable import Relay

/// One relay, one keeper of queues and short links, and everything that goes wrong between them, all from one seed.
final class KeptWorld {
    /// Faults on purpose.
    enum Flaw {
        case none
        /// The relay answers before the change is on disk.
        case answersEarly
        /// It drops what is younger than it may.
        case expiresEarly
        /// It never drops anything.
        case neverExpires
    }

    /// In seconds.
    private static let lifetime: Int64 = 3_600

    private let scheduler: Scheduler
    private let network: Network
    private let relay: SimulatedRelay
    private let keeper: Keeper
    private let flaw: Flaw
    private var left: Int

    init(seed: UInt64, flaw: Flaw, isLogging: Bool = false) throws {
        scheduler = Scheduler(seed: seed)
        network = Network(scheduler, isLogging: isLogging)
        relay = try SimulatedRelay(
            RelayIdentity.all[0], network: network, quota: 128, versions: [16, 17], disk: nil)
        if flaw == .answersEarly { relay.flaw = .answersEarly }
        try relay.start()
        keeper = Keeper(relay, network: network)
        self.flaw = flaw
        left = scheduler.number(15...50)
    }

    /// One world; what must not happen and did, and the story if it is wanted.
    static func run(seed: UInt64, flaw: Flaw = .none, isLogging: Bool = false) throws -> (
        complaints: [String], log: [String]
    ) {
        try SeededEntropy.with(seed: seed) {
            let world = try KeptWorld(seed: seed, flaw: flaw, isLogging: isLogging)
            world.scheduleNext()
            world.run { world.left == 0 && world.network.isHealed && world.keeper.isIdle }
            world.judge()
            let outcome = (world.network.complaints, world.network.log)
            world.end()
            return outcome
        }
    }

    private func end() {
        keeper.line.stop()
        relay.kill()
        scheduler.end()
        try? relay.disk.close()
    }

    private func run(until isOver: () -> Bool) {
        let most = scheduler.stepCount + 100_000
        while !isOver(), network.complaints.isEmpty {
            guard scheduler.stepCount < most, scheduler.step() else { return network.complain("it never ends") }
        }
    }

    // MARK: What happens

    private func scheduleNext() {
        guard left > 0 else { return heal() }
        left -= 1
        let gap = scheduler.happens(0.8) ? scheduler.number(1...2_000) : scheduler.number(2_000...1_500_000)
        scheduler.after(Int64(gap)) { [self] in
            happen()
            scheduleNext()
        }
    }

    private func happen() {
        let wire = relay.openWires.last
        switch scheduler.number(0...27) {
        case 0...3: keeper.make()
        case 4...8: keeper.setLink()
        case 9...11: keeper.getLink()
        case 12: keeper.deleteLink()
        case 13: keeper.deleteQueue()
        case 14...19: keeper.send()
        case 20, 21: expire()
        case 22: wire?.cut()
        case 23: wire?.swallow(upwards: scheduler.happens(0.5))
        case 24: wire?.stall(upwards: scheduler.happens(0.5), for: Int64(scheduler.number(10...5_000)))
        default:
            relay.kill()
            scheduler.after(Int64(scheduler.number(5...6_000))) { [self] in startRelay() }
        }
    }

    private func startRelay() {
        do { try relay.start() } catch { network.complain("a relay can't start: \(error)") }
    }

    private func heal() {
        network.isHealed = true
        startRelay()
        // What was swallowed is noticed by then.
        for wire in relay.openWires { wire.cut() }
    }

    private func expire() {
        guard flaw != .neverExpires else { return }
        relay.expire(before: scheduler.now / 1_000 - (flaw == .expiresEarly ? 60 : Self.lifetime))
    }

    // MARK: The verdict

    private func judge() {
        guard network.complaints.isEmpty else { return }
        expire()
        let now = scheduler.now / 1_000
        keeper.line.reconnectNow()
        run { keeper.line.wire != nil }
        for queue in keeper.kept {
            var isOver = false
            keeper.getLink(queue)
            run { !queue.isBusy }
            keeper.fetch(queue) { [self] bodies in
                judge(queue, bodies, now)
                isOver = true
            }
            run { isOver }
        }
    }

    private func judge(_ queue: Keeper.Kept, _ bodies: [[UInt8]]?, _ now: Int64) {
        guard let bodies else {
            if !queue.beliefs.contains(where: { !$0.exists }) { network.complain("a queue is gone") }
            return
        }
        if !queue.beliefs.contains(where: \.exists) { network.complain("a deleted queue is back") }
        let sent = queue.sent.map(\.body)
        let places = bodies.compactMap { sent.firstIndex(of: $0) }
        if places.count < bodies.count { network.complain("a queue holds what was not sent") }
        if zip(places, places.dropFirst()).contains(where: { $0 >= $1 }) { network.complain("not in order, or twice") }
        for message in queue.sent {
            let isThere = bodies.contains(message.body)
            // A second or two pass between the two ends of a question.
            if let confirmed = message.confirmed, confirmed < now - Self.lifetime, isThere {
                network.complain("an old message is still there")
            }
            if message.confirmed != nil, message.begun > now - Self.lifetime + 1, !isThere {
                network.complain("a message was lost")
            }
        }
    }
}
