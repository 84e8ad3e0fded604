import BaseKit
import TestSupport

@testable import PortMapping

/// A machine and its router, with time that moves only as a test says.
struct Story {
    var router = PretendedRouter()
    /// What UPnP brings; nil: it is asked and never answers.
    var upnp: UPnPOutcome? = .absent
    /// Whether datagrams are lost.
    var isCut = false
    private(set) var machine: PortMappingMachine
    private(set) var now = at(1_000_000)
    private(set) var states: [PortMappingState] = []
    private(set) var upnpRequests: [UPnPRequest] = []
    /// When each datagram left.
    private(set) var sent: [(moment: Instant, bytes: [UInt8])] = []

    static let port: UInt16 = 5_223
    static let nonce = [UInt8](1...12)
    static let client = IPv4Address(parsing: "192.168.1.20") ?? .unspecified

    init(_ router: PretendedRouter = PretendedRouter(), upnp: UPnPOutcome? = .absent, seed: UInt64 = 1) {
        (self.router, self.upnp) = (router, upnp)
        machine = PortMappingMachine(
            port: Self.port, client: Self.client, nonce: Self.nonce, random: SeededGenerator(seed: seed))
    }

    var state: PortMappingState? { states.last }

    mutating func start() { carryOut(machine.start(at: now)) }

    mutating func stop() { carryOut(machine.stop(at: now)) }

    mutating func nobodyListens() { carryOut(machine.nobodyListens()) }

    mutating func receive(_ bytes: [UInt8]) { carryOut(machine.receive(bytes, at: now)) }

    mutating func receive(_ outcome: UPnPOutcome) { carryOut(machine.receive(outcome, at: now)) }

    /// Lets time pass.
    mutating func wait(_ time: Duration) {
        let end = now + time
        while let next = machine.nextMoment, next <= end {
            now = max(now, next)
            carryOut(machine.advance(to: now))
        }
        now = end
    }

    private mutating func carryOut(_ actions: [PortMappingMachine.Action]) {
        for action in actions {
            switch action {
            case .tell(let state): states.append(state)
            case .send(let bytes):
                sent.append((now, bytes))
                if !isCut, let answer = router.answer(bytes, at: now) { receive(answer) }
            case .askUPnP(let request):
                upnpRequests.append(request)
                if let upnp { receive(upnp) }
            }
        }
    }
}
