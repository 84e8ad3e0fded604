import Signaling
import Testing

@testable import Calling

/// Every order in which two calls can cross, with both sides' rules.
@Suite("Calls that cross, in every order", .timeLimit(.minutes(5)))
struct CrossingTests {
    struct Found {
        var ends = 0
        var together = 0
        var discords: Set<String> = []
    }

    /// Tries every order of what can happen, and looks at where it ends.
    func search(_ start: CrossingWorld) -> Found {
        var found = Found()
        var seen: Set<String> = [start.key]
        var open = [start]
        while let world = open.popLast() {
            let steps = world.steps
            if steps.isEmpty {
                found.ends += 1
                if world.isTogether { found.together += 1 }
                if let discord = world.discord { found.discords.insert(discord) }
            }
            for step in steps {
                var next = world
                next.happen(step)
                if seen.insert(next.key).inserted { open.append(next) }
            }
        }
        return found
    }

    static let orders = [[Samples.low, Samples.high], [Samples.high, Samples.low]]

    @Test(arguments: CrossingWorld.Receipts.allCases, orders)
    func `with a program that knows no rule, both end in one call, whichever id is higher and whenever it confirms`(
        receipts: CrossingWorld.Receipts, ids: [CallID]
    ) {
        let found = search(CrossingWorld(.other(OtherProgram()), ids: ids, receipts: receipts))
        #expect(found.discords == [])
        #expect(found.ends > 0)
        #expect(found.together == found.ends)
    }

    @Test(arguments: CrossingWorld.Receipts.allCases, orders)
    func `two Parleys end in one call, whichever id is higher and whenever they confirm`(
        receipts: CrossingWorld.Receipts, ids: [CallID]
    ) {
        let found = search(CrossingWorld(.parley(CallSwitchboard()), ids: ids, receipts: receipts))
        #expect(found.discords == [])
        #expect(found.ends > 0)
        #expect(found.together == found.ends)
    }

    @Test(arguments: [0, 1], orders)
    func `whoever hangs up, and whenever: both end in one call or in none, and nobody waits for nothing`(
        side: Int, ids: [CallID]
    ) {
        let found = search(CrossingWorld(.parley(CallSwitchboard()), ids: ids, receipts: .prompt, hangUps: [side]))
        #expect(found.discords == [])
        #expect(found.together > 0 && found.together < found.ends)
    }

    /// It forgets its own call when ours comes, also when ours is ended right after: a call that rings here then leads nowhere.
    @Test(arguments: orders)
    func `with a program that knows no rule only our hanging up leaves one alone: with a call that it has forgotten`(
        ids: [CallID]
    ) {
        let theirs = search(CrossingWorld(.other(OtherProgram()), ids: ids, receipts: .prompt, hangUps: [1]))
        #expect(theirs.discords == [])
        let ours = search(CrossingWorld(.other(OtherProgram()), ids: ids, receipts: .prompt, hangUps: [0]))
        #expect(ours.discords == ["the first is alone in \(ids[1].text) as callee"])
    }
}
