import BaseKit
import Cryptography
import Signaling
import TestSupport

@testable import Calling

/// Two persons who call each other over an unreliable way, in simulated time, with all chance from one seed.
struct TwoPartyWorld {
    enum Happening {
        case arrive(CallMessage, at: Int)
        case fire(CallTimer, CallID, number: Int, at: Int)
        case media(MediaInput, CallID, session: Int, at: Int)
        case dial(at: Int)
        case decide(CallID, at: Int)
        case hangUp(at: Int)
    }

    struct Timer: Hashable {
        var callID: CallID
        var timer: CallTimer
    }

    struct Session {
        var owner: Int
        var callID: CallID
        var plan: MediaPlan
        var isOpen = true
        var peer: Int?
    }

    struct Party {
        var board = CallSwitchboard()
        var timers: [Timer: Int] = [:]
        var sessions: [CallID: Int] = [:]
        /// Calls the person dialled or accepted.
        var consented: Set<CallID> = []
        /// How calls ended here.
        var ends: [CallID: CallEndReason] = [:]
    }

    var generator: SeededGenerator
    let dropsPercent: Int
    let duplicatesPercent: Int
    let isOrdered: Bool
    var parties = [Party(), Party()]
    var sessions: [Session] = []
    var lastArrival = [at(0), at(0)]
    var faults: [String] = []
    var connections = 0
    private var queue = EventQueue<Happening>()

    var now: Instant { queue.now }
    /// What both sides' wall clocks show.
    var seconds: Int64 { now.sinceStart.components.seconds }

    static let contacts = [Samples.ada, Samples.bo]

    init(seed: UInt64, dropsPercent: Int, duplicatesPercent: Int, isOrdered: Bool) {
        generator = SeededGenerator(seed: seed)
        self.dropsPercent = dropsPercent
        self.duplicatesPercent = duplicatesPercent
        self.isOrdered = isOrdered
        // Half of the time both dial within a moment.
        schedule(.dial(at: 0), after: delay(0...200))
        if chance(50) { schedule(.dial(at: 1), after: delay(0...200)) }
        if chance(30) { schedule(.dial(at: random(0...1) == 0 ? 0 : 1), after: delay(1_000...90_000)) }
        for party in 0..<2 where chance(40) { schedule(.hangUp(at: party), after: delay(100...60_000)) }
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
    mutating func random(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &generator) }

    mutating func delay(_ milliseconds: ClosedRange<Int64>) -> Duration { .milliseconds(random(milliseconds)) }

    mutating func schedule(_ happening: Happening, after delay: Duration) { queue.schedule(happening, after: delay) }

    /// Lets everything happen that is to happen.
    mutating func run() {
        var steps = 0
        while let next = queue.next() {
            happen(next)
            steps += 1
            if steps > 5_000 { return faults.append("does not come to rest") }
        }
    }

    mutating func happen(_ happening: Happening) {
        switch happening {
        case .arrive(let message, let party):
            let actions = parties[party].board.receive(
                message, from: Self.contacts[1 - party], sentAt: seconds, at: now, wallClock: seconds)
            act(actions, party)
        case .fire(let timer, let callID, let number, let party):
            let key = Timer(callID: callID, timer: timer)
            guard parties[party].timers[key] == number else { return }
            parties[party].timers[key] = nil
            input(.clock(timer), callID, party)
        case .media(let media, let callID, let session, let party):
            guard parties[party].sessions[callID] == session else { return }
            input(.media(media), callID, party)
        case .dial(let party):
            let id = CallID(bytes: generator.bytes(16)) ?? Samples.middle
            parties[party].consented.insert(id)
            let keys = Samples.keys(UInt8.random(in: 1...200, using: &generator))
            let contact = Self.contacts[1 - party]
            let media: CallMedia = chance(50) ? .video : .audio
            if let actions = try? parties[party].board.dial(
                contact, media: media, callID: id, keys: keys, at: now, wallClock: seconds)
            {
                act(actions, party)
            }
        case .decide(let callID, let party):
            if chance(75) {
                parties[party].consented.insert(callID)
                let keys = Samples.keys(UInt8.random(in: 1...200, using: &generator))
                input(.person(.accept(chance(70) ? .video : .audio, keys: keys, clearMedia: false)), callID, party)
            } else if chance(60) {
                input(.person(.decline), callID, party)
            }
        case .hangUp(let party):
            for callID in parties[party].board.calls.keys { input(.person(.hangUp), callID, party) }
        }
    }

    mutating func input(_ input: CallInput, _ callID: CallID, _ party: Int) {
        act(parties[party].board.handle(input, for: callID, at: now), party)
    }

    mutating func act(_ actions: [CallAction], _ party: Int) {
        for action in actions { act(action.effect, action.callID, party) }
    }

