import Cryptography
import GRDB
import Logging
import SMP

@testable import Relay
@testable import RelayRules
@testable import SMPSession

/// A relay of a world: the real core and the real tables; its threads and its disk's delay are simulated. On the world's
/// thread only.
final class SimulatedRelay: @unchecked Sendable {
    /// Faults of the relay itself, to see that the simulation notices.
    enum Flaw {
        case none
        /// Answers before the change is on disk.
        case answersEarly
        /// Brings messages into another order when it starts.
        case confusesOrder
        /// As a proxy it takes a session that was lost for one that is there.
        case keepsLostSessions
    }

    let name: String
    let certificates: RelayCertificates
    let address: RelayAddress
    let disk: DatabaseQueue
    var flaw = Flaw.none
    /// The relays to which it forwards commands of clients; none if it does not.
    var destinations: [SimulatedRelay] = []
    private let network: Network
    private let quota: Int
    private let versions: [SMPVersion]
    private var core: RelayCore?
    private var proxy: SimulatedProxy?
    private var wires: [UInt64: Wire] = [:]
    private var lastNumber: UInt64 = 0
    private var written: UInt64 = 0
    private var waiting: [(position: UInt64, action: () -> Void)] = []
    private var isWriting = false
    /// Counts its lives; what one life began another does not finish.
    private var life = 0
    private var scheduler: Scheduler { network.scheduler }

    init(
        _ identity: RelayIdentity, network: Network, quota: Int, versions: [SMPVersion], disk: DatabaseQueue?
    ) throws {
        name = identity.name
        certificates = identity.certificates
        address = identity.address
        self.network = network
        self.quota = quota
        self.versions = versions
        self.disk = try disk ?? DatabaseQueue()
        if disk == nil { try RelaySchema.migrator.migrate(self.disk) }
    }

    var isRunning: Bool { core != nil }

    /// Open connections, oldest first.
    var openWires: [Wire] { wires.sorted { $0.key < $1.key }.map(\.value) }

    /// Messages in all queues but these, which are named by their senders' ids.
    func messageCount(besides others: Set<[UInt8]>) -> Int {
        core?.withStore { store in
            store.queues.values.reduce(0) { $0 + (others.contains($1.senderID.bytes) ? 0 : $1.messages.count) }
        } ?? 0
    }

    // MARK: Life

    func start() throws {
        guard core == nil else { return }
        network.note("\(name) starts")
        var limits = StoreLimits()
        // About two messages: the others come from the disk.
        limits.cachedBytes = 32_768
        let core = RelayCore(quota: quota, limits: limits, isProxy: !destinations.isEmpty, logger: .silent) {
            [scheduler] in scheduler.now / 1_000
        }
        var persisted = try disk.read { try QueueRows.load($0) }
        if flaw == .confusesOrder {
            for index in persisted.queues.indices { persisted.queues[index].messages.reverse() }
        }
        let found = persisted
        core.withStore { $0.restore(found) }
        self.core = core
        if !destinations.isEmpty {
            proxy = SimulatedProxy(of: self, keepsLostSessions: flaw == .keepsLostSessions, network: network)
        }
        written = 0
    }

    /// What is not on disk is lost.
    func kill() {
        life += 1
        core = nil
        waiting = []
        isWriting = false
        proxy?.stop()
        proxy = nil
        let open = openWires
        wires = [:]
        for wire in open { wire.closeByRelay() }
    }

    /// Drops what came before a time, in seconds since 1970.
    func expire(before time: Int64) {
        guard let core else { return }
        network.note("\(name) drops what came before \(time)")
        _ = core.withStore { $0.expire(before: time) }
        scheduleWrite()
    }

    // MARK: Connections

    func connect(_ holder: any WireHolder, attempt: Int) {
        scheduler.after(network.latency()) { [self] in
            guard holder.wants(attempt) else { return }
            guard isRunning else { return holder.failed(.hostUnreachable(host: name, reason: "refused")) }
            lastNumber += 1
            let version = versions[scheduler.number(0...versions.count - 1)]
            do {
                wires[lastNumber] = try Wire(
                    lastNumber, holder: holder, attempt: attempt, relay: self, network: network, version: version)
            } catch {
                holder.failed(.hello(.malformed))
            }
        }
    }

