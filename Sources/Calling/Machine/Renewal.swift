import Signaling

/// Which transports a call has had, and what is being done about the next one.
///
/// A transport is one ICE and DTLS connection with its own description on both sides, numbered from 0. The callee, who
/// makes offers in this protocol, leads: it alone numbers new ones. The caller may ask.
struct Renewal: Sendable, Equatable {
    /// How far an attempt has come.
    enum Step: Sendable, Equatable {
        /// Media makes the offer or the answer.
        case making
        /// The offer is out (callee). Nothing limits this but the time for the whole of reconnecting: the way of the messages
        /// may be cut as well.
        case awaitingAnswer
        /// Both descriptions are exchanged.
        case connecting
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

    struct Attempt: Sendable, Equatable {
        var number: Int
        var step = Step.making
        var cause = Cause.loss
        /// The ICE user name fragments, by which candidates are told apart.
        var ownFragment: String?
        var peerFragment: String?
    }

    struct Withdrawn: Sendable, Equatable {
        var number: Int
        var at: Int64
    }

    /// Whether both sides said that they can.
    var isAgreed = false
    /// The highest number used or seen.
    var newest = 0
    /// The transport that carries the call.
    var inUse = Attempt(number: 0, step: .connecting)
    /// The one that is to take over.
    var attempt: Attempt?
    /// The last attempt of the callee that was given up because the path came back, and when.
    var withdrawn: Withdrawn?
    /// Why an attempt begins when its time has come (callee).
    var waiting: Cause?
    /// The number after which the last request asked for another (caller).
    var askedAfter: Int?
    private var begunAt: Int64?
    private var offersTakenAt: [Int64] = []

    /// Milliseconds for which what was on its way during a cut may come after it.
    static let backlog: Int64 = 10_000

    /// Whether a request was made before the callee's last offer came to the caller, and both went with the cut that they were for.
    /// Who still needs a transport after that offer asks again.
    func isOutdated(requestAfter number: Int, at now: Int64) -> Bool {
        withdrawn.map { number < $0.number && now - $0.at < Self.backlog } ?? false
    }

    /// The most offers that are answered in ten seconds.
    static let mostOffers = 5
    /// The most new transports that a call takes part in within ten minutes at the peer's wish: each costs a certificate, a
    /// pipeline and candidates. A path that breaks every ten seconds needs no more.
    static let mostInLongRun = 60
    /// Milliseconds over which they are counted.
    static let longRun: Int64 = 600_000

    /// The next attempt of the callee. Nil when all numbers are used.
    mutating func begin(_ cause: Cause, at now: Int64) -> Int? {
        guard newest < SessionDescription.highestTransportNumber else { return nil }
        newest += 1
        begunAt = now
        waiting = nil
        attempt = Attempt(number: newest, cause: cause)
        return newest
    }

    /// Milliseconds until the callee may begin another attempt: whoever asks often is not served often.
    func pause(before cause: Cause, at now: Int64) -> Int64 {
        guard let begunAt, cause != .address else { return 0 }
        return max(0, begunAt + CallTiming.renewalInterval - now)
    }

    /// Whether another offer may be answered now (caller); counts it if so.
    mutating func takesOffer(at now: Int64) -> Bool {
        guard offersTakenAt.count(where: { now - $0 < 10_000 }) < Self.mostOffers else { return false }
        return takesWish(at: now)
    }

    /// Whether a new transport may be made now because the peer asks (callee) or offers it (caller); counts it if so.
    mutating func takesWish(at now: Int64) -> Bool {
        offersTakenAt.removeAll { now - $0 >= Self.longRun }
        guard offersTakenAt.count < Self.mostInLongRun else { return false }
        offersTakenAt.append(now)
        return true
    }

    /// The transport, in use or to be, that candidates of the peer belong to. Those without a fragment, and all of programs
    /// that have one transport only, are the first one's.
    func number(of candidates: [ICECandidate]) -> Int? {
        guard let fragment = candidates.first?.usernameFragment else { return inUse.number == 0 ? 0 : nil }
        if let attempt, attempt.peerFragment == fragment { return attempt.number }
        if inUse.number > 0 { return inUse.peerFragment == fragment ? inUse.number : nil }
        return 0
    }

    /// The own fragment of a transport whose description is out.
    func ownFragment(of number: Int) -> String? {
        if let attempt, attempt.number == number { return attempt.step == .making ? nil : attempt.ownFragment }
        return inUse.number == number ? inUse.ownFragment : nil
    }
}

/// What media is to do about a new transport; the number is the transport's.
public enum RenewalStep: Sendable, Equatable {
    /// Make one and its offer (callee).
    case makeOffer(Int)
    /// Make one and answer the peer's offer (caller).
    case makeAnswer(Int, to: SessionDescription, candidates: [ICECandidate])
    /// Apply the peer's answer (callee).
    case applyAnswer(Int, SessionDescription, candidates: [ICECandidate])
    /// Give it more candidates of the peer.
    case addCandidates(Int, [ICECandidate])
    /// Give up what has not taken over.
    case abandon(Int)
}
