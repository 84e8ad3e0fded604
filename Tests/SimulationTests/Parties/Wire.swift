import Cryptography
import SMP

@testable import RelayRules
@testable import SMPSession

/// Whose connection a wire is. On the world's thread only.
protocol WireHolder: AnyObject {
    /// Whether it is a relay that forwards.
    var isProxy: Bool { get }

    /// Whether this attempt still matters.
    func wants(_ attempt: Int) -> Bool
    func isReady(_ wire: Wire, _ version: SMPVersion)
    func happened(_ event: RelayEvent)
    /// A connection ended, or its hellos were never finished.
    func lost(_ wire: Wire, _ reason: TransportError)
    /// There was no connection to end.
    func failed(_ reason: TransportError)
}

/// One connection between a line or a proxy and a relay: blocks in order, each a while on its way, until it is cut. On the
/// world's thread only.
final class Wire: @unchecked Sendable {
    private enum Relays {
        case greeting(ServerGreeting)
        case serving(SessionContext, BlockCipher)
        case over
    }

    /// One way of a connection.
    private struct Way {
        var isOpen = true
        /// Whether what is on its way still arrives after the end.
        var keepsFlying = false
        /// What is sent is swallowed from here on.
        var isBlackHole = false
        /// When the last block arrives; none overtakes another.
        var last: Int64 = 0
    }

    let number: UInt64
    let holder: any WireHolder
    /// Which of the holder's attempts made it.
    let attempt: Int
    private let relay: SimulatedRelay
    private let network: Network
    private var scheduler: Scheduler { network.scheduler }
    private var client: ClientMachine
    private var server: Relays
    private var up = Way()
    private var down = Way()
    private var clientIsDone = false
    private var serverIsDone = false
    private var completions: [Int: (Result<BrokerMessage, RelayRequestError>) -> Void] = [:]
    private var nextNumber = 0
    private var isReady = false
    /// What the relay sent, to send it again.
    private var sentByRelay: [[UInt8]] = []
    private(set) var version: SMPVersion?
    let sessionID: [UInt8]

    init(
        _ number: UInt64, holder: any WireHolder, attempt: Int, relay: SimulatedRelay, network: Network,
        version: SMPVersion
    ) throws {
        self.number = number
        self.holder = holder
        self.attempt = attempt
        self.relay = relay
        self.network = network
        let sessionID = randomBytes(32)
        // A proxy may have to take an older version, which has no second encryption of blocks.
        let versions = holder.isProxy ? SMPVersionRange(9...version.rawValue) : SMPVersionRange(version)
        self.sessionID = sessionID
        client = ClientMachine(
            versions: versions, keyHash: relay.address.keyHash, sessionKey: X25519.PrivateKey(),
            isProxy: holder.isProxy)
        let greeting = try relay.greeting(sessionID)
        server = .greeting(greeting)
        client.tlsEstablished(
            TLSDetails(
                sessionID: sessionID, applicationProtocol: "smp/1",
                serverChain: relay.certificates.chain.certificates))
        send(try greeting.block(), \.down)
        scheduler.after(15_000) { [self] in
            guard !isReady else { return }
            endClient(.timeout(.hello))
            endServer(after: network.silence())
        }
    }

    // MARK: The client's end

    /// What a proxy passes on of the relay.
    var forwarding: ForwardingDetails? { client.forwarding }

    func submit(_ requests: [RelayRequest], _ completion: @escaping (LineState.Results) -> Void) {
        let collector = Collector(requests.count, completion)
        var numbered: [(number: Int, request: RelayRequest)] = []
        for (index, request) in requests.enumerated() {
            completions[nextNumber] = { collector.set($0, index) }
            numbered.append((nextNumber, request))
            nextNumber += 1
        }
        perform(client.submit(numbered))
        let numbers = numbered.map(\.number)
        scheduler.after(10_000 + Int64(numbers.count) * 20) { [self] in
            for number in numbers where completions[number] != nil { perform(client.timedOut(number)) }
        }
    }

    private func perform(_ effects: [ClientMachine.Effect]) {
        for effect in effects {
            switch effect {
            case .send(let block): send(block, \.up)
            case .ready(let version):
                self.version = version
                isReady = true
                holder.isReady(self, version)
            case .settle(let number, let result): completions.removeValue(forKey: number)?(result)
            case .event(let event): holder.happened(event)
            case .fail(let reason):
                up.isOpen = false
                endServer(after: network.latency())
                endClient(reason)
            }
        }
    }

