import BaseKit
import Signaling
import TestSupport
import Testing

@testable import Calling

@Suite("Switchboard of calls", .timeLimit(.minutes(5)))
struct CallSwitchboardTests {
    var board = CallSwitchboard()
    let ada = Samples.ada
    let bo = Samples.bo

    /// A message of a contact that the relay took `age` seconds ago.
    mutating func receive(
        _ message: CallMessage, from contact: ContactID, age: Int64 = 0, at now: Instant = at(10)
    ) -> [CallEffect] {
        board.receive(message, from: contact, sentAt: 100_000 - age, at: now, wallClock: 100_000).map(\.effect)
    }

    mutating func ring(_ id: CallID = Samples.middle, from contact: ContactID = Samples.ada, age: Int64 = 0)
        -> [CallEffect]
    {
        receive(.invitation(id, Samples.invitation()), from: contact, age: age)
    }

    mutating func dial(_ contact: ContactID = Samples.bo, _ id: CallID = Samples.middle) throws -> [CallEffect] {
        try board.dial(contact, media: .video, callID: id, keys: Samples.callerKeys, at: at(0), wallClock: 100_000)
            .map(\.effect)
    }

    var stage: CallStage? { board.calls.values.first?.stage }

    func reasons(_ effects: [CallEffect]) -> [CallEndReason] {
        effects.compactMap { if case .record(let entry) = $0 { entry.reason } else { nil } }
    }

    @Test(arguments: [0, 1, 179, 180, -50] as [Int64])
    mutating func `an invitation that is younger than 180 seconds rings until then, and for a minute at most`(
        age: Int64
    ) {
        let effects = ring(age: age)
        let rest = Duration.seconds(min(60, max(1, 180 - max(0, age))))
        #expect(effects == [.startTimer(.ringLimit, rest)])
        #expect(board.calls.values.first?.update.isRinging == true)
    }

    @Test(arguments: [181, 86_400] as [Int64])
    mutating func `an older invitation is a missed call, without ringing and without a reply`(age: Int64) {
        let effects = ring(age: age)
        #expect(reasons(effects) == [.missed])
        #expect(effects.last == .finished(.missed))
        #expect(effects.count == 2)
        #expect(board.justEnded.map(\.phase) == [.ended(.missed)])
        #expect(board.calls.isEmpty)
    }

    @Test(arguments: [(.min, false), (0, false), (.max, true)] as [(Int64, Bool)])
    mutating func `times at the ends of the range are only very old or not old at all`(sentAt: Int64, rings: Bool) {
        let invitation = CallMessage.invitation(Samples.middle, Samples.invitation())
        let actions = board.receive(invitation, from: ada, sentAt: sentAt, at: at(0), wallClock: 100_000)
        #expect(actions.map(\.effect).beginToRing == rings)
    }

    @Test mutating func `an invitation that comes again after its call is over does not ring again`() {
        _ = ring()
        _ = receive(.end(Samples.middle), from: ada)
        #expect(ring() == [])
        #expect(board.rejections[.late] == 1)
        #expect(board.calls.isEmpty)
    }

    @Test mutating func `a stale invitation that comes again is noted only once`() {
        _ = ring(age: 500)
        #expect(ring(age: 500) == [])
        #expect(board.rejections[.late] == 1)
    }

    @Test
    mutating func
        `who calls when there are as many calls as there can be is told so and noted as missed; the others go on`()
        throws
    {
        board = CallSwitchboard(mostCalls: 1)
        _ = try dial()
        let effects = ring(Samples.high, from: ada)
        #expect(effects.first == .send(.end(Samples.high, because: .busy)))
        #expect(reasons(effects) == [.missedWhileBusy])
        #expect(stage == .dialledAwaitingRelay)
        #expect(!effects.beginToRing)
        #expect(throws: CallError.busy) { try dial(ada, Samples.low) }
    }

