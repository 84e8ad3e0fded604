import BaseKit
import TestSupport
import Testing

@testable import MediaRules

private typealias Machine = TransportMachine

/// Nothing passes before the peer's certificate is known to be the announced one.
@Suite(.timeLimit(.minutes(1))) struct TransportGateTests {
    private static let announced = MachineCases.announced, other = MachineCases.other

    private static let openings: [(channels: [TransportSight.Channel], stage: TransportMachine.Stage)] = [
        ([], .connected),
        ([.settingUp], .connected),
        ([.connected(nil)], .connected),
        ([.connected(announced), .connected(nil)], .connected),
        ([.connected(announced)], .verified),
        ([.connected(other)], .retired),
        ([.connected(announced), .settingUp], .retired),
        ([.connected(announced), .connected(announced)], .retired),
        ([.connected(announced), .connected(other)], .retired),
        ([.connected(other), .connected(announced)], .retired),
        ([.failed], .retired),
        ([.connected(announced), .failed], .retired),
    ]

    @Test(arguments: openings)
    func `the gate opens for one channel with the announced certificate, and for nothing else`(
        channels: [TransportSight.Channel], stage: TransportMachine.Stage
    ) throws {
        for before in [Machine.Stage.negotiated, .connected] {
            var machine = try MachineCases.machine(before)
            let actions = machine.saw(TransportSight(path: .found, channels: channels), now: at(10))
            #expect(machine.stage == stage)
            #expect(machine.isVerified == (stage == .verified))
            #expect(actions.transport.contains(.openGate) == (stage == .verified))
            #expect(actions.session.contains(.verified) == (stage == .verified))
            #expect(actions.transport.contains(.stop(saysGoodbye: false)) == (stage == .retired))
        }
    }

    @Test func `the steps are told in their order, of a later transport only the last`() throws {
        var first = try MachineCases.machine(.negotiated)
        #expect(first.saw(MachineCases.path, now: at(1)) == Machine.Actions(pair: [.pathFound]))
        #expect(first.saw(MachineCases.path, now: at(2)) == .none)
        #expect(
            first.saw(MachineCases.good, now: at(3))
                == Machine.Actions(transport: [.openGate], pair: [.channelSetUp], session: [.verified]))
        var later = try MachineCases.machine(.negotiated, isFirst: false)
        #expect(
            later.saw(MachineCases.good, now: at(3)) == Machine.Actions(transport: [.openGate], session: [.verified]))
        #expect(later.firstFrame(.video) == .none)
    }

    @Test func `a wrong certificate stops all, is told once, and no later look opens the gate`() throws {
        var machine = try MachineCases.machine(.connected)
        let wrong = TransportSight(path: .found, channels: [.connected(Self.other)])
        #expect(
            machine.saw(wrong, now: at(1))
                == Machine.Actions(transport: [.stop(saysGoodbye: false)], pair: [.channelSetUp], session: [.mismatch]))
        #expect(machine.saw(MachineCases.good, now: at(2)) == .none)
        #expect(machine.saw(wrong, now: at(3)) == .none)
        #expect(!machine.isVerified && !machine.wasVerified)
    }

    @Test func `before both descriptions are set no channel is looked at`() throws {
        var offerer = MachineCases.machine()
        #expect(offerer.saw(MachineCases.good, now: at(0)) == .none)
        try offerer.beginOffer()
        _ = offerer.offered()
        #expect(offerer.saw(MachineCases.good, now: at(0)) == .none)
        try offerer.beginApplying(Self.announced)
        #expect(offerer.saw(MachineCases.good, now: at(0)) == .none)
        #expect(offerer.agreed([], now: at(0)) == [.look])
        #expect(offerer.saw(MachineCases.good, now: at(0)).transport == [.openGate])
    }

    @Test func `a second description does not exchange the certificate that is expected`() throws {
        var machine = try MachineCases.machine(.negotiated)
        #expect(throws: MediaError.negotiation(.unexpectedOffer)) {
            try machine.beginAnswer(Self.other, mids: ["x"])
        }
        #expect(throws: MediaError.negotiation(.unexpectedAnswer)) {
            try machine.beginApplying(Self.other)
        }
        #expect(machine.agreed([], now: at(5)) == [])
        #expect(machine.mids == ["0", "1", "2", "3"])
        #expect(machine.saw(MachineCases.good, now: at(6)).transport == [.openGate])
    }

    @Test func `a channel that stands has a path, whether ICE has told it or not`() throws {
        var machine = try MachineCases.machine(.negotiated)
        let actions = machine.saw(TransportSight(path: .searching, channels: [.connected(Self.announced)]), now: at(1))
        #expect(actions.pair == [.pathFound, .channelSetUp] && actions.session == [.verified])
    }

    @Test func `of a way to a server nothing is told that only two people learn of theirs`() throws {
        let end = at(0) + LossWatchdog.patience
        let (failed, over) = (TransportSight(path: .failed), TransportSight(path: .found, channels: [.over]))
        for stage in Machine.Stage.allCases {
            for sight in [MachineCases.path, MachineCases.good, failed, over] {
                var machine = try MachineCases.machine(stage, isPair: false)
                let seen = machine.saw(sight, now: at(1))
                #expect(seen.pair == [] && machine.firstFrame(.audio) == .none)
                for (packets, now) in [(5, at(2)), (5, end + .seconds(1)), (6, end + .seconds(2))] {
                    #expect(machine.ticked(packets: packets, now: now).pair == [], "\(stage)")
                }
                #expect(machine.looked(isSuccessorHeard: true, now: at(99_000)).pair == [])
                #expect(machine.peerLeft() == .none)
            }
        }
        var machine = try MachineCases.machine(.negotiated, isPair: false)
        #expect(
            machine.saw(MachineCases.good, now: at(1))
                == Machine.Actions(transport: [.openGate], session: [.verified]))
    }

    @Test func `who says goodbye before is nobody, and no frame is the first`() throws {
        for stage in Machine.Stage.allCases {
            var machine = try MachineCases.machine(stage)
            let told = machine.peerLeft().pair
            #expect(told == (machine.isVerified ? [.peerLeft] : []))
            #expect(machine.firstFrame(.audio).pair == (machine.isVerified ? [.firstFrame(.audio)] : []))
        }
    }
}