    private func endClient(_ reason: TransportError) {
        guard !clientIsDone else { return }
        clientIsDone = true
        up.isOpen = false
        perform(client.closed(reason))
        // As the real handler does: first the requests, then the end.
        let rest = completions.sorted { $0.key < $1.key }
        completions = [:]
        for (_, completion) in rest { completion(.failure(.interrupted(reason))) }
        holder.lost(self, reason)
    }

    /// The client's process closes the connection, or dies.
    func closeByClient() {
        up.isOpen = false
        down.isOpen = false
        up.keepsFlying = scheduler.happens(0.5)
        endClient(.closed)
        endServer(after: network.silence())
    }

    // MARK: The relay's end

    private func received(byRelay block: [UInt8]) {
        guard !serverIsDone else { return }
        switch server {
        case .greeting(let greeting):
            guard let agreement = try? greeting.agree(on: block) else { return cut() }
            let context = SessionContext(
                number: number, version: agreement.version, sessionID: greeting.sessionID, key: greeting.sessionKey,
                secret: agreement.secret)
            server = .serving(context, agreement.cipher)
            relay.started(self)
        case .serving(let context, var cipher):
            guard let payload = try? cipher.open(block) else { return cut() }
            server = .serving(context, cipher)
            relay.received(payload, context, self)
        case .over: break
        }
    }

    /// The relay sends payloads, each in a block.
    func send(_ payloads: [[UInt8]]) {
        guard !serverIsDone, case .serving(let context, var cipher) = server else { return }
        for payload in payloads {
            guard let block = try? cipher.seal(payload) else { continue }
            server = .serving(context, cipher)
            relay.noteAnswer(payload, self)
            sentByRelay.append(payload)
            if sentByRelay.count > 4 { sentByRelay.removeFirst() }
            send(block, \.down)
        }
    }

    private func endServer(after delay: Int64) {
        scheduler.after(delay) { [self] in
            guard !serverIsDone else { return }
            serverIsDone = true
            if case .serving = server { relay.ended(self) }
            server = .over
            down.isOpen = false
        }
    }

    /// The relay's process dies: nothing more leaves it.
    func closeByRelay() {
        serverIsDone = true
        server = .over
        up.isOpen = false
        down.isOpen = false
        down.keepsFlying = scheduler.happens(0.5)
        scheduler.after(max(down.last - scheduler.now, 0) + network.silence()) { [self] in endClient(.closedByPeer) }
    }

    // MARK: Faults

    /// Both ends learn of it, sooner or later; what was on its way arrives or not.
    func cut() {
        guard up.isOpen || down.isOpen else { return }
        up.isOpen = false
        down.isOpen = false
        up.keepsFlying = scheduler.happens(0.5)
        down.keepsFlying = scheduler.happens(0.5)
        let last = max(up.last, down.last) - scheduler.now
        scheduler.after(max(last, 0) + network.silence()) { [self] in endClient(.closedByPeer) }
        endServer(after: max(last, 0) + network.silence())
    }

    /// From here on one way swallows everything, until somebody notices.
    func swallow(upwards: Bool) {
        if upwards { up.isBlackHole = true } else { down.isBlackHole = true }
        scheduler.after(Int64(scheduler.number(10...25_000))) { [self] in cut() }
    }

    /// One way stands still for a while.
    func stall(upwards: Bool, for time: Int64) {
        if upwards { up.last = scheduler.now + time } else { down.last = scheduler.now + time }
    }

    /// The relay repeats itself.
    func repeatPayload() {
        guard !sentByRelay.isEmpty else { return }
        send([sentByRelay[scheduler.number(0...sentByRelay.count - 1)]])
    }

    // MARK: On the way

    private func send(_ block: [UInt8], _ way: ReferenceWritableKeyPath<Wire, Way>) {
        guard self[keyPath: way].isOpen, !self[keyPath: way].isBlackHole else { return }
        let arrival = max(self[keyPath: way].last, scheduler.now + network.latency())
        self[keyPath: way].last = arrival
        scheduler.after(arrival - scheduler.now) { [self] in
            guard self[keyPath: way].isOpen || self[keyPath: way].keepsFlying else { return }
            if way == \Wire.up {
                received(byRelay: block)
            } else if !clientIsDone {
                perform(client.received(block))
            }
        }
    }
}

/// Gathers the results of requests that were sent together.
private final class Collector {
    private var results: LineState.Results
    private var missing: Int
    private let completion: (LineState.Results) -> Void

    init(_ count: Int, _ completion: @escaping (LineState.Results) -> Void) {
        results = Array(repeating: .failure(.timeout), count: count)
        missing = count
        self.completion = completion
    }

    func set(_ result: Result<BrokerMessage, RelayRequestError>, _ index: Int) {
        results[index] = result
        missing -= 1
        if missing == 0 { completion(results) }
    }
}
