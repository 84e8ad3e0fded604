import BaseKit
import Signaling
import TestSupport
import Testing

@testable import Calling

/// Descriptions of programs that can replace a transport.
enum Renewing {
    static let id = Samples.middle

    static func sdp(_ fragment: String) -> String {
        "v=0\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=ice-ufrag:\(fragment)\r\n"
    }

    static func offerSDP(_ fragment: String) -> SessionDescription {
        SessionDescription(kind: .offer, sdp: sdp(fragment))
    }

    static func answerSDP(_ fragment: String) -> SessionDescription {
        SessionDescription(kind: .answer, sdp: sdp(fragment))
    }

    /// The callee's offer for a transport.
    static func offer(_ number: Int, _ fragment: String = "peer", encryption: Bool = true) -> CallInput {
        .peer(
            .offer(
                id,
                CallOffer(
                    callType: CallType(media: .video, encryption: encryption),
                    description: offerSDP(fragment).numbered(number), candidates: [Samples.candidate(1)],
                    publicKey: number == 0 ? Samples.calleeKeys.publicKey : nil)))
    }

    static func answer(_ number: Int, _ fragment: String = "peer") -> CallInput {
        .peer(
            .answer(
                id,
                CallAnswer(description: answerSDP(fragment).numbered(number), candidates: [Samples.candidate(2)])))
    }

    static func ask(after number: Int) -> CallInput { .peer(.renew(id, after: number)) }

    static func extra(_ fragment: String?) -> CallInput {
        var candidate = Samples.candidate(7)
        candidate.usernameFragment = fragment
        return .peer(.extra(id, [candidate]))
    }

    static let secure: [CallInput] = [.media(.event(.dtlsConnected)), .media(.event(.fingerprintVerified))]
    static let lost = CallInput.media(.event(.lost))
    static let recovered = CallInput.media(.event(.recovered))
    static func renewed(_ number: Int) -> CallInput { .media(.event(.renewed(number))) }
    static func failed(_ number: Int) -> CallInput { .media(.event(.renewalFailed(number, .sample))) }
    static func offerMade(_ number: Int) -> CallInput { .media(.renewalOfferMade(number, offerSDP("own"), [])) }
    static func answerMade(_ number: Int) -> CallInput { .media(.renewalAnswerMade(number, answerSDP("own"), [])) }

    /// A callee's call with a peer that can replace transports.
    static func callee() -> CallMachine {
        var call = CallMachine.ringing().after(
            Samples.accept(), .media(.opened), .media(.offerMade(offerSDP("first"), [])), answer(0, "start"))
        for input in secure { call = call.after(input) }
        return call
    }

    /// A caller's call with a peer that can replace transports.
    static func caller() -> CallMachine {
        var call = CallMachine.dialled().after(
            .relay(.invitationTaken), offer(0, "start"), .media(.opened),
            .media(.answerMade(answerSDP("first"), [])))
        for input in secure { call = call.after(input) }
        return call
    }
}

extension [CallEffect] {
    /// The messages among them.
    fileprivate var sent: [CallMessage] { compactMap { if case .send(let message) = $0 { message } else { nil } } }
    /// What is to be done about a new transport.
    fileprivate var steps: [RenewalStep] { compactMap { if case .media(.renew(let step)) = $0 { step } else { nil } } }
}

@Suite("A new transport for a call", .timeLimit(.minutes(5)))
struct RenewalTests {
    let id = Samples.middle

