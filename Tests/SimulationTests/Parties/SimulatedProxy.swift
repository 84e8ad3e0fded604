import BaseKit
import SMP

@testable import RelayRules
@testable import SMPSession

/// What a relay of a world does as a proxy: the real table and the real layers, over connections of the world. On the world's
/// thread only.
final class SimulatedProxy {
    /// How often it is looked whether something has waited or idled too long, in milliseconds.
    private static let tick: Int64 = 2_000

    private unowned let relay: SimulatedRelay
    private let network: Network
    /// A fault to see that the simulation notices.
    private let keepsLostSessions: Bool
    private var table: ProxyTable
    private var requests: [ProxyTable.Ticket: ProxyRequest] = [:]
    private var links: [RelayAddress: ProxyLink] = [:]
    private var isTicking = false
    private var isStopped = false

    init(of relay: SimulatedRelay, keepsLostSessions: Bool, network: Network) {
        self.relay = relay
        self.keepsLostSessions = keepsLostSessions
        self.network = network
        table = ProxyTable(limits: ProxyConfiguration(), own: relay.address)
    }

    private var now: Instant { Instant(sinceStart: .milliseconds(network.scheduler.now)) }

    /// A client asks.
    func receive(_ request: ProxyRequest) {
        let (ticket, actions) = table.receive(request, now: now)
        requests[ticket] = request
        perform(actions)
    }

    /// A client is gone.
    func ended(_ session: SessionNumber) {
        table.ended(session)
        requests = requests.filter { $0.value.session != session }
    }

    /// The process ends.
    func stop() {
        isStopped = true
        let open = links
        links = [:]
        for link in open.sorted(by: { $0.key.text < $1.key.text }) { link.value.close() }
    }

    // MARK: Steps

    private func perform(_ actions: [ProxyTable.Action]) {
        guard !isStopped else { return }
        for action in actions {
            switch action {
            case .answer(let ticket, let message):
                guard let request = requests.removeValue(forKey: ticket) else { break }
                relay.answer(request, message)
            case .connect(let address): connect(to: address)
            case .forward(let ticket, let address, let command): forward(command, to: address, ticket)
            case .close(let address): links.removeValue(forKey: address)?.close()
            }
        }
        watchTime()
    }

    private func connect(to address: RelayAddress) {
        guard let other = relay.destinations.first(where: { $0.address.keyHash == address.keyHash }) else {
            return perform(table.failed(address, .network(nil), now: now))
        }
        let link = ProxyLink { [weak self] link, event in self?.happened(event, on: link, address) }
        links[address] = link
        other.connect(link, attempt: 1)
        network.scheduler.after(ProxyConfiguration().connectTimeout.wholeMilliseconds) { link.tooLate() }
    }

    private func happened(_ event: ProxyLink.Event, on link: ProxyLink, _ address: RelayAddress) {
        guard !isStopped, links[address] === link else { return }
        switch event {
        case .up(let wire, let details):
            network.note("\(relay.name) forwards to \(address.hosts)")
            perform(table.connected(address, sessionID: wire.sessionID, details.session(wire.sessionID), now: now))
        case .failed(let reason):
            links[address] = nil
            let told: SMPError.BrokerError = reason == .version ? .transport(.version) : .network(nil)
            perform(table.failed(address, told, now: now))
        case .down(let wire):
            network.note("\(relay.name) has lost \(address.hosts)")
            links[address] = nil
            if !keepsLostSessions { table.lost(address, sessionID: wire.sessionID) }
        }
    }

    private func forward(_ command: ProxiedCommand, to address: RelayAddress, _ ticket: ProxyTable.Ticket) {
        guard let wire = links[address]?.wire, let details = wire.forwarding, let request = requests[ticket],
            let exchange = try? ForwardedExchange(
                command, clientID: request.correlationID, secret: details.secret)
        else { return perform(table.answered(ticket, address, .error(.proxy(.noSession)), now: now)) }
        wire.submit([exchange.request]) { [self] results in
            let answer = exchange.answer(results.first ?? .failure(.unexpectedResponse))
            perform(table.answered(ticket, address, answer, now: now))
        }
    }

    private func watchTime() {
        guard !isTicking, !table.isEmpty else { return }
        isTicking = true
        network.scheduler.after(Self.tick) { [self] in
            isTicking = false
            guard !isStopped else { return }
            perform(table.tick(now: now))
            watchTime()
        }
    }
}

/// One attempt of a proxy to have a connection to another relay, and that connection. On the world's thread only.
private final class ProxyLink: WireHolder {
    enum Event {
        case up(Wire, ForwardingDetails)
        case failed(TransportError)
        case down(Wire)
    }

    let isProxy = true
    private(set) var wire: Wire?
    private var isOver = false
    private let tell: (ProxyLink, Event) -> Void

    init(_ tell: @escaping (ProxyLink, Event) -> Void) { self.tell = tell }

    func wants(_ attempt: Int) -> Bool { !isOver && wire == nil }

    func isReady(_ wire: Wire, _ version: SMPVersion) {
        guard wants(wire.attempt), let details = wire.forwarding else { return wire.closeByClient() }
        self.wire = wire
        tell(self, .up(wire, details))
    }

    func happened(_ event: RelayEvent) {}

    func lost(_ wire: Wire, _ reason: TransportError) {
        guard self.wire != nil else { return failed(reason) }
        guard !isOver else { return }
        isOver = true
        tell(self, .down(wire))
    }

    func failed(_ reason: TransportError) {
        guard !isOver else { return }
        isOver = true
        tell(self, .failed(reason))
    }

    /// The time to connect is over.
    func tooLate() { if wire == nil { failed(.timeout(.hello)) } }

    func close() {
        isOver = true
        wire?.closeByClient()
    }
}