/// What can go wrong before the gate opens.
@Suite(.timeLimit(.minutes(1))) struct TransportPatienceTests {
    private let failed = TransportSight(path: .failed, channels: [.settingUp])

    @Test func `without candidates ICE may fail as long as the peer may send them`() throws {
        var machine = try MachineCases.machine(.negotiated)
        let limit = at(0) + CandidateSchedule.end + .seconds(3)
        #expect(machine.saw(failed, now: limit) == .none)
        #expect(machine.stage == .negotiated)
        #expect(machine.saw(failed, now: limit + .milliseconds(1)).session == [.failed(.unreachable)])
        #expect(machine.stage == .retired)
    }

    @Test func `a path that is lost before the channel stands is a failure at once`() throws {
        var machine = try MachineCases.machine(.connected)
        #expect(machine.saw(failed, now: at(1)).session == [.failed(.unreachable)])
    }

    @Test func `a peer that never sets up the channel is given up, of a later transport signaling does it`() throws {
        let late = at(0) + NegotiationStage.patience + .milliseconds(1)
        for (stage, error) in [
            (Machine.Stage.negotiated, MediaError.unreachable), (.connected, .negotiation(.noChannel)),
        ] {
            var first = try MachineCases.machine(stage)
            #expect(first.ticked(packets: 0, now: late - .milliseconds(1)).session == [])
            #expect(
                first.ticked(packets: 0, now: late)
                    == Machine.Actions(transport: [.stop(saysGoodbye: false)], session: [.failed(error)]))
            #expect(first.ticked(packets: 0, now: late + .milliseconds(1)) == .none)
            var later = try MachineCases.machine(stage, isFirst: false)
            #expect(later.ticked(packets: 0, now: at(0) + NegotiationStage.patience * 10) == .none)
        }
    }

    @Test func `a step that failed is the last`() throws {
        var machine = MachineCases.machine()
        try machine.beginOffer()
        machine.negotiationFailed()
        _ = machine.offered()
        #expect(throws: MediaError.self) { try machine.beginApplying(MachineCases.announced) }
        #expect(machine.agreed([], now: at(0)) == [])
        #expect(machine.stage == .gathering)
    }

    @Test func `a pipeline that breaks is a failure, but no news of one that was replaced`() throws {
        for stage in Machine.Stage.allCases {
            var machine = try MachineCases.machine(stage)
            let isOver = stage == .yielding || stage == .retired
            let told: [Machine.SessionAction] = isOver ? [] : [.failed(.pipeline("x"))]
            #expect(machine.broke("x").session == told, "\(stage)")
            #expect(machine.stage == (stage == .yielding ? .yielding : .retired))
        }
    }

    @Test func `relays that give nothing are told once, those of a later transport never`() throws {
        var machine = try MachineCases.machine(.carrying, relays: 1)
        let due = at(0) + RelayWatch.patience
        #expect(machine.ticked(packets: 0, now: due - .milliseconds(1)).session == [])
        #expect(machine.ticked(packets: 0, now: due).session == [.noRelay])
        #expect(machine.ticked(packets: 0, now: due + .milliseconds(1)).session == [])
        var lucky = try MachineCases.machine(.carrying, relays: 1)
        _ = lucky.found(MachineCases.candidate(1, kind: "relay"), now: at(5))
        #expect(lucky.hasRelay)
        #expect(lucky.ticked(packets: 0, now: due).session == [])
    }
}

