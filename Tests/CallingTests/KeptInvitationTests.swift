import BaseKit
import Signaling
import TestSupport
import Testing

@testable import Calling

/// Invitations that waited at the relay, or in the store of a process that has died.
@Suite("Kept invitations", .timeLimit(.minutes(5)))
struct KeptInvitationTests {
    var board = CallSwitchboard()
    let ada = Samples.ada
    let bo = Samples.bo
    let id = Samples.middle

    static func kept(
        _ id: CallID = Samples.middle, from contact: ContactID = Samples.ada, isAccepted: Bool = false,
        keys: CallKeys? = Samples.callerKeys
    ) -> KeptInvitation {
        KeptInvitation(
            callID: id, contact: contact, invitation: Samples.invitation(keys: keys), arrivedAt: 1_000, ringTime: 60,
            isAccepted: isAccepted)
    }

    /// A message at a second of the wall clock.
    mutating func receive(
        _ message: CallMessage, from contact: ContactID = Samples.ada, isLive: Bool = true, second: Int64 = 1_000
    ) -> [CallEffect] {
        board.receive(
            message, from: contact, sentAt: second, isLive: isLive, at: at(second * 1_000), wallClock: second
        ).map(\.effect)
    }

    mutating func invite(
        _ id: CallID = Samples.middle, from contact: ContactID = Samples.ada, isLive: Bool = true, second: Int64 = 1_000
    ) -> [CallEffect] {
        receive(.invitation(id, Samples.invitation()), from: contact, isLive: isLive, second: second)
    }

    mutating func restore(_ kept: [KeptInvitation], second: Int64) -> [CallEffect] {
        board.restore(kept, at: at(second * 1_000), wallClock: second).map(\.effect)
    }

    mutating func catchUp(_ contact: ContactID = Samples.ada, second: Int64) -> [CallEffect] {
        board.caughtUp(with: contact, at: at(second * 1_000), wallClock: second).map(\.effect)
    }

    var isRinging: Bool { board.calls.values.contains { $0.update.isRinging } }

    func reasons(_ effects: [CallEffect]) -> [CallEndReason] {
        effects.compactMap { if case .record(let entry) = $0 { entry.reason } else { nil } }
    }

    // MARK: What is kept

    @Test mutating func `an invitation is kept while it rings and until its call is over`() {
        _ = invite()
        #expect(board.kept == [Self.kept()])
        _ = board.handle(Samples.accept(), for: id, at: at(1_010_000))
        #expect(board.kept == [Self.kept(isAccepted: true)])
        _ = board.handle(.person(.hangUp), for: id, at: at(1_020_000))
        #expect(board.kept.isEmpty)
    }

    @Test(arguments: [
        CallInput.person(.decline), .peer(.end(Samples.middle)), .clock(.ringLimit), .relay(.contactGone),
    ])
    mutating func `whatever settles an invitation ends its keeping`(input: CallInput) {
        _ = invite()
        _ = board.handle(input, for: id, at: at(1_010_000))
        #expect(board.kept.isEmpty && board.calls.isEmpty)
    }

    @Test mutating func `a call that was ignored stays so in the next life, and is missed there`() {
        _ = invite()
        #expect(board.handle(.person(.ignore), for: id, at: at(1_005_000)).isEmpty)
        let kept = board.kept
        #expect(kept.map(\.isIgnored) == [true])
        board = CallSwitchboard()
        _ = restore(kept, second: 1_010)
        #expect(catchUp(second: 1_011) == [.startTimer(.ringLimit, .seconds(49))])
        #expect(!isRinging && board.calls.count == 1 && board.kept == kept)
        #expect(reasons(board.handle(.clock(.ringLimit), for: id, at: at(1_060_000)).map(\.effect)) == [.missed])
    }

