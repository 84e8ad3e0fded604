import BaseKit
import DequeModule
import SMP

/// What a proxy knows: relays it is connected to, sessions it has told of, commands that wait. It does no I/O.
package struct ProxyTable {
    /// Names one command that waits for its answer.
    package typealias Ticket = UInt64

    /// What the caller has to do.
    package enum Action: Equatable {
        /// Dial, then report `connected` or `failed`.
        case connect(RelayAddress)
        /// Send RFWD, then report `answered`.
        case forward(Ticket, RelayAddress, ProxiedCommand)
        case answer(Ticket, BrokerMessage)
        /// Hang up.
        case close(RelayAddress)
    }

    private enum Link {
        case connecting(waiting: [Ticket])
        case connected(Connected)
        case failed(SMPError, until: Instant)
    }

    private struct Connected {
        var session: Result<ProxySession, SMPError>
        var sessionID: [UInt8]
        var inFlight: Set<Ticket> = []
        var lastUsed: Instant

        var answer: BrokerMessage {
            switch session {
            case .success(let session): .proxySession(session)
            case .failure(let error): .error(error)
            }
        }
    }

    private struct Client {
        var underWay = 0
        var waiting: Deque<(Ticket, ProxyRequest)> = []

        var count: Int { underWay + waiting.count }
    }

    private let limits: ProxyConfiguration
    /// This relay itself.
    private let own: RelayAddress
    private var links: [RelayAddress: Link] = [:]
    private var sessions: [[UInt8]: RelayAddress] = [:]
    private var clients: [SessionNumber: Client] = [:]
    private var owners: [Ticket: SessionNumber] = [:]
    /// Those that wait for a connection; afterwards patience is over.
    private var deadlines: [Ticket: Instant] = [:]
    private var nextTicket: Ticket = 1

    /// - Parameter own: stands for this relay, whatever host and port clients name for it.
    package init(limits: ProxyConfiguration, own: RelayAddress) {
        self.limits = limits
        self.own = own
    }

    /// Whoever names this relay's fingerprint means this relay: what else they name is not dialled.
    private static func destination(_ address: RelayAddress, _ own: RelayAddress) -> RelayAddress {
        address.keyHash == own.keyHash ? own : address
    }

    /// Whether nothing is there that time could change.
    package var isEmpty: Bool { links.isEmpty && owners.isEmpty }

    /// How many relays it is connected to or dials.
    var destinationCount: Int {
        links.values.count { if case .failed = $0 { false } else { true } }
    }

    // MARK: Clients

    /// A client asks.
    package mutating func receive(_ request: ProxyRequest, now: Instant) -> (Ticket, [Action]) {
        let ticket = nextTicket
        nextTicket += 1
        owners[ticket] = request.session
        var client = clients[request.session] ?? Client()
        // This one is counted among the owners already.
        if owners.count > limits.waiting, client.count >= max(1, limits.waiting / max(1, clients.count)) {
            owners[ticket] = nil
            return (ticket, [.answer(ticket, .error(.proxy(.broker(.timeout))))])
        }
        guard client.underWay < limits.concurrencyPerClient else {
            guard client.waiting.count < limits.waitingPerClient else {
                owners[ticket] = nil
                return (ticket, [.answer(ticket, .error(.proxy(.broker(.timeout))))])
            }
            client.waiting.append((ticket, request))
            clients[request.session] = client
            return (ticket, [])
        }
        client.underWay += 1
        clients[request.session] = client
        return (ticket, begin(request, ticket, now))
    }

    /// A client is gone: what it still waited for is not begun.
    package mutating func ended(_ session: SessionNumber) {
        guard let client = clients.removeValue(forKey: session) else { return }
        for (ticket, _) in client.waiting { owners[ticket] = nil }
    }

    private mutating func begin(_ request: ProxyRequest, _ ticket: Ticket, _ now: Instant) -> [Action] {
        switch request.content {
        case .open(let address): open(Self.destination(address.withoutPassword, own), ticket, now)
        case .forward(let sessionID, let command): forward(command, sessionID, ticket, now)
        }
    }

    private mutating func open(_ address: RelayAddress, _ ticket: Ticket, _ now: Instant) -> [Action] {
        switch links[address] {
        case .connecting(let waiting):
            links[address] = .connecting(waiting: waiting + [ticket])
            deadlines[ticket] = now + limits.patience
            return []
        case .connected(var connected):
            connected.lastUsed = now
            links[address] = .connected(connected)
            return settle(ticket, connected.answer, now)
        case .failed(let error, let until) where now < until: return settle(ticket, .error(error), now)
        case .failed, nil: break
        }
        var actions: [Action] = []
        if destinationCount >= limits.maximumDestinations {
            guard let idle = longestIdle else {
                return settle(ticket, .error(.proxy(.broker(.timeout))), now)
            }
            actions = hangUp(idle)
        }
        links[address] = .connecting(waiting: [ticket])
        deadlines[ticket] = now + limits.patience
        return actions + [.connect(address)]
    }

    private mutating func forward(
        _ command: ProxiedCommand, _ sessionID: [UInt8], _ ticket: Ticket, _ now: Instant
    ) -> [Action] {
        guard let address = sessions[sessionID], case .connected(var connected) = links[address] else {
            return settle(ticket, .error(.proxy(.noSession)), now)
        }
        connected.inFlight.insert(ticket)
        connected.lastUsed = now
        links[address] = .connected(connected)
        return [.forward(ticket, address, command)]
    }

    /// Answers a command, and begins the next one of the same client.
    private mutating func settle(_ ticket: Ticket, _ message: BrokerMessage, _ now: Instant) -> [Action] {
        guard let session = owners.removeValue(forKey: ticket) else { return [] }
        deadlines[ticket] = nil
        let answer = Action.answer(ticket, message)
        guard var client = clients[session] else { return [answer] }
        guard let (next, request) = client.waiting.popFirst() else {
            client.underWay -= 1
            clients[session] = client.underWay == 0 ? nil : client
            return [answer]
        }
        clients[session] = client
        return [answer] + begin(request, next, now)
    }

    // MARK: Relays

    /// A connection was made.
    ///
    /// - Parameters:
    ///   - session: what PKEY tells, or why it can't be told.
    package mutating func connected(
        _ address: RelayAddress, sessionID: [UInt8], _ session: Result<ProxySession, SMPError>, now: Instant
    ) -> [Action] {
        guard case .connecting(let waiting) = links[address] else { return [.close(address)] }
        let connected = Connected(session: session, sessionID: sessionID, lastUsed: now)
        links[address] = .connected(connected)
        sessions[sessionID] = address
        return waiting.flatMap { settle($0, connected.answer, now) }
    }

    /// A connection could not be made.
    package mutating func failed(_ address: RelayAddress, _ error: SMPError.BrokerError, now: Instant) -> [Action] {
        guard case .connecting(let waiting) = links[address] else { return [] }
        links[address] = .failed(.proxy(.broker(error)), until: now + limits.failureMemory)
        return waiting.flatMap { settle($0, .error(.proxy(.broker(error))), now) }
    }

    /// A relay has answered, or the caller knows that it won't.
    package mutating func answered(_ ticket: Ticket, _ address: RelayAddress, _ message: BrokerMessage, now: Instant)
        -> [Action]
    {
        if case .connected(var connected) = links[address] {
            connected.inFlight.remove(ticket)
            connected.lastUsed = now
            links[address] = .connected(connected)
        }
        return settle(ticket, message, now)
    }

    /// A connection is gone; what was in flight on it is reported by `answered`.
    package mutating func lost(_ address: RelayAddress, sessionID: [UInt8]) {
        guard case .connected(let connected) = links[address], connected.sessionID == sessionID else { return }
        links[address] = nil
        sessions[sessionID] = nil
    }

    // MARK: Time

    /// Ends what has waited too long and what is not used.
    package mutating func tick(now: Instant) -> [Action] {
        var actions: [Action] = []
        let late = deadlines.filter { $0.value <= now }.keys.sorted()
        for (address, link) in links {
            switch link {
            case .connecting(let waiting):
                links[address] = .connecting(waiting: waiting.filter { !late.contains($0) })
            case .connected(let connected):
                let isIdle = now - connected.lastUsed >= limits.idleTimeout
                if isIdle, connected.inFlight.isEmpty { actions += hangUp(address) }
            case .failed(_, let until):
                if until <= now { links[address] = nil }
            }
        }
        for ticket in late { actions += settle(ticket, .error(.proxy(.broker(.network(nil)))), now) }
        return actions
    }

    private var longestIdle: RelayAddress? {
        var found: (address: RelayAddress, lastUsed: Instant)?
        for (address, link) in links {
            guard case .connected(let connected) = link, connected.inFlight.isEmpty else { continue }
            if let known = found, known.lastUsed <= connected.lastUsed { continue }
            found = (address, connected.lastUsed)
        }
        return found?.address
    }

    private mutating func hangUp(_ address: RelayAddress) -> [Action] {
        guard case .connected(let connected) = links.removeValue(forKey: address) else { return [] }
        sessions[connected.sessionID] = nil
        return [.close(address)]
    }
}
