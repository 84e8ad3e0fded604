import GRDB
import SMP
import TestSupport

@testable import Agent
@testable import Relay

/// Two people, two relays, the network between them, and everything that goes wrong, all from one seed.
final class World {
    /// What somebody sees of a world that has ended.
    struct Outcome: Sendable {
        let seed: UInt64
        let mix: String
        let complaints: [String]
        let log: [String]
        /// The same for the same seed, or the run was not repeatable.
        let fingerprint: String
        let messageCount: Int
    }

    /// What a world can begin with: two people who are connected.
    struct Beginning: Sendable {
        let people: [(memory: DatabaseQueue, connection: ConnectionID)]
        let disks: [DatabaseQueue]
    }

    /// Faults on purpose.
    struct Flaws: Sendable {
        var relay = SimulatedRelay.Flaw.none
        var believesLostAnswers = false
        var believesBrokerErrors = false
        var losesCommits = 0
        /// Takes every store for the latest one, whatever its files look like.
        var trustsCopies = false
        /// The store does not say what has changed since the last note.
        var forgetsChanges = false
    }

    let seed: UInt64
    let mix: Mix
    let scheduler: Scheduler
    let network: Network
    let relays: [SimulatedRelay]
    let people: [Person]
    var link: String?
    private var left: Int
    /// After how many steps it will never end.
    private let steps: Int
    static let usualSteps = 400_000
    /// Nothing happens for so long, on purpose.
    private var gapAhead: Int64 = 0

    init(
        seed: UInt64, mix: Mix, beginning: Beginning?, flaws: Flaws = Flaws(), isLogging: Bool = false,
        steps: Int = usualSteps
    ) throws {
        self.seed = seed
        self.steps = steps
        self.mix = mix
        let scheduler = Scheduler(seed: seed)
        self.scheduler = scheduler
        network = Network(scheduler, isLogging: isLogging)
        left = scheduler.number(mix.count)
        let network = network
        relays = try RelayIdentity.all.enumerated().map { index, identity in
            let disk = try beginning.map { try Person.copy($0.disks[index]) }
            return try SimulatedRelay(identity, network: network, quota: mix.quota, versions: mix.versions, disk: disk)
        }
        let relays = relays
        if mix.isRouted { for relay in relays { relay.destinations = relays.filter { $0 !== relay } } }
        people = try ["A", "B"].enumerated().map { index, name in
            let known = beginning?.people[index]
            let memory = try known.map { try Person.copy($0.memory) }
            let preferred = index == 0 ? relays : relays.reversed()
            let person = try Person(
                name, relays: preferred, ownCount: mix.isRouted ? 1 : relays.count, network: network, memory: memory)
            person.connection = known?.connection
            person.patience = mix.patience
            person.receiptProbability = mix.receipts
            person.believesLostAnswers = flaws.believesLostAnswers
            person.believesBrokerErrors = flaws.believesBrokerErrors
            person.losesCommits = flaws.losesCommits
            person.trustsCopies = flaws.trustsCopies
            person.forgetsChanges = flaws.forgetsChanges
            person.isUndisturbed = Set(mix.weights.keys).isSubset(of: [.send, .burst, .closePerson, .cutPower, .wait])
            person.isWatched = mix.weights[.restoreCopy] != nil || mix.weights[.cutPower] != nil
            return person
        }
        for relay in relays {
            relay.flaw = flaws.relay
            try relay.start()
        }
    }

    // MARK: The run

    /// Runs to the end, and judges.
    func run() -> Outcome {
        let scheduler = scheduler
        let people = people
        scheduler.afterStep = { for person in people { person.dieIfDoomed() } }
        meet()
        for person in people { person.start() }
        scheduleNext()
        if runUntilSettled() {
            for person in people { person.send(size: 30, isLast: true) }
            if runUntilSettled(), network.complaints.isEmpty { judge() }
        }
        if scheduler.strangerCount > 0 { network.complain("\(scheduler.strangerCount) jobs came from other threads") }
        let outcome = Outcome(
            seed: seed, mix: mix.name, complaints: network.complaints, log: network.log,
            fingerprint: "\(scheduler.stepCount) \(scheduler.now) \(people.map(\.taken))",
            messageCount: people.reduce(0) { $0 + $1.taken.count })
        end()
        return outcome
    }

