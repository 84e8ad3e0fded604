import BaseKit
import Signaling
import TestSupport
import Testing

@testable import Calling

@Suite("Several calls", .timeLimit(.minutes(5)))
struct SeveralCallsTests {
    var board = CallSwitchboard()
    let ada = Samples.ada
    let bo = Samples.bo

    @discardableResult
    mutating func receive(_ message: CallMessage, from contact: ContactID) -> [CallEffect] {
        board.receive(message, from: contact, sentAt: 100_000, at: at(10), wallClock: 100_000).map(\.effect)
    }

    @discardableResult
    mutating func ring(_ id: CallID, from contact: ContactID) -> [CallEffect] {
        receive(.invitation(id, Samples.invitation()), from: contact)
    }

    @discardableResult
    mutating func accept(_ id: CallID, _ present: PresentCall? = nil) throws(CallError) -> [CallEffect] {
        try board.accept(
            id, media: .video, keys: Samples.calleeKeys, clearMedia: false, present: present, at: at(20)
        ).map(\.effect)
    }

    @discardableResult
    mutating func give(_ inputs: CallInput..., to id: CallID) -> [CallEffect] {
        inputs.flatMap { board.handle($0, for: id, at: at(30)).map(\.effect) }
    }

    /// The contact's call is on.
    mutating func talk(_ id: CallID = Samples.low, with contact: ContactID = Samples.ada) throws {
        ring(id, from: contact)
        try accept(id)
        connect(id, with: contact)
    }

    mutating func connect(_ id: CallID, with contact: ContactID) {
        give(.media(.opened), .media(.offerMade(Samples.offerSDP, [])), to: id)
        receive(.answer(id, Samples.answer), from: contact)
        give(.media(.event(.dtlsConnected)), .media(.event(.fingerprintVerified)), to: id)
    }

    func update(_ id: CallID) -> CallUpdate? { board.calls[id]?.update }

    func reasons(_ effects: [CallEffect]) -> [CallEndReason] {
        effects.compactMap { if case .record(let entry) = $0 { entry.reason } else { nil } }
    }

    // MARK: A second caller

    @Test mutating func `a second caller rings, waits, and touches the first call in nothing`() throws {
        try talk()
        let before = update(Samples.low)
        let effects = ring(Samples.high, from: bo)
        #expect(effects == [.startTimer(.ringLimit, .seconds(60))])
        #expect(update(Samples.high)?.isRinging == true && update(Samples.high)?.isWaiting == true)
        #expect(update(Samples.low) == before)
    }

    @Test mutating func `a caller whose program understands it is told that it waits, and that it waits no more`()
        throws
    {
        board.setAbilities(.callStanding, for: bo)
        try talk()
        #expect(ring(Samples.high, from: bo).contains(.send(.standing(Samples.high, .waiting))))
        #expect(receive(.end(Samples.low), from: ada).contains(.send(.standing(Samples.high, .ringing))))
        #expect(update(Samples.high)?.isWaiting == false && update(Samples.high)?.isRinging == true)
    }

    @Test mutating func `of two who call at once the later one waits until the person ignores the first`() {
        ring(Samples.low, from: ada)
        ring(Samples.high, from: bo)
        #expect(update(Samples.low)?.isWaiting == false && update(Samples.high)?.isWaiting == true)
        #expect(give(.person(.ignore), to: Samples.low) == [])
        #expect(update(Samples.low)?.isRinging == false && update(Samples.high)?.isWaiting == false)
        // The caller hears on: nothing but its minute ends it.
        #expect(reasons(give(.clock(.ringLimit), to: Samples.low)) == [.missed])
    }

    @Test mutating func `whoever is called while the person only holds a call rings as always`() throws {
        try talk()
        _ = try board.hold(Samples.low, at: at(40))
        ring(Samples.high, from: bo)
        #expect(update(Samples.high)?.isWaiting == false)
    }

    // MARK: Calls of other accounts