@Suite(.timeLimit(.minutes(1))) struct TransportCandidateTests {
    @Test func `our first candidates wait for whoever waits for them, the others go to the peer`() throws {
        var machine = MachineCases.machine()
        try machine.beginOffer()
        machine.gatheringBegan(now: at(0))
        // Nobody waits yet: no timer, nothing handed out.
        #expect(machine.found(MachineCases.candidate(1), now: at(1)) == .none)
        #expect(machine.woke(now: at(2_000)) == .none)
        #expect(machine.awaitFirstBatch(now: at(10)) == [.wake(at: at(10))])
        #expect(machine.woke(now: at(10)).transport == [.wake(at: at(0) + CandidateSchedule.firstDelay)])
        let due = at(20) + CandidateSchedule.settling
        #expect(machine.gatheringCompleted(now: at(20)).transport == [.wake(at: due)])
        #expect(machine.woke(now: due).transport == [.handOver([MachineCases.candidate(1)])])
        // From here on ticks are enough.
        #expect(machine.found(MachineCases.candidate(2), now: due + .milliseconds(1)) == .none)
        let later = due + CandidateSchedule.interval
        #expect(
            machine.ticked(packets: 0, now: later)
                == Machine.Actions(session: [.candidates([MachineCases.candidate(2)])]))
    }

    @Test func `the peer's candidates wait for its description`() throws {
        var machine = MachineCases.machine()
        #expect(machine.received([MachineCases.candidate(1), MachineCases.candidate(1)]) == [])
        try machine.beginAnswer(MachineCases.announced, mids: ["0"])
        #expect(machine.received([MachineCases.candidate(2)]) == [])
        let actions = machine.agreed([MachineCases.candidate(3)], now: at(0))
        #expect(MachineCases.contacted(actions) == 3 && actions.last == .look)
        #expect(machine.rejectedCandidates == 1)
    }

    @Test func `late ones are used as long as it carries or may come to`() throws {
        for stage in Machine.Stage.allCases where stage != .gathering {
            var machine = try MachineCases.machine(stage)
            let isOver = stage == .yielding || stage == .retired
            #expect(MachineCases.contacted(machine.received([MachineCases.candidate(1)])) == (isOver ? 0 : 1))
        }
    }

    @Test func `before the description only as many are kept as are used at all`() throws {
        var machine = MachineCases.machine()
        for number in 0..<5_000 { _ = machine.received([MachineCases.candidate(number)]) }
        try machine.beginAnswer(MachineCases.announced, mids: ["0"])
        #expect(MachineCases.contacted(machine.agreed([], now: at(0))) == CandidateFilter.maximumCount)
        // The filter never saw the others.
        #expect(machine.rejectedCandidates == 0)
    }

    @Test func `a hidden address is asked for once and used when it is known, not after the end`() throws {
        let name = try #require(LocalName(parsing: "01234567-89ab-cdef-0123-456789abcdef.local"))
        var machine = try MachineCases.machine(.negotiated)
        #expect(machine.received([MachineCases.hidden(name)]) == [.resolve([name])])
        #expect(machine.received([MachineCases.hidden(name)]) == [])
        var ended = machine
        #expect(MachineCases.contacted(machine.resolved(name, "192.0.2.7").transport) == 1)
        #expect(machine.resolved(name, "192.0.2.8") == .none)
        _ = ended.retire(isCallOver: true)
        #expect(ended.resolved(name, "192.0.2.7") == .none)
    }

    @Test func `in a relay-only call the peer is told of relayed candidates alone, and no name is asked`() throws {
        let name = try #require(LocalName(parsing: "01234567-89ab-cdef-0123-456789abcdef.local"))
        var machine = MachineCases.machine(relays: 1, isRelayOnly: true)
        try machine.beginAnswer(MachineCases.announced, mids: ["0"])
        machine.gatheringBegan(now: at(0))
        _ = machine.agreed([], now: at(0))
        #expect(machine.received([MachineCases.hidden(name)]) == [])
        _ = machine.found(MachineCases.candidate(1), now: at(0))
        _ = machine.found(MachineCases.candidate(2, kind: "relay raddr 10.0.0.1 rport 9"), now: at(0))
        _ = machine.awaitFirstBatch(now: at(0))
        let batch = machine.woke(now: at(0) + CandidateSchedule.firstDelay).transport
        guard case .handOver(let all) = batch.first else {
            Issue.record("\(batch)")
            return
        }
        #expect(all.count == 1 && all.allSatisfy { !$0.candidate.contains("10.0.0.1") })
    }
}