    /// Connects two people without any fault.
    static func beginning(_ meeting: Meeting, isRouted: Bool) throws -> Beginning {
        var mix = Mix(name: "beginning", isRouted: isRouted, weights: [.wait: 1])
        mix.meeting = meeting
        mix.fromHandshake = true
        mix.count = 1...1
        let world = try World(seed: 1, mix: mix, beginning: nil)
        world.network.isHealed = true
        world.left = 0
        world.meet()
        for person in world.people { person.start() }
        world.scheduleNext()
        guard world.runUntilSettled() else { throw Overdue("two people could not meet: \(world.network.complaints)") }
        // Until both have a note at a relay.
        let end = world.scheduler.now + 30_000
        while world.scheduler.now < end, world.scheduler.step() {}
        let people = try world.people.map { person in
            guard let connection = person.connection else { throw Overdue("nobody was met") }
            return (memory: try Person.copy(person.memory), connection: connection)
        }
        for relay in world.relays { relay.kill() }
        let disks = try world.relays.map { try Person.copy($0.disk) }
        world.end()
        return Beginning(people: people, disks: disks)
    }

    func end() {
        for person in people {
            person.stop()
            person.onStart = {}
            person.onEvent = { _ in }
        }
        for relay in relays {
            relay.kill()
            relay.destinations = []
        }
        scheduler.end()
        for relay in relays { try? relay.disk.close() }
    }

    /// Runs until everything that was to arrive has; false with a complaint when that takes for ever.
    private func runUntilSettled() -> Bool {
        let last = scheduler.stepCount + steps
        let started = scheduler.now
        var quietSince: Int64?
        while scheduler.stepCount < last {
            if !scheduler.isBusy, network.isHealed, let next = scheduler.nextTime, next > scheduler.now + 30 {
                if isQuiet() {
                    // A while longer, for what should not come.
                    let since = quietSince ?? scheduler.now
                    quietSince = since
                    if scheduler.now > since + 5_000 { return true }
                } else {
                    quietSince = nil
                }
            }
            if !network.complaints.isEmpty { return false }
            guard scheduler.now < started + 30 * 86_400_000 else { break }
            guard scheduler.step() else { break }
        }
        if isQuiet() { return true }
        network.complain("it never ends: \(unsettled().joined(separator: "; "))")
        return false
    }

    // MARK: What happens

    private func scheduleNext() {
        guard left > 0 else { return heal() }
        left -= 1
        defer { gapAhead = 0 }
        let gap: Int
        switch scheduler.number(0...19) {
        case 0...13: gap = scheduler.number(1...300)
        case 14...18: gap = scheduler.number(300...8_000)
        default: gap = scheduler.number(8_000...200_000)
        }
        scheduler.after(Int64(gap) + gapAhead) { [self] in
            happen(mix.choose(scheduler))
            scheduleNext()
        }
    }

    private func happen(_ happening: Happening) {
        let person = people[scheduler.number(0...1)]
        let relay = relays[scheduler.number(0...relays.count - 1)]
        let wires = relays.flatMap(\.openWires)
        let wire = wires.isEmpty ? nil : wires[scheduler.number(0...wires.count - 1)]
        let upwards = scheduler.happens(0.5)
        network.note("- \(happening) \(person.name) \(relay.name) \(wire.map { "wire \($0.number)" } ?? "") \(upwards)")
        switch happening {
        case .send: person.send(size: scheduler.number(8...200))
        case .burst: for _ in 0..<scheduler.number(2...5) { person.send(size: scheduler.number(8...60)) }
        case .sendLarge: person.send(size: scheduler.number(10_000...15_700))
        case .cut: wire?.cut()
        case .swallow: wire?.swallow(upwards: upwards)
        case .stall: wire?.stall(upwards: upwards, for: Int64(scheduler.number(100...28_000)))
        case .repeatPayload: wire?.repeatPayload()
        case .killPerson:
            person.die(afterCommits: scheduler.number(0...9))
            scheduler.after(pause()) { person.start() }
        case .killRelay:
            relay.kill()
            scheduler.after(pause()) { [network] in
                do { try relay.start() } catch { network.complain("a relay can't start: \(error)") }
            }
        case .failStore:
            let code = [ResultCode.SQLITE_FULL, .SQLITE_IOERR, .SQLITE_BUSY][scheduler.number(0...2)]
            if scheduler.happens(0.5) {
                person.storeFault = StoreFault(code: code, commits: scheduler.number(1...6))
            } else {
                let end = scheduler.now + Int64(scheduler.number(10...60_000))
                person.storeFault = StoreFault(code: code, until: end)
            }
        case .closePerson:
            person.close(for: pause())
        case .cutPower:
            // A ratchet that is renewed once more before both have the new one: what left meanwhile finds neither, and both are told.
            if people.contains(where: \.isRenewing) { network.hasTravelled = true }
            person.cutPower()
            scheduler.after(pause()) { person.start() }
        case .copyStore: person.copyStore()
        case .restoreCopy:
            person.restoreCopy()
            scheduler.after(pause()) { person.start() }
        case .moveQueue: person.moveQueue()
        case .resynchronise:
            if people.contains(where: \.isRenewing) { network.hasRepairedOver = true }
            person.resynchronise()
        case .wait: gapAhead = Int64(scheduler.number(60_000...7_200_000))
        }
    }

