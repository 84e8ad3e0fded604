import Signaling
import TestSupport
import Testing

@testable import Calling

/// How a call of two goes over into one of several, step by step.
@Suite("A call of two that goes over into one of several", .timeLimit(.minutes(5))) struct CallGrowthTests {
    private typealias Effect = CallGrowth.Effect

    private func growth(isAsker: Bool = true) -> CallGrowth {
        CallGrowth(talk: .random(), group: GroupSamples.id, peer: GroupSamples.ada, isAsker: isAsker)
    }

    /// One that both have agreed to.
    private func agreed(isAsker: Bool = true) -> CallGrowth {
        var growth = growth(isAsker: isAsker)
        let stage = isAsker ? GroupCallStage.acceptedOn : .acceptedJoining
        #expect(growth.groupStands(stage, peer: .connecting) == [.holdTalk])
        return growth
    }

    @Test func `while it is only asked, the call of two is left alone`() {
        for (isAsker, stage) in [(true, GroupCallStage.callingWithOwnConsent), (false, .ringingWithoutConsent)] {
            var growth = growth(isAsker: isAsker)
            for peer in GroupCallUpdate.MemberStage.allCases {
                #expect(growth.groupStands(stage, peer: peer) == [])
            }
        }
    }

    @Test func `a no, or no answer, leaves the call of two as it is`() {
        for reason in GroupCallEndReason.allCases {
            var growth = growth()
            #expect(growth.groupStands(.ended, peer: .declined, reason: reason) == [])
            #expect(growth.talkEnded() == [] && !growth.hasSucceeded)
        }
    }

    @Test(arguments: [true, false])
    func `once both hear each other the call of two ends, and others are called by who adds them`(
        isAsker: Bool
    ) {
        var growth = agreed(isAsker: isAsker)
        #expect(growth.groupStands(.acceptedOn, peer: .connecting) == [])
        let effects: [Effect] = isAsker ? [.endTalk, .inviteOthers] : [.endTalk]
        #expect(growth.groupStands(.acceptedOn, peer: .connected) == effects && growth.hasSucceeded)
        #expect(growth.groupStands(.acceptedOn, peer: .left) == [])
        #expect(growth.groupStands(.ended, peer: .left, reason: .hungUp) == [])
    }

    @Test func `a call of several that fails gives the call of two back`() {
        for reason in GroupCallEndReason.allCases where reason != .hungUp {
            var growth = agreed()
            #expect(growth.groupStands(.ended, peer: .connecting, reason: reason) == [.resumeTalk], "\(reason)")
        }
        for stage in [GroupCallUpdate.MemberStage.left, .removed, .noAnswer, .notReached] {
            var growth = agreed()
            #expect(growth.groupStands(.acceptedOn, peer: stage) == [.endGroup, .resumeTalk])
            #expect(growth.groupStands(.ended, peer: stage, reason: .hungUp) == [], "it was left for the other")
        }
    }

    @Test func `who leaves on the way leaves both, and opens nothing again`() {
        var growth = agreed()
        #expect(growth.groupStands(.ended, peer: .connecting, reason: .hungUp) == [.endTalk])
    }

    @Test func `the end of the call of two takes the question back, but no call that both have joined`() {
        var asked = growth(isAsker: false)
        #expect(asked.talkEnded() == [.endGroup])
        #expect(asked.groupStands(.acceptedJoining, peer: .connecting) == [])
        var joined = agreed()
        // The contact heard this side first.
        #expect(joined.talkEnded() == [])
        #expect(joined.groupStands(.acceptedOn, peer: .connected) == [.inviteOthers])
        var failed = agreed()
        _ = failed.talkEnded()
        #expect(failed.groupStands(.ended, peer: .connecting, reason: .connectTimeout) == [])
    }
}
