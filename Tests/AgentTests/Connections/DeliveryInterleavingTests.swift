import TestSupport
import Testing

@testable import Agent

/// A seeded world around one delivery machine: answers get lost, arrive late or fail; the clock jumps; the gate opens late.
@Suite(.timeLimit(.minutes(5))) struct DeliveryInterleavingTests {
    private struct World {
        var machine = DeliveryMachine()
        var random: SeededGenerator
        var now: Int64 = 0
        var wakeAt: Int64?
        var inFlight: Int64?
        var attempts: [Int64: Int] = [:]
        var arrived: [Int64] = []
        var givenUp: [Int64] = []
        var broken = false

        mutating func perform(_ actions: [DeliveryMachine.Action]) {
            for action in actions {
                switch action {
                case .transmit(let id):
                    broken = broken || inFlight != nil
                    inFlight = id
                    attempts[id, default: 0] += 1
                    wakeAt = nil
                case .wake(let time):
                    broken = broken || time < now
                    wakeAt = time
                case .giveUp(let id, let failure):
                    broken = broken || (failure.isTemporary && now < RetrySchedule.unreachable.patience)
                    givenUp.append(id)
                }
            }
        }

        mutating func answer() {
            guard let id = inFlight else { return }
            inFlight = nil
            let actions: [DeliveryMachine.Action]
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                arrived.append(id)
                actions = machine.accepted(id)
            case 5..<8:
                actions = machine.failed(
                    id, .unreachable, now: now, jitter: Double.random(in: 0...1, using: &random))
            case 8:
                actions = machine.failed(id, .full, now: now, jitter: Double.random(in: 0...1, using: &random))
            default:
                actions = machine.failed(id, .rejected("LARGE_MSG"), now: now, jitter: 0)
            }
            perform(actions)
        }

        mutating func step(_ next: inout Int64) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1:
                next += 1
                perform(machine.enqueue(DeliveryMachine.Entry(id: next, kind: .message, createdAt: now)))
            case 2: perform(machine.setGate(Bool.random(using: &random) ? .open : .closed))
            case 3: perform(machine.reachable())
            case 4: perform(machine.continued())
            case 5:
                now += Int64.random(in: 0...5_000, using: &random)
                perform(machine.wake(now: now))
            default: answer()
            }
        }

        mutating func settle() {
            perform(machine.setGate(.open))
            while inFlight != nil || wakeAt != nil {
                if inFlight != nil { answer() }
                if inFlight == nil, let time = wakeAt {
                    now = max(now, time)
                    perform(machine.wake(now: now))
                }
            }
        }
    }

    @Test(arguments: 0..<300)
    func `every message arrives once in order or is given up`(seed: UInt64) {
        var world = World(random: SeededGenerator(seed: seed))
        var last: Int64 = 0
        for _ in 0..<200 { world.step(&last) }
        world.settle()
        #expect(!world.broken, "two in flight, a wake in the past or an early give-up")
        #expect(world.arrived == world.arrived.sorted())
        #expect(Set(world.arrived).count == world.arrived.count)
        #expect(Set(world.arrived).isDisjoint(with: world.givenUp))
        #expect(world.arrived.count + world.givenUp.count == Int(last))
        #expect(world.machine.pendingCount == 0)
    }
}
