import BaseKit
import Signaling

/// Which transports a call that is on has had, and what is done about the next one.
///
/// A transport is one ICE and DTLS connection with its own description on both sides, numbered from 0. The callee, who
/// makes offers in this protocol, leads: it alone numbers new ones. The caller may ask. There is another transport only
/// between two programs that both announced it, and never with less than the call already has: the frame key stays, and
/// media compares the new certificate with the new description before a frame passes.
///
/// A value like ``CallMachine``, which gives it what concerns it in a call that is on, and does what it says.
struct Renewal: Sendable, Equatable {
    /// What is to be done, in this order.
    enum Action: Sendable {
        /// For media.
        case media(RenewalStep)
        /// Ask the callee for a transport after the one of this number.
        case ask(after: Int)
        /// Send the offer for the transport of this number.
        case offer(Int, SessionDescription, [ICECandidate])
        /// Send the answer.
        case answer(Int, SessionDescription, [ICECandidate])
        /// Send own candidates, marked as those of their transport.
        case candidates([ICECandidate])
        /// Start ``CallTimer/renewal``, or start it over.
        case startClock(Duration)
        case stopClock
        /// The peer's message is not acted on.
        case reject(MessageRejection)
    }

    /// Why a new transport is wanted.
    enum Cause: Sendable, Equatable {
        /// Nothing arrives any more; if it does again, there is no need.
        case loss
        /// The peer asked.
        case asked
        /// An own address is gone or new: the descriptions sent so far may lead nowhere.
        case address
    }

    /// A transport and how far it has come.
    struct Attempt: Sendable, Equatable {
        enum Step: Sendable, Equatable {
            /// Media makes the offer or the answer.
            case making
            /// The offer is out (callee). Nothing limits this but the time for the whole of reconnecting: the way of the
            /// messages may be cut as well.
            case awaitingAnswer
            /// Both descriptions are exchanged.
            case connecting
        }

        var number: Int
        var step = Step.making
        var cause = Cause.loss
        /// The ICE user name fragments, by which candidates are told apart.
        var ownFragment: String?
        var peerFragment: String?
    }

    private struct Withdrawn: Sendable, Equatable {
        var number: Int
        var at: Instant
    }

    /// For how long what was on its way during a cut may come after it.
    private static let backlog: Duration = .seconds(10)

    /// The highest number used or seen.
    private(set) var newest = 0
    /// The one that is to take over.
    private(set) var attempt: Attempt?
    /// The transport that carries the call.
    private var inUse = Attempt(number: 0, step: .connecting)
    /// This side's part; nil unless both sides said that they can.
    private var role: CallRole?
    /// The last attempt of the callee that was given up because the path came back, and when.
    private var withdrawn: Withdrawn?
    /// Why an attempt begins when its time has come (callee).
    private var waiting: Cause?
    /// The number after which the last request asked for another (caller).
    private var askedAfter: Int?
    private var budget = RenewalBudget()

    /// The number of the transport that carries the call.
    var numberInUse: Int { inUse.number }

    /// How many transports the peer has asked for or offered with success.
    var wishCount: Int { budget.wishCount }

    /// Whether both sides said that they can.
    var isAgreed: Bool { role != nil }

    /// The peer's first description has come: it says whether its program can, by numbering it.
    mutating func agree(_ role: CallRole, by description: SessionDescription) {
        self.role = description.transportNumber == nil ? nil : role
    }

    // MARK: This side

    /// A new transport is wanted: the callee makes the offer, the caller asks for it.
    mutating func want(_ cause: Cause, at now: Instant) -> [Action] {
        switch role {
        case .callee:
            guard let attempt else { return begin(cause, at: now) }
            // What is under way serves as well, unless it rests on an address that is gone.
            guard cause == .address else { return [] }
            return [.media(.abandon(attempt.number))] + begin(cause, at: now)
        case .caller:
            guard askedAfter != newest else { return [] }
            askedAfter = newest
            return [.ask(after: newest)]
        case nil: return []
        }
    }

    private mutating func begin(_ cause: Cause, at now: Instant) -> [Action] {
        attempt = nil
        let pause = cause == .address ? .zero : budget.pause(at: now)
        guard pause == .zero else {
            waiting = cause
            return [.startClock(pause)]
        }
        // All numbers are used.
        guard newest < SessionDescription.highestTransportNumber else { return [] }
        newest += 1
        budget.begin(at: now)
        waiting = nil
        attempt = Attempt(number: newest, cause: cause)
        return [.media(.makeOffer(newest)), .startClock(CallTiming.renewalAttempt)]
    }

    /// The peer is heard again.
    mutating func heardAgain() -> [Action] {
        askedAfter = nil
        guard waiting == .loss else { return [] }
        waiting = nil
        return [.stopClock]
    }

    /// The path came back by itself: the callee gives up what was only for its loss. Once the answer is there, both sides are
    /// making the new transport: then it takes over.
    mutating func withdraw(at now: Instant) -> [Action] {
        guard role == .callee, let attempt, attempt.cause == .loss, attempt.step != .connecting else { return [] }
        self.attempt = nil
        // Of an offer that was not sent the caller knows nothing, and may ask.
        if attempt.step == .awaitingAnswer { withdrawn = Withdrawn(number: attempt.number, at: now) }
        return [.stopClock, .media(.abandon(attempt.number))]
    }