    @Test mutating func `a contact that is gone ends its own calls and nobody else's`() throws {
        _ = try dial(bo)
        #expect(board.contactGone(ada, at: at(1)) == [])
        #expect(stage == .dialledAwaitingRelay)
        #expect(reasons(board.contactGone(bo, at: at(2)).map(\.effect)) == [.contactGone])
        #expect(board.justEnded.map(\.phase) == [.ended(.contactGone)])
        #expect(board.calls.isEmpty)
    }

    @Test mutating func `messages for a call come only from the contact it is with`() throws {
        _ = try dial()
        for message in [
            CallMessage.offer(Samples.middle, Samples.offer()), .end(Samples.middle), .extra(Samples.middle, []),
            .invitation(Samples.middle, Samples.invitation()), .answer(Samples.middle, Samples.answer),
        ] {
            #expect(receive(message, from: ada) == [])
        }
        #expect(board.rejections[.wrongContact] == 5)
        #expect(stage == .dialledAwaitingRelay)
    }

    @Test mutating func `an end that overtakes its invitation makes the call a missed one`() {
        #expect(receive(.end(Samples.middle), from: ada) == [])
        let effects = ring()
        #expect(reasons(effects) == [.missed])
        #expect(!effects.beginToRing)
    }

    @Test mutating func `an end of somebody else does not spoil a call that comes later`() {
        _ = receive(.end(Samples.middle), from: bo)
        #expect(ring().beginToRing)
    }

