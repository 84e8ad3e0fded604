import BaseKit
import TestSupport
import Testing

@testable import MediaRules

/// Whatever happens to a transport, in whatever order.
@Suite(.timeLimit(.minutes(2))) struct TransportMachinePropertyTests {
    /// A machine under random events, and what must hold of what it says.
    private struct Run {
        var machine: TransportMachine
        var now = at(0)
        var seen: Set<TransportMachine.Stage> = [.gathering]
        /// What the descriptions that were taken announce.
        private var announced: Fingerprint?
        private var isAwaited = false
        private var hasHandedOver = false
        private var hasOpened = false
        private var stops = 0
        private var isLost = false
        private var hasLeft = false
        private var packets = 0
        private let isPair: Bool
        private var random: SeededGenerator

        init(seed: UInt64) {
            var random = SeededGenerator(seed: seed)
            isPair = Int.random(in: 0..<4, using: &random) > 0
            machine = MachineCases.machine(
                isFirst: Bool.random(using: &random), isPair: isPair, relays: Int.random(in: 0...1, using: &random))
            self.random = random
        }

        private static let next: [TransportMachine.Stage: Set<TransportMachine.Stage>] = [
            .gathering: [.negotiated, .retired], .negotiated: [.connected, .verified, .retired],
            .connected: [.verified, .retired], .verified: [.carrying, .retired], .carrying: [.yielding, .retired],
            .yielding: [.retired], .retired: [],
        ]

        private mutating func pick<Value>(_ values: [Value], or fallback: Value) -> Value {
            values.randomElement(using: &random) ?? fallback
        }

        private mutating func sight() -> TransportSight {
            let good = TransportSight.Channel.connected(MachineCases.announced)
            let channel = { (run: inout Run) in
                run.pick(
                    [good, good, good, .settingUp, .connected(nil), .connected(MachineCases.other), .failed, .over],
                    or: good)
            }
            let count = pick([0, 1, 1, 1, 1, 2], or: 1)
            return TransportSight(
                path: pick([.searching, .found, .found, .found, .failed], or: .found),
                channels: (0..<count).map { _ in channel(&self) })
        }

        /// One event.
        mutating func step() {
            now += .milliseconds(Int.random(in: 0...600, using: &random))
            if Int.random(in: 0..<40, using: &random) == 0 { now += .seconds(20) }
            let before = machine.stage
            let (actions, look) = event()
            check(actions, from: before, look: look)
            seen.insert(machine.stage)
        }

        private mutating func event() -> (TransportMachine.Actions, TransportSight?) {
            let number = Int.random(in: 0..<300, using: &random)
            let candidate = MachineCases.candidate(number, kind: number % 5 == 0 ? "relay" : "host")
            switch Int.random(in: 0..<120, using: &random) {
            case 0..<4: try? machine.beginOffer()
            case 4..<8: return (.init(transport: machine.offered()), nil)
            case 8..<12: begin { machine, print in try machine.beginAnswer(print, mids: ["0", "1", "2", "3"]) }
            case 12..<18: begin { machine, print in try machine.beginApplying(print) }
            case 18..<26: return (.init(transport: machine.agreed([candidate], now: now)), nil)
            case 26: machine.negotiationFailed()
            case 27..<31: machine.gatheringBegan(now: now)
            case 31..<35:
                isAwaited = isAwaited || !machine.isRetired
                return (.init(transport: machine.awaitFirstBatch(now: now)), nil)
            case 35..<42: return (machine.found(candidate, now: now), nil)
            case 42..<45: return (machine.gatheringCompleted(now: now), nil)
            case 45..<50: return (machine.woke(now: now), nil)
            case 50..<56: return (.init(transport: machine.received([candidate])), nil)
            case 56..<72:
                let look = sight()
                return (machine.saw(look, now: now), look)
            case 72..<95:
                if Int.random(in: 0..<8, using: &random) > 0 { packets += 1 }
                return (machine.ticked(packets: packets, now: now), nil)
            case 95..<101: machine.carry()
            case 101..<105: machine.yield(now: now)
            case 105..<108: return (machine.looked(isSuccessorHeard: Bool.random(using: &random), now: now), nil)
            case 108..<111: return (machine.firstFrame(.video), nil)
            case 111..<114: return (machine.peerLeft(), nil)
            case 114..<116: machine.relaysLost(now: now)
            case 116: return (machine.broke("x"), nil)
            case 117: return (.init(transport: machine.retire(isCallOver: Bool.random(using: &random))), nil)
            default: break
            }
            return (.none, nil)
        }

        private mutating func begin(_ step: (inout TransportMachine, Fingerprint) throws -> Void) {
            let print = pick(
                [MachineCases.announced, MachineCases.announced, MachineCases.other], or: MachineCases.other)
            if (try? step(&machine, print)) != nil { announced = print }
        }

        private mutating func check(
            _ actions: TransportMachine.Actions, from before: TransportMachine.Stage, look: TransportSight?
        ) {
            let after = machine.stage
            #expect(before == after || Self.next[before]?.contains(after) == true, "\(before) to \(after)")
            if before == .retired { #expect(actions.isEmpty, "\(actions)") }
            for action in actions.transport { check(action, from: before, look: look) }
            #expect(isPair || actions.pair.isEmpty, "\(actions)")
            for action in actions.pair { check(action) }
            for action in actions.session { check(action) }
            #expect(stops == (after == .retired ? 1 : 0))
            #expect(machine.isVerified == [.verified, .carrying, .yielding].contains(after))
            // Never carrying without verified.
            if machine.isVerified { #expect(hasOpened) }
            #expect(machine.wasVerified == hasOpened)
        }

        private mutating func check(
            _ action: TransportMachine.TransportAction, from before: TransportMachine.Stage, look: TransportSight?
        ) {
            switch action {
            case .look, .resolve: break
            case .contact: #expect([.gathering, .negotiated, .connected, .verified, .carrying].contains(before))
            case .handOver:
                #expect(isAwaited)
                (isAwaited, hasHandedOver) = (false, true)
            // Timers only when armed.
            case .wake(let time): #expect(isAwaited && time >= at(0))
            case .openGate:
                #expect(!hasOpened && [.negotiated, .connected].contains(before) && machine.stage == .verified)
                #expect(announced != nil && look?.channels == announced.map { [.connected($0)] })
                hasOpened = true
            case .stop(let saysGoodbye):
                stops += 1
                #expect(!saysGoodbye || hasOpened && !hasLeft)
            }
        }

        private mutating func check(_ action: TransportMachine.PairAction) {
            switch action {
            case .pathFound, .channelSetUp: #expect(machine.isFirst)
            case .firstFrame: #expect(hasOpened && machine.isFirst)
            case .peerLeft:
                #expect(hasOpened && !hasLeft)
                hasLeft = true
            case .replaced: #expect(hasOpened && machine.isRetired)
            case .lost:
                #expect(machine.stage == .carrying && !isLost)
                isLost = true
            case .recovered:
                #expect(machine.stage == .carrying && isLost)
                isLost = false
            }
        }

        private func check(_ action: TransportMachine.SessionAction) {
            switch action {
            case .candidates(let batch): #expect(hasHandedOver && !batch.isEmpty)
            case .verified: #expect(hasOpened)
            case .mismatch, .failed: #expect(machine.isRetired)
            case .noRelay: break
            }
        }
    }

    @Test func `no order of events opens the gate wrongly, outlives the end, or sets a timer for nobody`() {
        var reached: [TransportMachine.Stage: Int] = [:]
        for seed in 0..<750 as Range<UInt64> {
            var run = Run(seed: seed)
            for _ in 0..<250 { run.step() }
            for stage in run.seen { reached[stage, default: 0] += 1 }
        }
        // What random events never come to has not been shown.
        for stage in TransportMachine.Stage.allCases { #expect(reached[stage, default: 0] >= 30, "\(stage)") }
    }
}
