import TestSupport

@testable import MediaRules

/// Transports, looks at them and candidates for the tests of the machine.
enum MachineCases {
    typealias Machine = TransportMachine

    /// What the peer's description announces, and what it does not.
    static let announced = Fingerprint(certificate: [1]), other = Fingerprint(certificate: [2])
    /// A path, and a channel whose certificate is the announced one.
    static let good = TransportSight(path: .found, channels: [.connected(announced)])
    static let path = TransportSight(path: .found, channels: [.settingUp])

    static func machine(
        isFirst: Bool = true, isPair: Bool = true, relays: Int = 0, isRelayOnly: Bool = false
    ) -> Machine {
        Machine(
            isFirst: isFirst, isPair: isPair,
            local: LocalCandidates(
                isRelayOnly: isRelayOnly, relays: RelayWatch(relayCount: relays, isRelayOnly: isRelayOnly)),
            remote: RemoteCandidates(allowsLoopback: false, resolvesNames: !isRelayOnly))
    }

    /// A transport in the middle of its life; both descriptions were set at 0.
    static func machine(
        _ stage: Machine.Stage, isFirst: Bool = true, isPair: Bool = true, relays: Int = 0
    ) throws -> Machine {
        var machine = machine(isFirst: isFirst, isPair: isPair, relays: relays)
        guard stage != .gathering else { return machine }
        try machine.beginAnswer(announced, mids: ["0", "1", "2", "3"])
        machine.gatheringBegan(now: at(0))
        _ = machine.agreed([], now: at(0))
        if stage == .retired { _ = machine.retire(isCallOver: false) }
        guard stage != .negotiated, stage != .retired else { return machine }
        _ = machine.saw(path, now: at(0))
        guard stage != .connected else { return machine }
        _ = machine.saw(good, now: at(0))
        guard stage != .verified else { return machine }
        machine.carry()
        if stage == .yielding { machine.yield(now: at(0)) }
        return machine
    }

    static func candidate(_ number: Int, kind: String = "host") -> MediaCandidate {
        MediaCandidate(
            candidate: "candidate:\(number) 1 udp 1 192.0.2.\(number % 250 + 1) \(1_000 + number) typ \(kind)",
            mid: "0",
            mLineIndex: 0)
    }

    static func hidden(_ name: LocalName) -> MediaCandidate {
        MediaCandidate(candidate: "candidate:9 1 udp 1 \(name.text) 9 typ host", mid: "0", mLineIndex: 0)
    }

    /// The candidates that an action has webrtcbin contact.
    static func contacted(_ actions: [Machine.TransportAction]) -> Int {
        actions.reduce(0) { if case .contact(let all) = $1 { $0 + all.count } else { $0 } }
    }
}

extension TransportMachine.Actions {
    static let none = Self()
    var isEmpty: Bool { transport.isEmpty && pair.isEmpty && session.isEmpty }
}