    @Test mutating func `own calls and calls that did not ring are not kept`() throws {
        board = CallSwitchboard(mostCalls: 1)
        _ = try board.dial(bo, media: .audio, callID: id, keys: Samples.callerKeys, at: at(0), wallClock: 1_000)
        #expect(board.kept.isEmpty)
        #expect(reasons(invite(Samples.high)) == [.missedWhileBusy])
        #expect(board.kept.isEmpty)
    }

    @Test mutating func `a call that wins against an own one is not kept`() throws {
        _ = try board.dial(
            ada, media: .audio, callID: Samples.low, keys: Samples.callerKeys, at: at(0), wallClock: 1_000)
        _ = invite()
        #expect(board.calls.values.first?.wireID == id)
        #expect(board.kept.isEmpty)
    }

    // MARK: What waited at the relay

    @Test mutating func `an invitation that waited rings when its mailbox was read, for the rest of its minute`() {
        #expect(invite(isLive: false) == [.startTimer(.ringLimit, .seconds(60))])
        #expect(!isRinging && board.kept == [Self.kept()])
        #expect(catchUp(bo, second: 1_001) == [])
        #expect(catchUp(second: 1_002) == [.startTimer(.ringLimit, .seconds(58))])
        #expect(isRinging && board.kept == [Self.kept()])
        #expect(catchUp(second: 1_003) == [])
    }

    @Test(arguments: [true, false])
    mutating func `a call whose end waited behind it is missed and does not ring`(isRestored: Bool) {
        if isRestored { _ = restore([Self.kept()], second: 1_010) } else { _ = invite(isLive: false) }
        let effects = receive(.end(id), isLive: false, second: 1_010)
        #expect(reasons(effects) == [.missed])
        #expect(effects.first == .stopTimer(.ringLimit))
        #expect(catchUp(second: 1_011) == [])
        #expect(!isRinging && board.kept.isEmpty)
        #expect(invite(second: 1_012) == [])
    }