    @Test func `both first descriptions announce that transports can be replaced, and nothing else in them changes`()
        throws
    {
        var callee = CallMachine.ringing().after(Samples.accept(), .media(.opened))
        let offered = callee.handle(.media(.offerMade(Renewing.offerSDP("first"), [])), at: at(5)).sent
        guard case .offer(_, let offer) = try #require(offered.first) else { return }
        #expect(offer.description.transportNumber == 0)
        #expect(
            offer.description.sdp
                == Renewing.sdp("first").replacing("m=audio", with: "a=x-parley-transport:0\r\nm=audio"))
        var caller = CallMachine.dialled().after(.relay(.invitationTaken), Renewing.offer(0), .media(.opened))
        let answered = caller.handle(.media(.answerMade(Renewing.answerSDP("first"), [])), at: at(5)).sent
        guard case .answer(_, let answer) = try #require(answered.first) else { return }
        #expect(answer.description.transportNumber == 0)
    }

    @Test func `the callee leads: loss, offer, answer, takeover, in one call without an end`() {
        var call = Renewing.callee()
        #expect(
            call.handle(Renewing.lost, at: at(1_000)) == [
                .startTimer(.reconnect, .seconds(40)), .media(.renew(.makeOffer(1))),
                .startTimer(.renewal, .seconds(8)),
            ])
        #expect(call.phase == .reconnecting)
        let offered = call.handle(Renewing.offerMade(1), at: at(1_500))
        #expect(offered.first == .stopTimer(.renewal))
        guard case .offer(id, let offer) = offered.sent.first else {
            Issue.record("no offer: \(offered)")
            return
        }
        #expect(offer.description.transportNumber == 1)
        #expect(offer.callType.encryption && offer.publicKey == nil)
        let answer = Renewing.answerSDP("peer").numbered(1)
        #expect(
            call.handle(Renewing.answer(1), at: at(3_000)) == [
                .media(.renew(.applyAnswer(1, answer, candidates: [Samples.candidate(2)]))),
                .startTimer(.renewal, .seconds(8)),
            ])
        #expect(call.handle(Renewing.renewed(1), at: at(4_000)) == [.stopTimer(.renewal), .stopTimer(.reconnect)])
        #expect(call.stage == .acceptedByBothConnected)
        #expect(call.update.transportNumber == 1)
        #expect(call.rejections.total == 0)
    }

    @Test func `the caller asks, answers the offer and goes on`() {
        var call = Renewing.caller()
        #expect(
            call.handle(Renewing.lost, at: at(1_000)) == [
                .startTimer(.reconnect, .seconds(40)), .send(.renew(id, after: 0)),
            ])
        // Once is enough: messages are repeated below.
        #expect(call.handle(.networkChanged(hasLostAddress: true), at: at(1_200)) == [])
        #expect(
            call.handle(Renewing.offer(1), at: at(2_000)) == [
                .media(
                    .renew(
                        .makeAnswer(
                            1, to: Renewing.offerSDP("peer").numbered(1), candidates: [Samples.candidate(1)]))),
                .startTimer(.renewal, .seconds(8)),
            ])
        let answered = call.handle(Renewing.answerMade(1), at: at(2_500))
        #expect(
            answered.sent == [
                .answer(id, CallAnswer(description: Renewing.answerSDP("own").numbered(1), candidates: []))
            ])
        #expect(call.handle(Renewing.renewed(1), at: at(3_000)) == [.stopTimer(.renewal), .stopTimer(.reconnect)])
        #expect(call.phase == .active(since: call.after().sinceForTest))
    }

    @Test func `an address that is gone begins at once, before anything is lost; one that is new does not`() {
        var callee = Renewing.callee()
        #expect(callee.handle(.networkChanged(hasLostAddress: false), at: at(500)) == [])
        #expect(callee.handle(.networkChanged(hasLostAddress: true), at: at(1_000)).steps == [.makeOffer(1)])
        #expect(callee.stage == .acceptedByBothConnected)
        var caller = Renewing.caller()
        #expect(caller.handle(.networkChanged(hasLostAddress: true), at: at(1_000)) == [.send(.renew(id, after: 0))])
        // While the connection is lost, every change is a chance.
        var lost = Renewing.callee().after(Renewing.lost, Renewing.offerMade(1))
        #expect(
            lost.handle(.networkChanged(hasLostAddress: false), at: at(9_000)).steps == [.abandon(1), .makeOffer(2)])
    }

    @Test func `when both begin, the callee's offer counts and the caller's request asks for nothing more`() {
        var call = Renewing.callee().after(Renewing.lost)
        #expect(call.handle(Renewing.ask(after: 0), at: at(1_100)) == [])
        #expect(call.handle(Renewing.offerMade(1), at: at(1_500)).sent.count == 1)
        // The caller has seen that offer, but its address changed afterwards.
        let effects = call.handle(Renewing.ask(after: 1), at: at(2_000))
        #expect(effects.steps == [.abandon(1)])
        #expect(effects.contains(.startTimer(.renewal, .milliseconds(1_001))))
        #expect(call.handle(.clock(.renewal), at: at(4_002)).steps == [.makeOffer(2)])
        // A request that comes after its wish was met is no wish any more.
        var met = Renewing.callee().after(
            Renewing.lost, Renewing.offerMade(1), Renewing.answer(1), Renewing.renewed(1))
        #expect(met.handle(Renewing.ask(after: 0), at: at(9_000)) == [])
        #expect(met.rejections.total == 0)
    }

    @Test func `who asks often is served once in three seconds`() {
        var call = Renewing.callee()
        var offers = 0
        for time in stride(from: 10, through: 30_000, by: 10) {
            offers += call.handle(Renewing.ask(after: call.renewal.newest), at: at(time)).steps.count {
                if case .makeOffer = $0 { true } else { false }
            }
            if call.timers.contains(.renewal), call.renewal.attempt == nil, time % 3_000 == 0 {
                offers += call.handle(.clock(.renewal), at: at(time)).steps.count
            }
        }
        #expect((5...11).contains(offers))
    }

    @Test func `the callee whose old path comes back gives the attempt up, unless the answer is there already`() {
        var call = Renewing.callee().after(Renewing.lost, Renewing.offerMade(1))
        #expect(
            call.handle(Renewing.recovered, at: at(9_000)) == [.stopTimer(.reconnect), .media(.renew(.abandon(1)))])
        #expect(call.stage == .acceptedByBothConnected)
        #expect(call.handle(Renewing.answer(1), at: at(9_100)) == [])
        #expect(call.rejections[.late] == 1)

        var answered = Renewing.callee().after(Renewing.lost, Renewing.offerMade(1), Renewing.answer(1))
        #expect(answered.handle(Renewing.recovered, at: at(9_000)).steps == [])
        #expect(answered.handle(Renewing.renewed(1), at: at(9_100)) == [.stopTimer(.renewal)])
        #expect(answered.update.transportNumber == 1)
    }

    @Test func `who never saw an offer that was given up may ask at once`() {
        var call = Renewing.callee().after(Renewing.lost)
        #expect(call.handle(Renewing.recovered, at: at(9_000)).steps == [.abandon(1)])
        let effects = call.handle(Renewing.ask(after: 0), at: at(9_100))
        #expect(
            effects.steps == [.makeOffer(2)]
                || effects.contains { if case .startTimer(.renewal, _) = $0 { true } else { false } })
        // Of one that was sent the caller knows, and asks after it.
        var sent = Renewing.callee().after(Renewing.lost, Renewing.offerMade(1))
        _ = sent.handle(Renewing.recovered, at: at(9_000))
        #expect(sent.handle(Renewing.ask(after: 0), at: at(9_100)) == [])
    }

    @Test func `an attempt that takes too long is given up and followed by another as long as the connection is lost`()
    {
        var call = Renewing.callee().after(Renewing.lost, Renewing.offerMade(1), Renewing.answer(1))
        #expect(call.handle(.clock(.renewal), at: at(12_000)).steps == [.abandon(1), .makeOffer(2)])
        #expect(call.handle(Renewing.failed(1), at: at(12_001)) == [])
        #expect(call.handle(Renewing.failed(2), at: at(12_002)).contains(.startTimer(.renewal, .milliseconds(2_998))))
        #expect(call.handle(.clock(.renewal), at: at(15_000)).steps == [.makeOffer(3)])
        let effects = call.handle(.clock(.reconnect), at: at(40_000))
        #expect(effects.last == .finished(.connectionLost))
        #expect(effects.sent == [.end(id)])

        var caller = Renewing.caller().after(Renewing.lost, Renewing.offer(1), Renewing.answerMade(1))
        let again = caller.handle(.clock(.renewal), at: at(12_000))
        #expect(again == [.media(.renew(.abandon(1))), .send(.renew(id, after: 1))])
    }

    @Test func `answers, offers and candidates of an old transport are counted and never applied`() {
        var callee = Renewing.callee().after(Renewing.lost, Renewing.offerMade(1), Renewing.answer(1))
        callee = callee.after(Renewing.renewed(1))
        for input in [Renewing.answer(1), Renewing.extra(nil), Renewing.extra("start"), Renewing.extra("strange")] {
            #expect(callee.handle(input, at: at(9_000)) == [])
        }
        #expect(callee.rejections[.late] == 4)
        var candidate = Samples.candidate(7)
        candidate.usernameFragment = "peer"
        #expect(callee.handle(Renewing.extra("peer"), at: at(9_001)).steps == [.addCandidates(1, [candidate])])

        var caller = Renewing.caller().after(Renewing.offer(2), Renewing.answerMade(2), Renewing.renewed(2))
        for number in [1, 2] { #expect(caller.handle(Renewing.offer(number), at: at(9_000)) == []) }
        #expect(caller.rejections[.late] == 2)
    }

    @Test func `candidates of both transports find theirs while both are there`() {
        var call = Renewing.caller().after(Renewing.lost, Renewing.offer(1, "second"))
        #expect(call.handle(Renewing.extra("second"), at: at(9)).steps.count == 1)
        for fragment in [nil, "start"] {
            guard case .media(.addCandidates) = call.handle(Renewing.extra(fragment), at: at(9)).first else {
                Issue.record("not for the first transport: \(fragment ?? "-")")
                return
            }
        }
        // Own ones are marked, and wait for the description.
        let own = CallInput.media(.event(.renewalCandidates(1, [Samples.candidate(4)])))
        #expect(call.handle(own, at: at(10)) == [])
        call = call.after(Renewing.answerMade(1))
        guard case .extra(_, let sent) = call.handle(own, at: at(12)).sent.first else {
            Issue.record("not sent")
            return
        }
        #expect(sent.map(\.usernameFragment) == ["own"])
    }

    @Test func `a peer that announced nothing gets no offer and no request, and its call ends as before`() {
        for call in [CallMachine.sample(.acceptedByBothConnected), CallMachine.calleeSample(.acceptedByBothConnected)] {
            guard var call else { continue }
            #expect(call.handle(Renewing.lost, at: at(1_000)) == [.startTimer(.reconnect, .seconds(10))])
            #expect(call.handle(.networkChanged(hasLostAddress: true), at: at(2_000)) == [])
            #expect(call.handle(.clock(.reconnect), at: at(11_000)).last == .finished(.connectionLost))
        }
    }

    @Test
    func
        `offers and requests out of an active call, from who announced nothing, or in clear, are rejected and counted`()
    {
        for stage in CallStage.allCases where stage != .dialledAwaitingRelay && stage != .dialledRinging {
            for machine in [CallMachine.sample(stage), CallMachine.calleeSample(stage)].compactMap({ $0 }) {
                var call = machine
                let inputs = [Renewing.offer(1), Renewing.answer(1), Renewing.ask(after: 0)]
                let effects = inputs.filter { !(stage == .acceptedAwaitingAnswer && $0.isAnswer) }.flatMap {
                    call.handle($0, at: at(9))
                }
                #expect(effects == [], "\(stage)")
                #expect(call.rejections.total >= 2)
                #expect(call.fingerprint == machine.fingerprint)
            }
        }
        var call = Renewing.caller()
        #expect(call.handle(Renewing.offer(1, encryption: false), at: at(9)) == [])
        #expect(call.handle(Renewing.ask(after: 0), at: at(9)) == [])
        var callee = Renewing.callee()
        #expect(callee.handle(Renewing.ask(after: 4), at: at(9)) == [])
        #expect(callee.handle(Renewing.answer(1), at: at(9)) == [])
        #expect(callee.handle(Renewing.offer(1), at: at(9)) == [])
        #expect(call.rejections[.outOfTurn] == 1 && call.rejections[.wrongRole] == 1)
        #expect(callee.rejections[.outOfTurn] == 2 && callee.rejections[.wrongRole] == 1)
    }

    @Test func `a flood of offers gives bounded work`() {
        var call = Renewing.caller()
        var made = 0
        for number in 1...200 {
            made += call.handle(Renewing.offer(number), at: at(number)).steps.count {
                if case .makeAnswer = $0 { true } else { false }
            }
        }
        #expect(made == RenewalBudget.mostOffers)
        #expect(call.rejections[.tooOften] == 200 - RenewalBudget.mostOffers)
    }

    @Test func `another certificate than announced ends the call also on a new transport`() {
        var call = Renewing.callee().after(Renewing.lost, Renewing.offerMade(1), Renewing.answer(1))
        #expect(call.handle(.media(.event(.fingerprintMismatch)), at: at(9)).last == .finished(.fingerprintMismatch))
    }

    @Test func `the end of a call leaves no clock and no attempt`() {
        for call in [Renewing.callee(), Renewing.caller()] {
            var call = call.after(Renewing.lost, Renewing.offer(1), Renewing.offerMade(1))
            let effects = call.handle(.person(.hangUp), at: at(9))
            #expect(effects.contains(.closeMedia))
            #expect(call.timers.isEmpty && call.renewal == Renewal())
            #expect(call.handle(.clock(.renewal), at: at(10)) == [])
            #expect(call.handle(Renewing.renewed(1), at: at(10)) == [])
        }
    }
}