    mutating func act(_ effect: CallEffect, _ callID: CallID, _ party: Int) {
        switch effect {
        case .send(let message): send(message, from: party, callID)
        case .startTimer(let timer, let time):
            if timer == .ringLimit { schedule(.decide(callID, at: party), after: delay(100...70_000)) }
            let number = queue.number()
            parties[party].timers[Timer(callID: callID, timer: timer)] = number
            schedule(.fire(timer, callID, number: number, at: party), after: time)
        case .stopTimer(let timer): parties[party].timers[Timer(callID: callID, timer: timer)] = nil
        case .openMedia, .media, .closeMedia:
            media(effect, callID, party)
        case .finished(let reason): parties[party].ends[callID] = reason
        case .record: break
        }
    }

    // MARK: The way between the two

    mutating func send(_ message: CallMessage, from party: Int, _ callID: CallID) {
        if case .invitation = message { input(.relay(.invitationTaken), callID, party) }
        guard !chance(dropsPercent) else { return }
        for _ in 0..<(chance(duplicatesPercent) ? 2 : 1) {
            var arrival = now + delay(10...(chance(10) ? 20_000 : 300))
            if isOrdered {
                arrival = max(arrival, lastArrival[party])
                lastArrival[party] = arrival
            }
            schedule(.arrive(message, at: 1 - party), after: arrival - now)
        }
    }

    // MARK: Media

    mutating func media(_ effect: CallEffect, _ callID: CallID, _ party: Int) {
        if case .openMedia(let plan) = effect {
            if !parties[party].consented.contains(callID) { faults.append("media without consent") }
            if plan.frameKey?.count != 32 { faults.append("media without key") }
            if parties[party].sessions[callID] != nil { faults.append("media opened twice") }
            sessions.append(Session(owner: party, callID: callID, plan: plan))
            parties[party].sessions[callID] = sessions.count - 1
            report(chance(3) ? .event(.failed(.sample)) : .opened, sessions.count - 1, after: delay(1...3_000))
            return
        }
        guard let session = parties[party].sessions[callID] else { return faults.append("work for closed media") }
        switch effect {
        case .media(.makeOffer):
            let offer = SessionDescription(kind: .offer, sdp: "\(session)")
            report(.offerMade(offer, []), session, after: delay(1...750))
            report(.event(.candidates([Samples.candidate(session)])), session, after: delay(1...2_000))
        case .media(.makeAnswer(let offer, _)):
            let answer = SessionDescription(kind: .answer, sdp: "\(session) \(offer.sdp)")
            report(.answerMade(answer, []), session, after: delay(1...750))
            report(.event(.candidates([Samples.candidate(session)])), session, after: delay(1...2_000))
        case .media(.applyAnswer(let answer, _)): connect(session, answer)
        case .closeMedia: close(session, callID, party)
        case .media(.addCandidates), .media(.renew), .media(.hold), .openMedia, .send, .startTimer, .stopTimer, .record,
            .finished:
            break
        }
    }

    mutating func report(_ input: MediaInput, _ session: Int, after delay: Duration) {
        schedule(.media(input, sessions[session].callID, session: session, at: sessions[session].owner), after: delay)
    }

    /// The offerer has the answer: if it is an answer to its own offer by a session that still lives, they connect.
    mutating func connect(_ session: Int, _ answer: SessionDescription) {
        let numbers = answer.sdp.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 2, numbers[1] == session, sessions.indices.contains(numbers[0]) else { return }
        let peer = numbers[0]
        guard sessions[peer].isOpen, sessions[session].isOpen else { return }
        if sessions[peer].plan.frameKey != sessions[session].plan.frameKey { faults.append("keys differ") }
        if sessions[peer].plan.role == sessions[session].plan.role { faults.append("roles are the same") }
        connections += 1
        sessions[peer].peer = session
        sessions[session].peer = peer
        for one in [session, peer] {
            report(.event(.iceConnected), one, after: .milliseconds(50))
            report(.event(.dtlsConnected), one, after: .milliseconds(100))
            report(.event(.fingerprintVerified), one, after: .milliseconds(101))
            if chance(10) { report(.event(.lost), one, after: .milliseconds(500)) }
            if chance(5) { report(.event(.recovered), one, after: .milliseconds(900)) }
        }
    }

    mutating func close(_ session: Int, _ callID: CallID, _ party: Int) {
        sessions[session].isOpen = false
        parties[party].sessions[callID] = nil
        if let peer = sessions[session].peer { report(.event(.lost), peer, after: .milliseconds(200)) }
    }

    // MARK: What has to hold at rest

    /// What is wrong with how the two stand to each other; empty if nothing is.
    var discord: [String] {
        let calls = parties.map { Array($0.board.calls.values) }
        var found = faults
        if calls.contains(where: { $0.count > 1 }) { found.append("two calls at once") }
        switch (calls[0].first, calls[1].first) {
        case (nil, nil):
            if sessions.contains(where: { $0.isOpen }) { found.append("media left open") }
        case (let one?, let other?):
            if one.stage != .acceptedByBothConnected || other.stage != .acceptedByBothConnected {
                found.append("at rest in \(one.stage) and \(other.stage)")
            }
            if one.wireID != other.wireID { found.append("in two calls") }
            if one.role == other.role { found.append("same role") }
            if one.frameKey != other.frameKey { found.append("different keys") }
        case (let one?, nil), (nil, let one?): found.append("one alone in \(one.stage)")
        }
        return found
    }
}
