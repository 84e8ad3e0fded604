import BaseKit
import PortMapping
import SMP

/// What is known of the port of the relay inside the program in the router.
public struct PortOpenness: Sendable, Equatable {
    /// What came of trying the port from outside. A machine can't do that itself: that its own router leads back proves nothing.
    public enum Trial: Sendable, Equatable {
        /// No relay elsewhere is connected that tries others.
        case none
        case running
        /// A relay elsewhere has reached the one inside this program there, by its certificate. (the relay's host)
        case reached(from: String)
        /// It has not. (the relay's host)
        case unreached(from: String)
    }

    /// That of this machine, which the router is to forward.
    public var port: UInt16
    /// What the router says.
    public var mapping: PortMappingState
    public var trial: Trial

    public init(port: UInt16, mapping: PortMappingState, trial: Trial = .none) {
        (self.port, self.mapping, self.trial) = (port, mapping, trial)
    }

    /// Whether nothing more is under way.
    public var isSettled: Bool { mapping != .asking && trial != .running }

    /// Whether links may lead there: the router says that the port is open to everybody, and nobody has found it closed.
    public var isUsable: Bool {
        guard case .open = mapping else { return false }
        return switch trial {
        case .none, .reached: true
        case .running, .unreached: false
        }
    }
}

/// Has the router forward the port of the relay inside the program, by choice, and says what is known of it.
actor PortOpening {
    /// Has a relay elsewhere try an address.
    typealias Probe = @Sendable (RelayAddress) async -> PortOpenness.Trial
    /// Is told after each change, once links lead to where they should.
    typealias Change = @Sendable () async -> Void

    private let listeners = Broadcaster<PortOpenness?>()
    private let embedded: EmbeddedRelay
    private let surroundings: PortMappingSurroundings
    private var mapper: PortMapper?
    private var following: Task<Void, Never>?
    private var probing: Task<Void, Never>?
    private var probe: Probe = { _ in .none }
    private var change: Change = {}
    /// Whether a relay elsewhere has been connected since the trial under way chose those that it asks.
    private var isTrialOutdated = false
    /// What is known; nil while it is closed.
    private(set) var openness: PortOpenness?

    init(_ embedded: EmbeddedRelay, _ surroundings: PortMappingSurroundings) {
        (self.embedded, self.surroundings) = (embedded, surroundings)
    }

    /// What is known now, if it is open, and each change; nil when it is closed.
    var changes: AsyncStream<PortOpenness?> { listeners.stream(beginning: openness.map { [$0] } ?? []) }

    private var port: UInt16 { embedded.localAddress.effectivePort }

    /// Begins to ask the router. Nothing happens when it was asked before.
    func open(probe: @escaping Probe, change: @escaping Change) async {
        guard mapper == nil else { return }
        (self.probe, self.change) = (probe, change)
        let mapper = PortMapper(port: port, surroundings)
        self.mapper = mapper
        openness = PortOpenness(port: port, mapping: .asking)
        listeners.send(openness)
        following = Task { [weak self] in
            for await state in mapper.states { await self?.follow(state, of: mapper) }
        }
        await mapper.start()
    }

    /// Has the router forget the port.
    func close() async {
        guard let mapper else { return }
        self.mapper = nil
        following?.cancel()
        probing?.cancel()
        openness = nil
        embedded.setOutside(nil)
        await mapper.stop()
        listeners.send(nil)
    }

    /// The machine's addresses have changed.
    func networkChanged() async { await mapper?.networkChanged() }

    /// Tries it from outside if nobody has yet: a relay that could has been connected.
    func tryFromOutside() {
        guard let openness, case .open(let port) = openness.mapping else { return }
        switch openness.trial {
        case .none: probe(port)
        case .running: isTrialOutdated = true
        case .reached, .unreached: break
        }
    }

    private func follow(_ state: PortMappingState, of mapper: PortMapper) async {
        guard mapper === self.mapper else { return }
        probing?.cancel()
        openness = PortOpenness(port: port, mapping: state)
        if case .open(let port) = state { probe(port) } else { await tell() }
    }

    private func probe(_ port: MappedPort) {
        guard let address = embedded.address(at: .init(host: port.address, port: port.port)) else { return }
        isTrialOutdated = false
        openness?.trial = .running
        listeners.send(openness)
        probing = Task { [weak self, probe] in
            let trial = await probe(address)
            if !Task.isCancelled { await self?.tried(trial, port) }
        }
    }

    private func tried(_ trial: PortOpenness.Trial, _ port: MappedPort) async {
        guard openness?.mapping == .open(port) else { return }
        if trial == .none, isTrialOutdated { return probe(port) }
        openness?.trial = trial
        await tell()
    }

    private func tell() async {
        guard let openness else { return }
        let port = openness.isUsable ? openness.mapping.mapped : nil
        embedded.setOutside(port.map { .init(host: $0.address, port: $0.port) })
        await change()
        listeners.send(openness)
    }
}