    /// The time of an attempt, or before the next one, is over. While nothing arrives there is another attempt; otherwise the
    /// call is well without.
    mutating func timeIsOver(isReconnecting: Bool, at now: Instant) -> [Action] {
        if let attempt {
            self.attempt = nil
            return [.media(.abandon(attempt.number))] + (isReconnecting ? want(.loss, at: now) : [])
        }
        return waiting.map { begin($0, at: now) } ?? []
    }

    // MARK: The peer

    /// The caller asks. An offer that it can't have seen yet is the answer already.
    mutating func requested(after number: Int, at now: Instant) -> [Action] {
        guard isAgreed, number <= newest else { return [.reject(.outOfTurn)] }
        if let attempt {
            guard attempt.number <= number else {
                self.attempt?.cause = .asked
                return []
            }
            budget.asked()
            return [.media(.abandon(attempt.number))] + begin(.asked, at: now)
        }
        guard !isOutdated(requestAfter: number, at: now), inUse.number <= number, waiting == nil else { return [] }
        budget.asked()
        return begin(.asked, at: now)
    }

    /// Whether a request was made before the callee's last offer came to the caller, and both went with the cut that they were for.
    /// Who still needs a transport after that offer asks again.
    private func isOutdated(requestAfter number: Int, at now: Instant) -> Bool {
        withdrawn.map { number < $0.number && now - $0.at < Self.backlog } ?? false
    }

    /// The callee offers a new transport; its candidates are counted with the others.
    mutating func offered(
        _ description: SessionDescription, _ candidates: [ICECandidate], in boxes: inout CandidateBoxes, at now: Instant
    ) -> [Action] {
        guard isAgreed, let number = description.transportNumber, number > 0 else { return [.reject(.outOfTurn)] }
        guard number > newest else { return [.reject(.late)] }
        guard budget.admitsOffer(at: now) else { return [.reject(.tooOften)] }
        guard boxes.count(candidates) else { return [.reject(.tooMany)] }
        let former = attempt.map { [Action.media(.abandon($0.number))] } ?? []
        newest = number
        attempt = Attempt(number: number, peerFragment: description.usernameFragment)
        return former + [
            .media(.makeAnswer(number, to: description, candidates: candidates)),
            .startClock(CallTiming.renewalAttempt),
        ]
    }

    /// The caller answers the offer of a new transport; its candidates are counted with the others.
    mutating func answered(
        _ description: SessionDescription, _ candidates: [ICECandidate], in boxes: inout CandidateBoxes
    ) -> [Action] {
        guard isAgreed, let number = description.transportNumber, number > 0, number <= newest else {
            return [.reject(.outOfTurn)]
        }
        guard attempt?.number == number, attempt?.step == .awaitingAnswer else { return [.reject(.late)] }
        guard boxes.count(candidates) else { return [.reject(.tooMany)] }
        attempt?.step = .connecting
        attempt?.peerFragment = description.usernameFragment
        return [
            .media(.applyAnswer(number, description, candidates: candidates)),
            .startClock(CallTiming.renewalAttempt),
        ]
    }

    /// The transport, in use or to be, that candidates of the peer belong to; nil for one that is gone. Those without a
    /// fragment, and all of programs that have one transport only, are the first one's.
    func number(of candidates: [ICECandidate]) -> Int? {
        guard let fragment = candidates.first?.usernameFragment else { return inUse.number == 0 ? 0 : nil }
        if let attempt, attempt.peerFragment == fragment { return attempt.number }
        if inUse.number > 0 { return inUse.peerFragment == fragment ? inUse.number : nil }
        return 0
    }

    // MARK: Media

    /// The offer for the transport of this number is made.
    mutating func offerMade(
        _ number: Int, _ offer: SessionDescription, _ candidates: [ICECandidate]
    ) -> [Action] {
        guard attempt?.number == number, attempt?.step == .making else { return [] }
        attempt?.step = .awaitingAnswer
        attempt?.ownFragment = offer.usernameFragment
        return [.stopClock, .offer(number, offer, candidates)]
    }

    /// The answer for the transport of this number is made.
    mutating func answerMade(
        _ number: Int, _ answer: SessionDescription, _ candidates: [ICECandidate]
    ) -> [Action] {
        guard attempt?.number == number, attempt?.step == .making else { return [] }
        attempt?.step = .connecting
        attempt?.ownFragment = answer.usernameFragment
        return [.answer(number, answer, candidates), .startClock(CallTiming.renewalAttempt)]
    }

    /// Own candidates of the transport of this number were found; they name it by its fragment.
    func candidatesFound(_ number: Int, _ own: [ICECandidate]) -> [Action] {
        guard let fragment = ownFragment(of: number) else { return [] }
        let marked = own.map { candidate in
            var candidate = candidate
            candidate.usernameFragment = fragment
            return candidate
        }
        return marked.isEmpty ? [] : [.candidates(marked)]
    }

    /// The own fragment of a transport whose description is out.
    private func ownFragment(of number: Int) -> String? {
        if let attempt, attempt.number == number { return attempt.step == .making ? nil : attempt.ownFragment }
        return inUse.number == number ? inUse.ownFragment : nil
    }

    /// The transport of this number is verified and has taken over. Nil if it was given up meanwhile.
    mutating func tookOver(_ number: Int) -> [Action]? {
        guard let attempt, attempt.number == number else { return nil }
        inUse = attempt
        self.attempt = nil
        return [.stopClock] + heardAgain()
    }

    /// The transport of this number came to nothing.
    mutating func failed(_ number: Int, isReconnecting: Bool, at now: Instant) -> [Action] {
        guard attempt?.number == number else { return [] }
        attempt = nil
        return [.stopClock] + (isReconnecting ? want(.loss, at: now) : [])
    }
}