@Suite(.timeLimit(.minutes(1))) struct TransportLossTests {
    private let end = at(0) + LossWatchdog.patience

    @Test func `silence is a loss and the next packet a recovery, each told once`() throws {
        var machine = try MachineCases.machine(.carrying)
        #expect(machine.ticked(packets: 5, now: at(0)).pair == [])
        #expect(machine.ticked(packets: 5, now: end).pair == [.lost])
        #expect(machine.ticked(packets: 5, now: end + .milliseconds(250)).pair == [])
        #expect(machine.ticked(packets: 6, now: end + .milliseconds(500)).pair == [.recovered])
        #expect(machine.ticked(packets: 7, now: end + .milliseconds(750)).pair == [])
        #expect(machine.stage == .carrying)
    }

    @Test func `a path that ICE gives up is a loss before the time, and no end`() throws {
        var machine = try MachineCases.machine(.carrying)
        _ = machine.ticked(packets: 5, now: at(0))
        let failed = TransportSight(path: .failed)
        #expect(machine.saw(failed, now: at(10)).pair == [.lost])
        #expect(machine.saw(failed, now: at(20)) == .none)
        #expect(machine.ticked(packets: 6, now: at(250)).pair == [.recovered])
    }

    @Test func `only the one that carries is watched`() throws {
        for stage in Machine.Stage.allCases where stage != .carrying {
            var machine = try MachineCases.machine(stage, isFirst: false)
            for (packets, now) in [(5, at(0)), (5, end), (6, end + .milliseconds(250))] {
                #expect(machine.ticked(packets: packets, now: now).pair == [], "\(stage)")
            }
        }
    }
}

/// Two transports, of which one takes over from the other.
@Suite(.timeLimit(.minutes(1))) struct TransportRenewalTests {
    @Test func `one that takes over during a loss begins with a clean watch, and the old one says no more`() throws {
        var old = try MachineCases.machine(.carrying)
        _ = old.ticked(packets: 5, now: at(0))
        #expect(old.ticked(packets: 5, now: at(4_000)).pair == [.lost])
        var new = try MachineCases.machine(.verified, isFirst: false)
        old.yield(now: at(4_100))
        new.carry()
        #expect(old.stage == .yielding && new.stage == .carrying)
        // The path of the old one comes back.
        #expect(old.ticked(packets: 6, now: at(4_250)) == .none)
        #expect(old.saw(TransportSight(path: .failed), now: at(4_250)) == .none)
        #expect(new.ticked(packets: 0, now: at(20_000)).pair == [])
        #expect(new.ticked(packets: 1, now: at(20_250)).pair == [])
        #expect(new.ticked(packets: 1, now: at(24_250)).pair == [.lost])
    }

    @Test func `the old one ends when the peer is heard on the new one, in three seconds at the latest`() throws {
        for (isHeard, end) in [(true, at(1_500)), (false, at(4_000))] {
            var machine = try MachineCases.machine(.carrying)
            machine.yield(now: at(1_000))
            #expect(machine.looked(isSuccessorHeard: isHeard, now: end - .milliseconds(1)) == .none)
            #expect(
                machine.looked(isSuccessorHeard: isHeard, now: end)
                    == Machine.Actions(transport: [.stop(saysGoodbye: false)], pair: [.replaced]))
            #expect(machine.isRetired && machine.wasVerified)
        }
    }

    @Test func `none but one whose certificate was verified carries, and none but that yields`() throws {
        for stage in Machine.Stage.allCases {
            var (one, other) = (try MachineCases.machine(stage), try MachineCases.machine(stage))
            one.carry()
            #expect(one.stage == (stage == .verified ? .carrying : stage))
            other.yield(now: at(0))
            #expect(other.stage == (stage == .carrying ? .yielding : stage))
            #expect(
                stage == .yielding || other.stage == .yielding
                    || other.looked(isSuccessorHeard: true, now: at(9_999)) == .none)
        }
    }
}