    @Test mutating func `who rings while the person is in a call of another account waits, and is told so`() throws {
        board.setAbilities(.callStanding, for: bo)
        _ = board.setElsewhere(CallsElsewhere(count: 1, hasAttention: true), at: at(5))
        #expect(ring(Samples.high, from: bo).contains(.send(.standing(Samples.high, .waiting))))
        #expect(update(Samples.high)?.isWaiting == true)
        let effects = board.setElsewhere(CallsElsewhere(count: 1), at: at(20)).map(\.effect)
        #expect(effects == [.send(.standing(Samples.high, .ringing))])
        #expect(update(Samples.high)?.isWaiting == false)
    }

    @Test mutating func `calls of other accounts count among the most there can be`() throws {
        _ = board.setElsewhere(CallsElsewhere(count: board.mostCalls - 1), at: at(5))
        ring(Samples.low, from: ada)
        #expect(update(Samples.low)?.isRinging == true)
        #expect(reasons(ring(Samples.high, from: bo)) == [.missedWhileBusy])
    }

    @Test mutating func `a second call is not accepted unless the person says what becomes of the first`() throws {
        try talk()
        ring(Samples.high, from: bo)
        #expect(throws: CallError.busy) { try accept(Samples.high) }
        #expect(give(Samples.accept(), to: Samples.high) == [])
        #expect(update(Samples.high)?.isRinging == true && update(Samples.low)?.hold == CallHold())
    }

    @Test mutating func `hold and accept: the first falls silent before the second opens its media`() throws {
        try talk()
        ring(Samples.high, from: bo)
        let effects = try accept(Samples.high, .hold)
        let hold = try #require(effects.firstIndex(of: .media(.hold(true))))
        let open = try #require(effects.firstIndex { if case .openMedia = $0 { true } else { false } })
        #expect(hold < open)
        #expect(update(Samples.low)?.hold == CallHold(isHeldHere: true))
        #expect(update(Samples.low)?.stage == .acceptedByBothConnected)
    }

    @Test mutating func `end and accept: the first is over before the second opens its media`() throws {
        try talk()
        ring(Samples.high, from: bo)
        let effects = try accept(Samples.high, .end)
        let close = try #require(effects.firstIndex(of: .closeMedia))
        let open = try #require(effects.firstIndex { if case .openMedia = $0 { true } else { false } })
        #expect(close < open && reasons(effects) == [.hungUp])
        #expect(board.justEnded.map(\.callID) == [Samples.low] && Array(board.calls.keys) == [Samples.high])
    }

    @Test mutating func `a call that is not on yet is not held for another, but may be ended for it`() throws {
        ring(Samples.low, from: ada)
        try accept(Samples.low)
        ring(Samples.high, from: bo)
        #expect(throws: CallError.busy) { try accept(Samples.high, .hold) }
        #expect(update(Samples.high)?.isRinging == true)
        #expect(reasons(try accept(Samples.high, .end)) == [.hungUp])
    }

    @Test mutating func `a second call without frame encryption leaves the first alone until the person knows of it`()
        throws
    {
        board.policy = .ask
        try talk()
        receive(.invitation(Samples.high, Samples.invitation(keys: nil)), from: bo)
        #expect(try accept(Samples.high, .end) == [])
        #expect(update(Samples.low)?.hold == CallHold() && update(Samples.high)?.isRinging == true)
    }

    @Test mutating func `beyond the most calls a caller is told that the person is busy`() throws {
        try talk()
        for (number, name) in ["Bo", "Cy", "Di"].enumerated() {
            ring(Samples.id(UInt8(20 + number)), from: ContactID(rawValue: name))
        }
        let effects = ring(Samples.high, from: ContactID(rawValue: "Ed"))
        #expect(effects.first == .send(.end(Samples.high, because: .busy)))
        #expect(reasons(effects) == [.missedWhileBusy] && board.calls.count == board.mostCalls)
    }

    @Test mutating func `who takes no calls answers busy at once, and is reached again afterwards`() {
        board.isBusy = true
        let effects = ring(Samples.low, from: ada)
        #expect(effects.first == .send(.end(Samples.low, because: .busy)))
        #expect(reasons(effects) == [.missedInBusyMode] && board.calls.isEmpty)
        board.isBusy = false
        #expect(reasons(ring(Samples.high, from: ada)).isEmpty && board.calls.count == 1)
    }