extension CallInput {
    fileprivate var isAnswer: Bool { if case .peer(.answer) = self { true } else { false } }
}

extension CallMachine {
    /// Since when the call is on.
    fileprivate var sinceForTest: Instant { if case .active(let since) = phase { since } else { at(-1) } }
}

@Suite("Two machines replace transports", .timeLimit(.minutes(5)))
struct RenewalPairTests {
    /// Carries messages and media reports between a callee and a caller; `isCut` keeps messages back.
    struct World {
        var machines = [Renewing.callee(), Renewing.caller()]
        var held: [(to: Int, CallMessage)] = []
        var isCut = false
        var now = at(1_000)
        var open: [Set<Int>] = [[], []]
        var isConnectable = true

        mutating func input(_ input: CallInput, _ index: Int) {
            let effects = machines[index].handle(input, at: now)
            for effect in effects { perform(effect, index) }
        }

        mutating func perform(_ effect: CallEffect, _ index: Int) {
            switch effect {
            case .send(let message):
                if isCut { held.append((1 - index, message)) } else { input(.peer(message), 1 - index) }
            case .media(.renew(.makeOffer(let number))):
                open[index] = [number]
                input(
                    .media(.renewalOfferMade(number, Renewing.offerSDP("o\(number)"), [])), index)
            case .media(.renew(.makeAnswer(let number, _, _))):
                open[index] = [number]
                input(.media(.renewalAnswerMade(number, Renewing.answerSDP("a\(number)"), [])), index)
            case .media(.renew(.applyAnswer(let number, _, _))):
                guard isConnectable, open[0].contains(number), open[1].contains(number) else { return }
                for one in [0, 1] { input(.media(.event(.renewed(number))), one) }
            case .media(.renew(.abandon(let number))): open[index].remove(number)
            default: break
            }
        }

