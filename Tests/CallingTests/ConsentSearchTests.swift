import Signaling
import TestSupport
import Testing

@testable import Calling

/// Searches of all that can happen to a call, for a way around consent.
@Suite("No media without consent", .timeLimit(.minutes(5)))
struct ConsentSearchTests {
    /// Every machine that can be reached by any inputs, one for each different behaviour.
    func reachable(from start: CallMachine, by inputs: [(name: String, input: CallInput)]) -> [CallMachine] {
        var found = [start.fingerprint: start]
        var open = [start]
        while let machine = open.popLast() {
            for (_, input) in inputs {
                var next = machine
                _ = next.handle(input, at: at(1_000))
                if found.updateValue(next, forKey: next.fingerprint) == nil { open.append(next) }
            }
        }
        return Array(found.values)
    }

    @Test(arguments: [ClearMediaPolicy.refuse, .ask])
    func `from ringing, nothing but the person's acceptance touches media`(policy: ClearMediaPolicy) {
        let inputs = Inputs.all.filter { $0.name != "accept" }
        for invitation in [Samples.invitation(), Samples.invitation(keys: nil)] {
            let machines = reachable(from: .ringing(policy, invitation), by: inputs)
            #expect(machines.count > 1)
            for machine in machines {
                #expect(!machine.stage.hasLocalConsent)
                for (name, input) in inputs {
                    var next = machine
                    let effects = next.handle(input, at: at(2_000))
                    #expect(!effects.contains { $0.touchesMedia }, "\(name) in \(machine.stage)")
                }
            }
        }
    }

    @Test func `from ringing, no sequence of three inputs without acceptance touches media`() {
        let inputs = Inputs.all.filter { $0.name != "accept" }.map(\.input)
        var touched = 0
        for first in inputs {
            var one = CallMachine.ringing()
            touched += one.handle(first, at: at(1)).count { $0.touchesMedia }
            for second in inputs {
                var two = one
                touched += two.handle(second, at: at(2)).count { $0.touchesMedia }
                for third in inputs {
                    var three = two
                    touched += three.handle(third, at: at(3)).count { $0.touchesMedia }
                }
            }
        }
        #expect(touched == 0)
    }

    @Test(arguments: [ClearMediaPolicy.refuse, .ask])
    func `wherever a call can get, media is open only with the local person's consent, and closed when it is over`(
        policy: ClearMediaPolicy
    ) {
        let inputs =
            Inputs.all + [
                ("clearOffer", .peer(.offer(Samples.middle, Samples.offer(keys: nil)))),
                ("clearAccept", Samples.accept(clearMedia: true)),
            ]
        for start in [CallMachine.dialled(policy), .ringing(policy), .ringing(policy, Samples.invitation(keys: nil))] {
            let machines = reachable(from: start, by: inputs)
            #expect(machines.count > 1)
            for machine in machines {
                #expect(!machine.isMediaOpen || machine.stage.hasLocalConsent)
                #expect(machine.stage != .ended || (!machine.isMediaOpen && machine.timers.isEmpty))
                #expect(machine.stage != .acceptedByBothConnected || machine.connection.isSecure)
            }
        }
    }

    @Test func `whatever the policy of refusing clear media meets, media is never opened without a key`() {
        let inputs =
            Inputs.all + [
                ("clearAccept", Samples.accept(clearMedia: true)),
                ("clearOffer", .peer(.offer(Samples.middle, Samples.offer(keys: nil)))),
                ("clearInvitation", .peer(.invitation(Samples.high, Samples.invitation(keys: nil)))),
            ]
        for start in [CallMachine.dialled(), .ringing(), .ringing(.refuse, Samples.invitation(keys: nil))] {
            for machine in reachable(from: start, by: inputs) {
                for (name, input) in inputs {
                    var next = machine
                    for case .openMedia(let plan) in next.handle(input, at: at(2_000)) {
                        #expect(plan.frameKey?.count == 32, "\(name) in \(machine.stage)")
                    }
                }
            }
        }
    }

    @Test func `the person's acceptance opens media exactly once, and the end closes it exactly once`() {
        for machine in reachable(from: .ringing(), by: Inputs.all) where machine.stage.hasLocalConsent {
            var call = machine
            #expect(!call.handle(Samples.accept(), at: at(2_000)).contains { $0.touchesMedia })
            let effects = call.handle(.person(.hangUp), at: at(2_001))
            #expect(effects.count { $0 == .closeMedia } == 1)
            #expect(call.handle(.person(.hangUp), at: at(2_002)) == [])
        }
    }
}