    @Test mutating func `who takes no calls still meets whom they call at the same moment`() throws {
        board.isBusy = true
        _ = try board.dial(
            ada, media: .audio, callID: Samples.low, keys: Samples.callerKeys, at: at(0), wallClock: 100_000)
        ring(Samples.high, from: ada)
        #expect(update(Samples.low)?.stage == .acceptedPreparingOffer)
    }

    // MARK: Hold

    @Test mutating func `hold and resume are told to a program that understands it, and to no other`() throws {
        try talk()
        #expect(try board.hold(Samples.low, at: at(40)).map(\.effect) == [.media(.hold(true))])
        #expect(try board.resume(Samples.low, at: at(41)).map(\.effect) == [.media(.hold(false))])
        board.setAbilities(.callStanding, for: ada)
        #expect(
            try board.hold(Samples.low, at: at(42)).map(\.effect)
                == [.media(.hold(true)), .send(.standing(Samples.low, .held))])
        #expect(
            try board.resume(Samples.low, at: at(43)).map(\.effect)
                == [.media(.hold(false)), .send(.standing(Samples.low, .resumed))])
    }

    @Test mutating func `what the contact does with the call is shown and moves nothing here`() throws {
        try talk()
        #expect(receive(.standing(Samples.low, .held), from: ada) == [])
        #expect(update(Samples.low)?.hold == CallHold(isHeldByPeer: true))
        receive(.standing(Samples.low, .resumed), from: ada)
        #expect(update(Samples.low)?.hold == CallHold())
    }

    @Test mutating func `a hold told on the media path is not undone by an older message`() throws {
        try talk()
        give(.media(.event(.peerHeld(true))), to: Samples.low)
        #expect(update(Samples.low)?.hold == CallHold(isHeldByPeer: true))
        give(.media(.event(.peerHeld(false))), to: Samples.low)
        // The message of the first comes only now.
        receive(.standing(Samples.low, .held), from: ada)
        #expect(update(Samples.low)?.hold == CallHold())
    }

    @Test mutating func `a picture that is paused by the contact's link is told as that`() throws {
        try talk()
        give(
            .media(.event(.peerMedia(microphone: true, camera: false, isPicturePaused: true))), to: Samples.low)
        #expect(update(Samples.low)?.isPeerPicturePaused == true && update(Samples.low)?.peerCamera == false)
        give(.media(.event(.peerMedia(microphone: true, camera: true))), to: Samples.low)
        #expect(update(Samples.low)?.isPeerPicturePaused == false)
    }

    @Test mutating func `resuming one call puts the other on hold`() throws {
        try talk()
        ring(Samples.high, from: bo)
        try accept(Samples.high, .hold)
        connect(Samples.high, with: bo)
        let effects = try board.resume(Samples.low, at: at(50))
        #expect(effects.map(\.callID) == [Samples.high, Samples.low])
        #expect(effects.map(\.effect) == [.media(.hold(true)), .media(.hold(false))])
        #expect(update(Samples.high)?.hold.isHeldHere == true && update(Samples.low)?.hold.isHeldHere == false)
    }

    @Test mutating func `a call on hold is not resumed while the other is still being set up`() throws {
        try talk()
        ring(Samples.high, from: bo)
        try accept(Samples.high, .hold)
        #expect(throws: CallError.busy) { try board.resume(Samples.low, at: at(50)) }
        #expect(give(.person(.resume), to: Samples.low) == [])
        #expect(update(Samples.low)?.hold.isHeldHere == true)
    }

    @Test mutating func `the end of one call leaves the one on hold on hold`() throws {
        try talk()
        ring(Samples.high, from: bo)
        try accept(Samples.high, .hold)
        connect(Samples.high, with: bo)
        #expect(!receive(.end(Samples.high), from: bo).contains(.media(.hold(false))))
        #expect(update(Samples.low)?.hold.isHeldHere == true)
    }

    @Test mutating func `only a call that is on is held, and only one on hold resumed`() throws {
        ring(Samples.low, from: ada)
        #expect(throws: CallError.noSuchCall) { try board.hold(Samples.low, at: at(40)) }
        #expect(throws: CallError.noSuchCall) { try board.resume(Samples.low, at: at(40)) }
        #expect(throws: CallError.noSuchCall) { try board.hold(Samples.high, at: at(40)) }
    }

    @Test mutating func `a call on hold loses and regains its connection as any other`() throws {
        try talk()
        _ = try board.hold(Samples.low, at: at(40))
        #expect(give(.media(.event(.lost)), to: Samples.low).contains(.startTimer(.reconnect, .seconds(10))))
        #expect(give(.media(.event(.recovered)), to: Samples.low) == [.stopTimer(.reconnect)])
        #expect(update(Samples.low)?.hold.isHeldHere == true)
    }

    @Test(arguments: [PeerAbilities.tones, .callStanding])
    mutating func `tones are offered to a program that takes them, and to no other`(abilities: PeerAbilities) throws {
        board.setAbilities(abilities, for: ada)
        ring(Samples.low, from: ada)
        let plans = try accept(Samples.low).compactMap { if case .openMedia(let plan) = $0 { plan } else { nil } }
        #expect(plans.map(\.offersTones) == [abilities == .tones])
    }

    // MARK: Dialling

    @Test mutating func `another contact is dialled only when the person says what becomes of the present call`() throws
    {
        func dial(_ present: PresentCall?) throws(CallError) -> [CallEffect] {
            try board.dial(
                bo, media: .audio, callID: Samples.high, keys: Samples.callerKeys, present: present, at: at(40),
                wallClock: 100_000
            ).map(\.effect)
        }
        try talk()
        #expect(throws: CallError.busy) { try dial(nil) }
        #expect(update(Samples.low)?.hold == CallHold())
        #expect(try dial(.hold).first == .media(.hold(true)))
        #expect(update(Samples.high)?.stage == .dialledAwaitingRelay)
    }

    @Test mutating func `a contact with whom there is a call is not dialled again`() throws {
        try talk()
        #expect(throws: CallError.busy) {
            try board.dial(
                ada, media: .audio, callID: Samples.high, keys: Samples.callerKeys, present: .end, at: at(40),
                wallClock: 100_000)
        }
        #expect(update(Samples.low)?.stage == .acceptedByBothConnected)
    }

    @Test mutating func `who calls the person that dials them meets them, also while another call is on hold`() throws {
        try talk(Samples.low, with: ada)
        _ = try board.dial(
            bo, media: .audio, callID: Samples.middle, keys: Samples.callerKeys, present: .hold, at: at(40),
            wallClock: 100_000)
        ring(Samples.high, from: bo)
        #expect(update(Samples.middle)?.stage == .acceptedPreparingOffer && board.calls.count == 2)
    }

    @Test mutating func `who calls anew replaces their own call on hold and nobody else's`() throws {
        try talk()
        ring(Samples.middle, from: bo)
        try accept(Samples.middle, .hold)
        connect(Samples.middle, with: bo)
        let effects = ring(Samples.high, from: ada)
        #expect(reasons(effects) == [.replaced])
        #expect(Set(board.calls.keys) == [Samples.middle, Samples.high])
        #expect(update(Samples.high)?.isWaiting == true && update(Samples.middle)?.hold == CallHold())
    }

    @Test mutating func `the caller sees that the contact is in another call until they answer or do not`() throws {
        _ = try board.dial(
            ada, media: .audio, callID: Samples.low, keys: Samples.callerKeys, at: at(0), wallClock: 100_000)
        receive(.standing(Samples.low, .waiting), from: ada)
        #expect(update(Samples.low)?.isWaitingAtPeer == true)
        receive(.standing(Samples.low, .ringing), from: ada)
        #expect(update(Samples.low)?.isWaitingAtPeer == false)
        receive(.standing(Samples.low, .waiting), from: ada)
        receive(.offer(Samples.low, Samples.offer()), from: ada)
        #expect(update(Samples.low)?.isWaitingAtPeer == false)
    }
}
