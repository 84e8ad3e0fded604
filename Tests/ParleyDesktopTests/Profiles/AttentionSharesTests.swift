import BaseKit
import Testing

import struct Calling.CallsElsewhere

@testable import DesktopApplication

@Suite(.timeLimit(.minutes(5))) struct AttentionSharesTests {
    private func shares(_ calls: (Int, CallSnapshot)...) -> [Int: CallsElsewhere] {
        AttentionShares.shares(of: calls.map { (profile: $0.0, snapshot: $0.1) }, among: [1, 2])
    }

    private let active = CallSnapshot(stage: .active(since: .now))
    private let ringing = CallSnapshot(stage: .ringingIn)

    private func changed(_ snapshot: CallSnapshot, _ change: (inout CallSnapshot) -> Void) -> CallSnapshot {
        var snapshot = snapshot
        change(&snapshot)
        return snapshot
    }

    @Test func `who rings in one profile waits while the person is in a call of the other, whichever came first`() {
        let expected = [1: CallsElsewhere(count: 1), 2: CallsElsewhere(count: 1, hasAttention: true)]
        #expect(shares((1, active), (2, ringing)) == expected)
        #expect(shares((2, ringing), (1, active)) == expected)
    }

    @Test func `of two who ring in two profiles the later one waits`() {
        #expect(
            shares((2, ringing), (1, ringing))
                == [1: CallsElsewhere(count: 1, hasAttention: true), 2: CallsElsewhere(count: 1)])
    }

    @Test func `a call on hold counts in the other profile, and nobody waits behind it`() {
        let held = changed(active) { $0.isHeld = true }
        #expect(
            shares((1, held), (2, ringing))
                == [1: CallsElsewhere(count: 1, hasAttention: true), 2: CallsElsewhere(count: 1)])
    }

    @Test func `nobody waits behind a call that is ignored, and one that is over does not count`() {
        let ignored = changed(ringing) { $0.isIgnored = true }
        #expect(shares((1, ignored))[2] == CallsElsewhere(count: 1))
        #expect(shares((1, CallSnapshot(stage: .ended(sentence: "")))) == [1: CallsElsewhere(), 2: CallsElsewhere()])
    }
}