        mutating func release() {
            isCut = false
            let all = held
            held = []
            for (to, message) in all { input(.peer(message), to) }
        }
    }

    @Test func `after a cut of the way of messages too, both end on the same transport, whoever noticed first`() {
        for order in [[0, 1], [1, 0], [0], [1]] {
            var world = World()
            world.isCut = true
            for index in order { world.input(Renewing.lost, index) }
            world.now += .seconds(20)
            world.release()
            #expect(world.machines.map(\.update.transportNumber) == [1, 1], "\(order)")
            #expect(world.machines.map(\.stage) == [.acceptedByBothConnected, .acceptedByBothConnected])
            #expect(world.machines.map(\.rejections.total) == [0, 0])
        }
    }

    @Test func `where the old path comes back before the messages of the cut do, they ask for nothing more`() {
        for order in [[0, 1], [1, 0]] {
            var world = World()
            world.isCut = true
            for index in order { world.input(Renewing.lost, index) }
            world.now += .seconds(20)
            for index in order { world.input(Renewing.recovered, index) }
            world.now += .seconds(1)
            world.release()
            #expect(world.open[0].isEmpty)
            world.now += CallTiming.renewalAttempt
            for index in [0, 1] { world.input(.clock(.renewal), index) }
            #expect(world.open == [[], []], "\(order)")
            #expect(world.machines.map(\.update.transportNumber) == [0, 0])
            #expect(world.machines.map(\.stage) == [.acceptedByBothConnected, .acceptedByBothConnected])
            // The next loss finds both on the same number.
            for index in order { world.input(Renewing.lost, index) }
            #expect(world.machines.map(\.update.transportNumber) == [2, 2], "\(order)")
        }
    }