@Suite(.timeLimit(.minutes(1))) struct TransportEndTests {
    @Test(arguments: TransportMachine.Stage.allCases)
    func `it can end in every state, once, and says goodbye only to a peer that it knows`(
        stage: TransportMachine.Stage
    ) throws {
        for isCallOver in [true, false] {
            var machine = try MachineCases.machine(stage)
            let isKnown = machine.isVerified
            let stops = machine.retire(isCallOver: isCallOver)
            #expect(stops == (stage == .retired ? [] : [.stop(saysGoodbye: isCallOver && isKnown)]))
            #expect(machine.stage == .retired && machine.wasVerified == isKnown)
            #expect(machine.retire(isCallOver: true) == [])
        }
    }

    @Test func `a channel that is closed in order is the peer's goodbye, of the one that carries alone`() throws {
        let closed = TransportSight(path: .found, channels: [.over])
        for stage in Machine.Stage.allCases {
            var machine = try MachineCases.machine(stage, isFirst: false)
            let told = machine.saw(closed, now: at(5))
            #expect(told == (stage == .carrying ? Machine.Actions(pair: [.peerLeft]) : .none), "\(stage)")
            #expect(stage == .negotiated || machine.stage == stage)
        }
    }

    @Test func `who has left is told once, however it said so, and gets no goodbye`() throws {
        let closed = TransportSight(path: .found, channels: [.over])
        for isChannelFirst in [true, false] {
            var machine = try MachineCases.machine(.carrying)
            let first = isChannelFirst ? machine.saw(closed, now: at(1)) : machine.peerLeft()
            #expect(first.pair == [.peerLeft])
            #expect(machine.peerLeft() == .none && machine.saw(closed, now: at(2)) == .none)
            #expect(machine.retire(isCallOver: true) == [.stop(saysGoodbye: false)])
        }
    }

    @Test(arguments: TransportMachine.Stage.allCases)
    func `nothing follows the end`(stage: TransportMachine.Stage) throws {
        var machine = try MachineCases.machine(stage, relays: 1)
        _ = machine.retire(isCallOver: true)
        #expect(throws: MediaError.closed) { try machine.beginOffer() }
        #expect(throws: MediaError.closed) { try machine.beginAnswer(MachineCases.announced, mids: []) }
        #expect(throws: MediaError.closed) { try machine.expectAnswer() }
        #expect(throws: MediaError.closed) { try machine.beginApplying(MachineCases.announced) }
        machine.gatheringBegan(now: at(0))
        machine.negotiationFailed()
        #expect(machine.offered() == [] && machine.agreed([MachineCases.candidate(1)], now: at(1)) == [])
        #expect(machine.awaitFirstBatch(now: at(1)) == [] && machine.received([MachineCases.candidate(1)]) == [])
        #expect(machine.found(MachineCases.candidate(1), now: at(1)) == .none)
        #expect(machine.gatheringCompleted(now: at(1)) == .none && machine.woke(now: at(9_000)) == .none)
        #expect(machine.saw(MachineCases.good, now: at(1)) == .none)
        machine.carry()
        machine.yield(now: at(1))
        #expect(machine.ticked(packets: 1, now: at(2)) == .none && machine.ticked(packets: 1, now: at(99_000)) == .none)
        #expect(machine.looked(isSuccessorHeard: true, now: at(99_000)) == .none)
        #expect(machine.peerLeft() == .none && machine.firstFrame(.video) == .none && machine.broke("x") == .none)
        #expect(machine.stage == .retired)
    }
}