    /// Until a process is started again.
    private func pause() -> Int64 {
        Int64(scheduler.happens(0.9) ? scheduler.number(5...6_000) : scheduler.number(6_000...3_600_000))
    }

    private func heal() {
        network.note("- healed")
        network.isHealed = true
        for relay in relays {
            do { try relay.start() } catch { network.complain("a relay can't start: \(error)") }
        }
        for person in people {
            person.patience = 0...10
            person.neverDies()
            person.storeFault = nil
            person.start()
        }
    }

    // MARK: The verdict

    private func isQuiet() -> Bool {
        people.allSatisfy { $0.isAlive && $0.connection != nil }
            && relays.allSatisfy { $0.isRunning }
            && unsettled().isEmpty
    }

    /// What is not as it has to be in the end.
    func unsettled() -> [String] {
        var faults: [String] = []
        for (person, peer) in [(people[0], people[1]), (people[1], people[0])] {
            let missing = person.attempts.filter {
                // A copy that is put back may hold a message that arrived, or lack one that was stored.
                $0.number != nil && ($0.isLast || !network.hasTravelled) && !peer.taken.contains($0.index)
            }.map(\.index)
            if !missing.isEmpty { faults.append("\(peer.name) has not got \(missing) of \(person.name)") }
            guard faults.isEmpty else { continue }
            do { faults += try person.unsettled() } catch { faults.append("\(error)") }
        }
        guard faults.isEmpty else { return faults }
        let bookmarks = people.reduce(into: Set<[UInt8]>()) { $0.formUnion($1.bookmarks) }
        for relay in relays {
            let count = relay.messageCount(besides: bookmarks)
            if count > 0 { faults.append("\(relay.name) holds \(count) messages") }
        }
        return faults
    }

    private func judge() {
        guard !network.hasTravelled else { return }
        for (person, peer) in [(people[0], people[1]), (people[1], people[0])] {
            if zip(peer.taken, peer.taken.dropFirst()).contains(where: { $0 >= $1 }) {
                network.complain("\(peer.name) got \(peer.taken) of \(person.name): not in order, or twice")
            }
            if let strange = peer.taken.first(where: { $0 >= person.attempts.count }) {
                network.complain("\(peer.name) got \(strange), which was never sent")
            }
            if !person.hasDied, person.attempts.contains(where: { $0.number != nil && !$0.isSent }) {
                network.complain("\(person.name) was not told what was sent")
            }
            for index in peer.receipted where !person.hasDied {
                guard let number = person.attempts[index].number, !person.received.contains(number) else { continue }
                network.complain("\(person.name) got no receipt for \(index)")
            }
        }
        do {
            let chains = try people.map { try $0.chains() }
            let follows =
                chains[0].sent.lastID == chains[1].received.lastID + Int64(chains[1].uncounted.count)
                && chains[1].sent.lastID == chains[0].received.lastID + Int64(chains[0].uncounted.count)
            if !follows { network.complain("the chains of both sides differ") }
        } catch {
            network.complain("\(error)")
        }
    }
}