    @Test mutating func `only its caller ends or changes a call that waits`() {
        _ = invite(isLive: false)
        for message in [CallMessage.end(id), .extra(id, []), .invitation(id, Samples.invitation())] {
            #expect(receive(message, from: bo) == [])
        }
        #expect(board.rejections[.wrongContact] == 3)
        #expect(
            invite() == [] && receive(.offer(id, Samples.offer())) == [] && receive(.answer(id, Samples.answer)) == [])
        #expect(board.rejections[.duplicate] == 1 && board.rejections[.wrongRole] == 1)
        #expect(board.rejections[.outOfTurn] == 1)
        _ = catchUp(second: 1_001)
        #expect(isRinging)
    }

    @Test mutating func `a call that waits too long is missed`() {
        _ = invite(isLive: false)
        #expect(reasons(board.handle(.clock(.ringLimit), for: id, at: at(1_060_000)).map(\.effect)) == [.missed])
        #expect(catchUp(second: 1_061) == [] && board.kept.isEmpty)
    }

    @Test mutating func `who calls again is heard once`() {
        _ = invite(isLive: false)
        #expect(reasons(invite(Samples.high, isLive: false, second: 1_001)) == [.replaced])
        #expect(board.kept.map(\.callID) == [Samples.high])
        _ = catchUp(second: 1_002)
        #expect(board.calls.keys.map { $0 } == [Samples.high])
    }

    @Test mutating func `a call that waited while as many as there can be began is missed and its caller told`() throws
    {
        board = CallSwitchboard(mostCalls: 1)
        _ = invite(isLive: false)
        _ = try board.dial(
            bo, media: .audio, callID: Samples.low, keys: Samples.callerKeys, at: at(0), wallClock: 1_001)
        let effects = catchUp(second: 1_002)
        #expect(effects.prefix(2) == [.stopTimer(.ringLimit), .send(.end(id, because: .busy))])
        #expect(reasons(effects) == [.missedWhileBusy] && board.kept.isEmpty)
    }

    @Test mutating func `a call that waited and crosses an own one is settled as any other`() throws {
        _ = invite(isLive: false)
        _ = try board.dial(
            ada, media: .audio, callID: Samples.low, keys: Samples.callerKeys, at: at(0), wallClock: 1_001)
        _ = catchUp(second: 1_002)
        #expect(board.calls.values.first?.wireID == id && board.kept.isEmpty)
        #expect(!isRinging)
    }

    @Test mutating func `a call without frame encryption that waited does not ring`() {
        _ = receive(.invitation(id, Samples.invitation(keys: nil)), isLive: false)
        #expect(reasons(catchUp(second: 1_001)) == [.encryptionRefused])
        #expect(board.kept.isEmpty)
    }

    // MARK: After a restart

    @Test(arguments: [(1_000, 60), (1_001, 59), (1_059, 1)] as [(Int64, Int64)])
    mutating func `a young invitation rings again for what is left of its minute`(second: Int64, rest: Int64) {
        #expect(restore([Self.kept()], second: second) == [.startTimer(.ringLimit, .seconds(rest))])
        #expect(!isRinging)
        #expect(catchUp(second: second) == [.startTimer(.ringLimit, .seconds(rest))])
        #expect(isRinging)
    }

    @Test(arguments: [1_060, 1_000_000, 999, 0, .min, .max] as [Int64])
    mutating func `an old invitation, or one from the future, is missed at once and rings never`(second: Int64) {
        let effects = board.restore([Self.kept()], at: at(0), wallClock: second).map(\.effect)
        #expect(reasons(effects) == [.missed])
        #expect(board.kept.isEmpty && board.justEnded.map(\.phase) == [.ended(.missed)])
        #expect(board.caughtUp(with: ada, at: at(1), wallClock: second).isEmpty)
    }

    @Test mutating func `a missed call says when it came`() {
        let effects = restore([Self.kept()], second: 5_000)
        let entries = effects.compactMap { if case .record(let entry) = $0 { entry } else { nil } }
        #expect(entries.map(\.startedAt) == [1_000] && entries.map(\.setup.ringing) == [nil])
    }

    @Test(arguments: [1_001, 1_000_000] as [Int64])
    mutating func `a call that was accepted is lost, and its caller told, without ringing`(second: Int64) {
        #expect(restore([Self.kept(isAccepted: true)], second: second) == [])
        #expect(board.kept == [Self.kept(isAccepted: true)])
        let effects = catchUp(second: second)
        #expect(reasons(effects) == [.connectionLost])
        #expect(effects.contains(.send(.end(id))))
        #expect(board.calls.isEmpty && board.kept.isEmpty)
    }

    @Test mutating func `a call that was accepted and then ended by its caller is lost without a word`() {
        _ = restore([Self.kept(isAccepted: true)], second: 1_001)
        let effects = receive(.end(id), isLive: false, second: 1_001)
        #expect(reasons(effects) == [.connectionLost])
        #expect(!effects.contains(.send(.end(id))))
        #expect(catchUp(second: 1_002) == [])
    }

    @Test mutating func `what a blocked contact has left is forgotten`() {
        _ = restore([Self.kept()], second: 1_001)
        #expect(board.setBlocked(true, ada, at: at(1_002_000)).map(\.effect) == [.stopTimer(.ringLimit)])
        #expect(board.kept.isEmpty && board.justEnded.isEmpty)
        #expect(catchUp(second: 1_003) == [])
        _ = restore([Self.kept(Samples.high)], second: 1_003)
        #expect(board.kept.isEmpty)
    }

    @Test mutating func `a contact that has gone does not ring any more`() {
        _ = restore([Self.kept()], second: 1_001)
        #expect(reasons(board.contactGone(ada, at: at(1_002_000)).map(\.effect)) == [.contactGone])
        #expect(catchUp(second: 1_003) == [] && board.kept.isEmpty)
    }

    @Test mutating func `what is known already is not restored`() {
        _ = invite()
        #expect(restore([Self.kept()], second: 1_001) == [])
        _ = board.handle(.person(.decline), for: id, at: at(1_002_000))
        #expect(restore([Self.kept()], second: 1_003) == [] && board.kept.isEmpty)
    }
}
