import BaseKit
import Testing

@testable import DesktopApplication

@Suite(.timeLimit(.minutes(5))) struct CallArrangementTests {
    private static let on = CallStage.active(since: .now)

    private func call(_ stage: CallStage, _ change: (inout CallSnapshot) -> Void = { _ in }) -> CallSnapshot {
        var snapshot = CallSnapshot(stage: stage)
        change(&snapshot)
        return snapshot
    }

    private var held: CallSnapshot { call(Self.on) { $0.isHeld = true } }
    private var waiting: CallSnapshot { call(.ringingIn) { $0.isWaiting = true } }
    private var ignored: CallSnapshot { call(.ringingIn) { $0.isIgnored = true } }

    @Test func `without calls nothing is in front`() {
        let none = CallArrangement([], former: nil)
        #expect(none.front == nil && none.waiting.isEmpty && none.held.isEmpty)
    }

    @Test(arguments: [CallStage.ringingOut, .connecting, on, .reconnecting])
    func `the call that the person is in is in front of those that wait and those on hold`(_ stage: CallStage) {
        let arrangement = CallArrangement([held, waiting, call(stage)], former: 1)
        #expect(arrangement.front == 2)
        #expect(arrangement.waiting == [1])
        #expect(arrangement.held == [0])
    }

    @Test func `a call that rings is in front of those on hold, the one that rings longest first`() {
        let arrangement = CallArrangement([held, call(.ringingIn), call(.ringingIn)], former: 0)
        #expect(arrangement.front == 1)
        #expect(arrangement.waiting == [2])
        #expect(arrangement.held == [0])
        // It stays in front.
        #expect(CallArrangement([call(.ringingIn), call(.ringingIn)], former: 1).front == 1)
    }

    @Test func `an ignored call is behind all but ended ones, and is not told`() {
        let arrangement = CallArrangement([ignored, held, call(.ended(sentence: "Over."))], former: 0)
        #expect(arrangement.front == 1)
        #expect(arrangement.waiting.isEmpty)
        #expect(CallArrangement([call(.ended(sentence: "Over.")), ignored], former: 0).front == 1)
    }

    @Test func `of calls on hold the one that was in front stays, else the last is`() {
        #expect(CallArrangement([held, held, held], former: 1).front == 1)
        #expect(CallArrangement([held, held, held], former: nil).front == 2)
        #expect(CallArrangement([held, held, held], former: 1).held == [0, 2])
    }

    @Test(arguments: [CallStage.ringingIn, .ringingOut])
    func `a question within a call stays behind it, also while that is on hold`(_ stage: CallStage) {
        let question = call(stage) {
            $0.group = GroupSnapshot(own: .of(1), members: [])
            $0.group?.adding = ["Cleo"]
        }
        for present in [call(Self.on), held] {
            let arrangement = CallArrangement([present, question], former: 1)
            #expect(arrangement.front == 0 && arrangement.waiting == [1])
        }
        // Once it is answered, it is a call like any other.
        var answered = question
        answered.stage = .connecting
        answered.group?.adding = nil
        #expect(CallArrangement([held, answered], former: 0).front == 1)
    }

    @Test func `the end of a call is in front only when there is no other`() {
        let over = call(.ended(sentence: "Over."))
        #expect(CallArrangement([over], former: 0).front == 0)
        #expect(CallArrangement([over, held], former: 0).front == 1)
    }
}