    @Test mutating func `candidates that overtake their invitation are kept as data until the answer is applied`() {
        _ = receive(.extra(Samples.middle, [Samples.candidate(5)]), from: ada)
        #expect(!ring().contains { $0.touchesMedia })
        for input in [Samples.accept(), .media(.opened), .media(.offerMade(Samples.offerSDP, []))] {
            _ = board.handle(input, for: Samples.middle, at: at(20))
        }
        let effects = receive(.answer(Samples.middle, Samples.answer), from: ada)
        #expect(
            effects.last
                == .media(.applyAnswer(Samples.answerSDP, candidates: [Samples.candidate(2), Samples.candidate(5)])))
    }

    @Test mutating func `early messages are kept in small numbers and not for ever`() {
        for number in 0..<20 { _ = receive(.end(Samples.id(UInt8(100 + number))), from: ada) }
        #expect(board.rejections[.unknownCall] == 4)
        _ = receive(.end(Samples.middle), from: ada, at: at(200_000))
        #expect(board.rejections[.unknownCall] == 4)
        #expect(
            receive(.invitation(Samples.id(100), Samples.invitation()), from: ada, at: at(200_001)).beginToRing)
    }

    @Test mutating func `an offer for no call is answered with an end, once, and an answer with nothing`() {
        #expect(receive(.offer(Samples.middle, Samples.offer()), from: ada) == [.send(.end(Samples.middle))])
        #expect(receive(.offer(Samples.middle, Samples.offer()), from: ada) == [])
        #expect(receive(.answer(Samples.low, Samples.answer), from: ada) == [])
        #expect(board.rejections[.unknownCall] == 2 && board.rejections[.late] == 1)
        #expect(board.calls.isEmpty && board.justEnded.isEmpty)
    }

    @Test mutating func `whoever sends offers for no call without end is answered in a burst`() {
        let answers = (0..<1_000).map { receive(.offer(.random(), Samples.offer()), from: ada, at: at($0)).count }
        #expect(answers.reduce(0, +) == 8)
    }

    @Test mutating func `who accepts a call that was given up is told once that it is over`() throws {
        _ = try dial()
        _ = board.handle(.relay(.invitationTaken), for: Samples.middle, at: at(1))
        #expect(
            reasons(board.handle(.clock(.noAnswer), for: Samples.middle, at: at(60_001)).map(\.effect)) == [.noAnswer])
        let offer = CallMessage.offer(Samples.middle, Samples.offer())
        #expect(receive(offer, from: ada, at: at(60_100)) == [])
        #expect(receive(offer, from: bo, at: at(60_200)) == [.send(.end(Samples.middle))])
        #expect(receive(offer, from: bo, at: at(60_300)) == [])
        #expect(receive(.answer(Samples.middle, Samples.answer), from: bo, at: at(60_400)) == [])
        #expect(board.rejections[.late] == 4)
    }

    @Test mutating func `an offer by who called is not answered`() {
        _ = ring()
        _ = board.handle(.person(.decline), for: Samples.middle, at: at(20))
        #expect(receive(.offer(Samples.middle, Samples.offer()), from: ada) == [])
    }

    @Test(arguments: [false, true])
    mutating func `a new invitation by the same contact closes the old call and rings`(isAccepted: Bool) {
        _ = ring()
        if isAccepted { _ = board.handle(Samples.accept(), for: Samples.middle, at: at(20)) }
        let effects = ring(Samples.low)
        #expect(reasons(effects) == [.replaced])
        #expect(effects.contains(.closeMedia) == isAccepted)
        #expect(effects.beginToRing)
        #expect(!effects.contains { if case .send = $0 { true } else { false } })
        #expect(board.calls.keys.map { $0 } == [Samples.low])
        #expect(stage == .ringingWithoutConsent)
    }

    @Test mutating func `a contact without the right to call is noted and gets no reply`() {
        board.setPermissions(CallPermissions(mine: .no, theirs: .yes), for: ada)
        let effects = ring()
        #expect(reasons(effects) == [.notPermitted])
        #expect(effects.count == 2)
    }

    @Test mutating func `a contact that does not accept calls is not called`() {
        board.setPermissions(CallPermissions(mine: .yes, theirs: .no), for: bo)
        #expect(throws: CallError.notPermitted) { try dial() }
    }

    /// How many of so many invitations, one every `pause` milliseconds, leave anything but a count.
    mutating func heard(_ count: Int, from contacts: [ContactID], every pause: Int) -> Int {
        var heard = 0
        for number in 0..<count {
            let contact = contacts[number % contacts.count]
            let effects = receive(
                .invitation(.random(), Samples.invitation()), from: contact, at: at(number * pause))
            heard += effects.isEmpty ? 0 : 1
        }
        return heard
    }

    @Test mutating func `a contact that dials without end rings a few times at once, then six times a minute`() {
        #expect(heard(1_000, from: [ada], every: 1) == 8)
        #expect(board.rejections[.tooOften] == 992)
        // Somebody else rings all the same.
        #expect(receive(.invitation(Samples.low, Samples.invitation()), from: bo, at: at(1_001)).isEmpty == false)
        board = CallSwitchboard()
        #expect((60...70).contains(heard(6_000, from: [ada], every: 100)))
    }

    @Test mutating func `calls that the person takes may come as often as they like`() {
        for number in 0..<100 {
            let id = CallID.random()
            let effects = receive(.invitation(id, Samples.invitation()), from: ada, at: at(number))
            #expect(effects.beginToRing)
            _ = board.handle(Samples.accept(), for: id, at: at(number))
            _ = board.handle(.person(.hangUp), for: id, at: at(number))
        }
        #expect(board.rejections[.tooOften] == 0)
    }

    @Test mutating func `many contacts together ring no more than twelve times a minute`() {
        let many = (0..<50).map { ContactID(rawValue: "\($0)") }
        #expect(heard(1_000, from: many, every: 1) == 20)
        board = CallSwitchboard()
        #expect((120...142).contains(heard(6_000, from: many, every: 100)))
    }

    @Test
    mutating func `an invitation that was too much does not ring when it comes again, and a call that is on goes on`() {
        _ = heard(8, from: [ada], every: 1)
        let present = board.calls.keys.first
        #expect(ring(Samples.low) == [])
        #expect(receive(.invitation(Samples.low, Samples.invitation()), from: ada, at: at(60_000)) == [])
        #expect(board.rejections[.tooOften] == 1 && board.rejections[.late] == 1)
        #expect(board.calls.keys.first == present)
    }

    /// A call with a contact that can replace transports and is on; this side called.
    mutating func connect(_ contact: ContactID, _ id: CallID, at now: Instant) throws {
        _ = try board.dial(contact, media: .video, callID: id, keys: Samples.callerKeys, at: now, wallClock: 100_000)
        _ = board.handle(.relay(.invitationTaken), for: id, at: now)
        _ = offer(0, id, from: contact, at: now)
        for input in [.media(.opened), .media(.answerMade(Renewing.answerSDP("first"), []))] + Renewing.secure {
            _ = board.handle(input, for: id, at: now)
        }
        #expect(board.calls[id]?.stage == .acceptedByBothConnected)
    }

    /// A contact offers a transport.
    mutating func offer(_ number: Int, _ id: CallID, from contact: ContactID, at now: Instant) -> [CallEffect] {
        let offer = CallOffer(
            callType: CallType(media: .video, encryption: true),
            description: Renewing.offerSDP("peer").numbered(number), candidates: [],
            publicKey: number == 0 ? Samples.calleeKeys.publicKey : nil)
        return receive(.offer(id, offer), from: contact, at: now)
    }

    /// How many transports are made when a contact offers so many from a time on, one every three seconds.
    mutating func transports(_ contact: ContactID, _ id: CallID, offers: Int, from start: Int) -> Int {
        (1...offers).reduce(0) { made, number in
            made
                + offer(number, id, from: contact, at: at(start + number * 3_000)).count {
                    if case .media(.renew(.makeAnswer)) = $0 { true } else { false }
                }
        }
    }

    @Test mutating func `a contact that offers transports without end is served for a while, then six times a minute`()
        throws
    {
        try connect(ada, Samples.middle, at: at(0))
        // An hour of offers.
        #expect((410...421).contains(transports(ada, Samples.middle, offers: 1_200, from: 0)))
        #expect(board.rejections[.tooOften] > 700)
        #expect(board.calls[Samples.middle]?.stage == .acceptedByBothConnected)
    }

    @Test mutating func `another call gives a contact no more transports, and contacts together get twelve a minute`()
        throws
    {
        var made: [Int] = []
        for number in 0..<26 as Range<UInt8> {
            let contact = number < 10 ? ada : ContactID(rawValue: "\(number)")
            let (id, start) = (Samples.id(100 + number), Int(number) * 90_000)
            try connect(contact, id, at: at(start))
            made.append(transports(contact, id, offers: 29, from: start))
            _ = receive(.end(id), from: contact, at: at(start + 89_000))
        }
        // Ninety seconds a call.
        #expect(made.prefix(2).allSatisfy { $0 == 29 })
        #expect(made[4..<10].allSatisfy { (8...10).contains($0) })
        #expect(made[10] == 29)
        #expect((17...19).contains(made[25]))
    }

    @Test mutating func `a caller that asks for transports without end gets no more than that`() throws {
        _ = receive(.invitation(Renewing.id, Samples.invitation()), from: ada, at: at(0))
        for input in [
            Samples.accept(), .media(.opened), .media(.offerMade(Renewing.offerSDP("first"), [])),
            Renewing.answer(0, "start"),
        ] + Renewing.secure {
            _ = board.handle(input, for: Renewing.id, at: at(0))
        }
        var made = 0
        for second in 1...3_600 {
            guard let call = board.calls[Renewing.id] else { break }
            var effects = receive(.renew(Renewing.id, after: call.renewal.newest), from: ada, at: at(second * 1_000))
            if second.isMultiple(of: 3), call.timers.contains(.renewal), call.renewal.attempt == nil {
                effects += board.handle(.clock(.renewal), for: Renewing.id, at: at(second * 1_000)).map(\.effect)
            }
            made += effects.count { if case .media(.renew(.makeOffer)) = $0 { true } else { false } }
        }
        #expect((60...421).contains(made))
        #expect(board.rejections[.tooOften] > 1_000)
    }

    @Test mutating func `a blocked contact gets no reply and leaves only a count`() {
        #expect(board.setBlocked(true, ada, at: at(0)) == [])
        #expect(ring() == [])
        #expect(board.rejections[.blocked] == 1)
        #expect(throws: CallError.blocked) { try dial(ada) }
        _ = board.setBlocked(false, ada, at: at(0))
        #expect(ring(Samples.high).beginToRing)
    }

    @Test mutating func `blocking the contact of the present call ends it`() throws {
        _ = try dial()
        #expect(reasons(board.setBlocked(true, bo, at: at(5)).map(\.effect)) == [.cancelled])
        #expect(board.calls.isEmpty)
    }

    @Test mutating func `blocking whoever calls ends it here and says nothing to them`() throws {
        #expect(ring().beginToRing)
        let effects = board.setBlocked(true, ada, at: at(5)).map(\.effect)
        #expect(reasons(effects) == [.declined])
        #expect(!effects.contains { if case .send = $0 { true } else { false } })
        #expect(board.calls.isEmpty && board.kept.isEmpty)
        // They give up.
        #expect(receive(.end(Samples.middle), from: ada) == [])
        #expect(board.rejections[.blocked] == 1)
    }

    @Test mutating func `a blocked contact learns nothing of another call`() throws {
        _ = try dial(bo)
        _ = board.setBlocked(true, ada, at: at(0))
        #expect(ring(Samples.high) == [])
        #expect(board.justEnded.isEmpty)
        #expect(board.calls.values.map(\.contact) == [bo])
    }

    @Test mutating func `a call without frame encryption does not ring unless the person is to decide`() {
        let message = CallMessage.invitation(Samples.middle, Samples.invitation(keys: nil))
        let effects = receive(message, from: ada)
        #expect(effects.first == .send(.end(Samples.middle, because: .encryptionRefused)))
        #expect(reasons(effects) == [.encryptionRefused])
        board.policy = .ask
        #expect(receive(.invitation(Samples.low, Samples.invitation(keys: nil)), from: ada).beginToRing)
    }

    @Test mutating func `the invitation of a call that gave way in a glare is known as late afterwards`() throws {
        _ = try dial(bo, Samples.high)
        #expect(ring(Samples.low, from: bo) == [])
        #expect(board.rejections[.glare] == 1)
        #expect(receive(.end(Samples.low), from: bo) == [])
        #expect(ring(Samples.low, from: bo) == [])
        #expect(board.rejections[.late] == 2)
        #expect(stage == .dialledAwaitingRelay)
    }

    @Test mutating func `own ids sent back as an invitation change nothing`() throws {
        _ = try dial()
        #expect(ring(Samples.middle, from: bo) == [])
        #expect(board.rejections[.wrongRole] == 1)
    }

    @Test mutating func `10,000 random inputs from contacts never touch media while the person does nothing`() throws {
        var generator = SeededGenerator(seed: 17)
        for step in 0..<10_000 {
            let id = Samples.id(UInt8.random(in: 1...12, using: &generator))
            let contact = Bool.random(using: &generator) ? ada : bo
            let age = Int64.random(in: -10...200, using: &generator)
            let effects: [CallEffect]
            switch Int.random(in: 0..<8, using: &generator) {
            case 0, 1: effects = receive(.invitation(id, Samples.invitation()), from: contact, age: age)
            case 2: effects = receive(.offer(id, Samples.offer()), from: contact)
            case 3: effects = receive(.answer(id, Samples.answer), from: contact)
            case 4: effects = receive(.extra(id, [Samples.candidate(1)]), from: contact)
            case 5: effects = receive(.end(id), from: contact)
            case 6:
                let input = try #require(Inputs.media.randomElement(using: &generator)).input
                effects = board.handle(input, for: id, at: at(step)).map(\.effect)
            default:
                let input = try #require(Inputs.clock.randomElement(using: &generator)).input
                effects = board.handle(input, for: id, at: at(step)).map(\.effect)
            }
            #expect(!effects.contains { $0.touchesMedia })
            // Forgets old ids now and then, so that new calls ring.
            if step % 50 == 0 { board = CallSwitchboard() }
        }
    }
}

extension [CallEffect] {
    /// Whether a call begins to ring by them: for as long, and no longer, the clock of ringing runs.
    fileprivate var beginToRing: Bool {
        contains { if case .startTimer(.ringLimit, _) = $0 { true } else { false } }
    }
}