    @Test func `a request that comes long after a path was back, or after its offer was seen, counts`() {
        var call = Renewing.callee().after(Renewing.lost, Renewing.offerMade(1), Renewing.recovered)
        #expect(call.handle(Renewing.ask(after: 0), at: at(9_000)).steps == [])
        var seen = call
        #expect(seen.handle(Renewing.ask(after: 1), at: at(9_001)).steps == [.makeOffer(2)])
        #expect(call.handle(Renewing.ask(after: 0), at: at(60_000)).steps == [.makeOffer(2)])
        #expect(call.rejections.total == 0)
    }

    @Test func `addresses that change again and again meanwhile end on the last transport`() {
        var world = World()
        world.isCut = true
        world.input(Renewing.lost, 0)
        world.input(Renewing.lost, 1)
        for step in 0..<4 {
            world.now += .milliseconds(3_500)
            world.input(.networkChanged(hasLostAddress: true), step % 2)
        }
        world.release()
        let numbers = Set(world.machines.map(\.update.transportNumber))
        #expect(numbers.count == 1 && (numbers.first ?? 0) > 0)
        #expect(world.machines.map(\.stage) == [.acceptedByBothConnected, .acceptedByBothConnected])
    }

    @Test func `where no path can be made, both give up in time`() {
        var world = World()
        world.isConnectable = false
        world.input(Renewing.lost, 0)
        world.input(Renewing.lost, 1)
        for _ in 0..<4 {
            world.now += .seconds(8)
            for index in [0, 1] { world.input(.clock(.renewal), index) }
        }
        for index in [0, 1] { world.input(.clock(.reconnect), index) }
        #expect(world.machines.map(\.stage) == [.ended, .ended])
        #expect(world.machines[0].renewal == Renewal())
    }
}