    func greeting(_ sessionID: [UInt8]) throws -> ServerGreeting {
        try ServerGreeting(versions: SMPVersionRange(9...17), sessionID: sessionID, certificates: certificates)
    }

    func started(_ wire: Wire) { wires[wire.number] = wire }

    func ended(_ wire: Wire) {
        wires[wire.number] = nil
        core?.withStore { $0.endSession(wire.number) }
        proxy?.ended(wire.number)
    }

    func received(_ payload: [UInt8], _ context: SessionContext, _ wire: Wire) {
        guard let core else { return }
        network.note("  wire \(wire.number) -> \(name): \(Self.commands(payload, context.version))")
        let output = core.process(payload, session: context) { numbers in
            (try? disk.read { try QueueRows.bodies(of: numbers, in: $0) }) ?? [:]
        }
        whenWritten(output.position) { [self] in
            wire.send(output.payloads)
            for push in output.pushes { send(push) }
        }
        for request in output.forwards { proxy?.receive(request) }
    }

    /// Answers a command that was forwarded, if its session is still there.
    func answer(_ request: ProxyRequest, _ message: BrokerMessage) {
        wires[request.session]?.send(request.payload(message))
    }

    private func send(_ push: Push) {
        guard let wire = wires[push.session], let version = wire.version else { return }
        let transmission = push.reply.transmission(.none, push.entity, version)
        wire.send(transmission.flatMap { try? Batch.encode([$0]) }.map { [$0] } ?? [])
    }

    /// What a payload says, for the log.
    private static func commands(_ payload: [UInt8], _ version: SMPVersion) -> String {
        let all = (try? Batch.transmissions(payload, version: version)) ?? []
        return all.compactMap { try? $0.get() }.map { transmission in
            let word = transmission.command.prefix { $0 > 32 && $0 < 127 }
            return "\(String(decoding: word, as: UTF8.self))(\(transmission.entityID.bytes.prefix(2)))"
        }.joined(separator: " ")
    }

    func noteAnswer(_ payload: [UInt8], _ wire: Wire) {
        network.note("  wire \(wire.number) <- \(name): \(Self.commands(payload, wire.version ?? 14))")
    }

    // MARK: The disk

    private func whenWritten(_ position: UInt64, _ action: @escaping () -> Void) {
        if flaw == .answersEarly { action() }
        if written >= position, waiting.isEmpty {
            if flaw != .answersEarly { action() }
            return
        }
        waiting.append((position, flaw == .answersEarly ? {} : action))
        scheduleWrite()
    }

    private func scheduleWrite() {
        guard !isWriting else { return }
        isWriting = true
        let life = life
        scheduler.after(Int64(scheduler.number(flaw == .answersEarly ? 50...400 : 0...20))) { [self] in
            if life == self.life { write() }
        }
    }

    private func write() {
        isWriting = false
        guard let core else { return }
        let (changes, position) = core.withStore { (changes: $0.journal.take(), position: $0.journal.position) }
        do {
            if !changes.isEmpty {
                try disk.write { database in
                    for change in changes { try QueueRows.apply(change, in: database) }
                }
            }
        } catch {
            network.complain("the relay's disk: \(error)")
        }
        written = position
        core.withStore { $0.wrote(position) }
        let ready = waiting.filter { $0.position <= position }
        waiting.removeAll { $0.position <= position }
        for item in ready { item.action() }
        if !waiting.isEmpty { scheduleWrite() }
    }
}

/// Who a relay is; the same in all worlds of a process, because certificates take a while to make.
struct RelayIdentity: Sendable {
    let name: String
    let certificates: RelayCertificates
    let address: RelayAddress

    private init(_ name: String) {
        do {
            self.name = name
            certificates = try RelayCertificates.make(host: name)
            address = try RelayAddress(hosts: [name], port: nil, keyHash: certificates.fingerprint)
        } catch {
            preconditionFailure("no certificates: \(error)")
        }
    }

    static let all = SeededEntropy.with(seed: 0) { ["one.example", "two.example"].map(RelayIdentity.init) }
}

extension Logger {
    /// Says nothing.
    static let silent = Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }
}
