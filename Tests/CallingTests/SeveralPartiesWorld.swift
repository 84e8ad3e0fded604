import BaseKit
import Signaling
import TestSupport

@testable import Calling

/// Two callers and one callee whose calls cross, wait, are held and swapped, while their processes die and their relays fail, in
/// simulated time, with all chance from one seed. Messages arrive in order and once, as the agent has it, but may take long, and a few are
/// given up. What each has on disk and what waits for it outlive its process.
struct SeveralPartiesWorld {
    private enum Happening {
        case act(Int)
        case read(Int)
        case decide(CallID, at: Int)
        case fire(CallTimer, CallID, number: Int, at: Int)
        case media(MediaInput, session: Int)
        case die(Int)
        case live(Int)
        case leaveAll(Int)
    }

    private struct Timer: Hashable {
        var callID: CallID
        var timer: CallTimer
    }

    private struct Session {
        var owner: Int
        var callID: CallID
        var plan: MediaPlan
        var isOpen = true
        var isHeld = false
        var peer: Int?
    }

    private struct Letter {
        var message: CallMessage
        var from: Int
        var sentAt: Int64
    }

    private struct Party {
        var board: CallSwitchboard?
        var stored: [KeptInvitation] = []
        var mailbox: [Letter] = []
        var hasCaughtUp = false
        var timers: [Timer: Int] = [:]
        var sessions: [CallID: Int] = [:]
        var arrival = at(0)
        // What its person has done, and been told.
        var dialled: [CallID: Int64] = [:]
        var accepted: Set<CallID> = []
        var declined: Set<CallID> = []
        var ended: Set<CallID> = []
        var entries: [CallLogEntry] = []
        var deaths = 0
    }

    /// What was seen in this world, so that a search can say that it has seen all of it.
    struct Sights {
        var holds = 0
        var swaps = 0
        var endsForAnother = 0
        var waits = 0
        var busy = 0
        var talks = 0
        var deaths = 0
        var entries = 0
    }

    private(set) var faults: [String] = []
    private(set) var sights = Sights()

    private var generator: SeededGenerator
    private var queue = EventQueue<Happening>()
    private var parties = [Party(), Party(), Party()]
    private var sessions: [Session] = []
    private var isEnding = false

    private static let callee = 0
    private static let contacts = ["Kim", "Ada", "Bo"].map { ContactID(rawValue: $0) }
    /// When everybody leaves, and how long that may take.
    private static let (length, rest): (Duration, Duration) = (.seconds(300), .seconds(200))

    private var now: Instant { queue.now }
    private var seconds: Int64 { 1_000_000 + now.sinceStart.components.seconds }

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        for party in 0..<3 {
            schedule(.live(party), after: .zero)
            let acts = Int.random(in: party == Self.callee ? 10...30 : 2...10, using: &generator)
            for _ in 0..<acts { schedule(.act(party), after: delay(0...200_000)) }
            // A short while after one another, too.
            schedule(.act(party), after: delay(0...5_000))
            if chance(25) { schedule(.die(party), after: delay(0...250_000)) }
            schedule(.leaveAll(party), after: Self.length)
        }
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    private mutating func delay(_ milliseconds: ClosedRange<Int>) -> Duration {
        .milliseconds(Int.random(in: milliseconds, using: &generator))
    }

    private mutating func schedule(_ happening: Happening, after delay: Duration) {
        queue.schedule(happening, after: delay)
    }

    /// Lets everything happen that is to happen.
    mutating func run() {
        var steps = 0
        while let next = queue.next() {
            happen(next)
            steps += 1
            if steps > 20_000 { return faults.append("does not come to rest") }
        }
        if now.sinceStart > Self.length + Self.rest { faults.append("takes until \(now.sinceStart)") }
        for party in parties.indices { checkRest(of: party) }
        for party in parties.indices { checkEntries(of: party) }
        if sessions.contains(where: \.isOpen) { faults.append("media left open") }
    }

    private mutating func happen(_ happening: Happening) {
        switch happening {
        case .act(let party): act(party)
        case .decide(let callID, let party): decide(callID, party)
        case .read(let party): read(party)
        case .fire(let timer, let callID, let number, let party):
            let key = Timer(callID: callID, timer: timer)
            guard parties[party].timers[key] == number else { return }
            parties[party].timers[key] = nil
            step(party) { board, now, _ in board.handle(.clock(timer), for: callID, at: now) }
        case .media(let input, let number):
            let session = sessions[number]
            guard parties[session.owner].sessions[session.callID] == number else { return }
            step(session.owner) { board, now, _ in board.handle(.media(input), for: session.callID, at: now) }
        case .die(let party): die(party)
        case .live(let party): live(party)
        case .leaveAll(let party):
            isEnding = true
            for callID in calls(of: party).keys { hangUp(callID, party) }
        }
    }

    private func calls(of party: Int) -> [CallID: CallMachine] { parties[party].board?.calls ?? [:] }

    // MARK: The persons

    private mutating func act(_ party: Int) {
        guard parties[party].board != nil, !isEnding else { return }
        let calls = calls(of: party)
        let on = calls.values.filter { $0.canBeHeld }.map(\.callID).sorted()
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<8: dial(party)
        case 8..<15:
            guard let callID = on.randomElement(using: &generator) else { return dial(party) }
            let isHeld = calls[callID]?.attention.hold.isHeldHere == true
            if isHeld, calls.values.contains(where: \.isActive) { sights.swaps += 1 }
            step(party) { board, now, _ in
                (isHeld ? try? board.resume(callID, at: now) : try? board.hold(callID, at: now)) ?? []
            }
            sights.holds += 1
        case 15:
            step(party) { board, _, _ in
                board.isBusy.toggle()
                return []
            }
        default:
            guard let callID = calls.keys.sorted().randomElement(using: &generator) else { return }
            hangUp(callID, party)
        }
    }

    private mutating func dial(_ party: Int) {
        guard let id = CallID(bytes: generator.bytes(16)) else { return }
        let others = party == Self.callee ? [1, 2] : [Self.callee]
        let contact = Self.contacts[others.randomElement(using: &generator) ?? 1]
        let keys = Samples.keys(UInt8.random(in: 1...200, using: &generator))
        let present = choice()
        let ended = present == .end ? active(party) : nil
        var isDialled = false
        step(party) { board, now, seconds in
            guard
                let actions = try? board.dial(
                    contact, media: .video, callID: id, keys: keys, present: present, at: now, wallClock: seconds)
            else { return [] }
            isDialled = true
            return actions
        } before: { world in
            // Known before any of it happens.
            world.parties[party].dialled[id] = world.seconds
            if let ended { world.parties[party].ended.insert(ended) }
        }
        if !isDialled {
            parties[party].dialled[id] = nil
            if let ended { parties[party].ended.remove(ended) }
        }
    }

    private mutating func choice() -> PresentCall? { [.hold, .end, nil].randomElement(using: &generator) ?? nil }

    private func active(_ party: Int) -> CallID? { calls(of: party).values.first { $0.isActive }?.callID }

    private mutating func decide(_ callID: CallID, _ party: Int) {
        guard let update = calls(of: party)[callID]?.update, update.isRinging, !isEnding else { return }
        if update.isWaiting { sights.waits += 1 }
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<7:
            let present = choice()
            let ended = present == .end ? active(party) : nil
            let keys = Samples.keys(UInt8.random(in: 1...200, using: &generator))
            let isPossible = active(party) == nil || present == .end || (present == .hold && canHold(party))
            guard isPossible else { return }
            if ended != nil { sights.endsForAnother += 1 }
            step(party) { board, now, _ in
                (try? board.accept(
                    callID, media: .video, keys: keys, clearMedia: false, present: present, at: now)) ?? []
            } before: { world in
                world.parties[party].accepted.insert(callID)
                if let ended { world.parties[party].ended.insert(ended) }
            }
        case 7:
            parties[party].declined.insert(callID)
            step(party) { board, now, _ in board.handle(.person(.decline), for: callID, at: now) }
        case 8: step(party) { board, now, _ in board.handle(.person(.ignore), for: callID, at: now) }
        default: break
        }
    }

    private func canHold(_ party: Int) -> Bool {
        active(party).map { calls(of: party)[$0]?.canBeHeld == true } ?? true
    }

    private mutating func hangUp(_ callID: CallID, _ party: Int) {
        // One that rings is declined by it.
        if calls(of: party)[callID]?.stage == .ringingWithoutConsent {
            parties[party].declined.insert(callID)
        } else {
            parties[party].ended.insert(callID)
        }
        step(party) { board, now, _ in board.handle(.person(.hangUp), for: callID, at: now) }
    }

    // MARK: The processes

    private mutating func die(_ party: Int) {
        guard parties[party].board != nil, !isEnding else { return }
        sights.deaths += 1
        parties[party].deaths += 1
        parties[party].board = nil
        parties[party].timers = [:]
        for number in parties[party].sessions.values { cut(number) }
        parties[party].sessions = [:]
        schedule(.live(party), after: delay(0...30_000))
    }

    private mutating func live(_ party: Int) {
        guard parties[party].board == nil else { return }
        var board = CallSwitchboard()
        // All three are Parleys, but one does not say so.
        for (number, contact) in Self.contacts.enumerated() where number != 2 {
            board.setAbilities(.own, for: contact)
        }
        parties[party].board = board
        parties[party].hasCaughtUp = false
        let stored = parties[party].stored
        step(party) { board, now, seconds in board.restore(stored, at: now, wallClock: seconds) }
        schedule(.read(party), after: delay(1...3_000))
    }

    private mutating func read(_ party: Int) {
        guard parties[party].board != nil else { return }
        guard let letter = parties[party].mailbox.first else {
            parties[party].hasCaughtUp = true
            for contact in Self.contacts {
                step(party) { board, now, seconds in board.caughtUp(with: contact, at: now, wallClock: seconds) }
            }
            return
        }
        let isLive = parties[party].hasCaughtUp
        step(party) { board, now, seconds in
            board.receive(
                letter.message, from: Self.contacts[letter.from], sentAt: letter.sentAt, isLive: isLive, at: now,
                wallClock: seconds)
        }
        parties[party].mailbox.removeFirst()
        schedule(.read(party), after: delay(1...100))
    }

    // MARK: What they do

    private mutating func step(
        _ party: Int, _ body: (inout CallSwitchboard, Instant, Int64) -> [CallAction],
        before: (inout SeveralPartiesWorld) -> Void = { _ in }
    ) {
        before(&self)
        guard var board = parties[party].board else { return }
        let actions = body(&board, now, seconds)
        parties[party].board = board
        parties[party].stored = board.kept
        for action in actions { perform(action.effect, action.callID, action.contact, party) }
        check(party)
    }

    private mutating func perform(_ effect: CallEffect, _ callID: CallID, _ contact: ContactID, _ party: Int) {
        switch effect {
        case .send(let message): send(message, callID, from: party, to: contact)
        case .startTimer(let timer, let time):
            if timer == .ringLimit, calls(of: party)[callID] != nil {
                schedule(.decide(callID, at: party), after: delay(100...70_000))
            }
            let number = queue.number()
            parties[party].timers[Timer(callID: callID, timer: timer)] = number
            schedule(.fire(timer, callID, number: number, at: party), after: time)
        case .stopTimer(let timer): parties[party].timers[Timer(callID: callID, timer: timer)] = nil
        case .openMedia, .media, .closeMedia: media(effect, callID, party)
        case .record(let entry):
            parties[party].entries.append(entry)
            sights.entries += 1
            if entry.reason == .peerBusy { sights.busy += 1 }
            if entry.duration != nil { sights.talks += 1 }
        case .finished: break
        }
    }

    private mutating func send(_ message: CallMessage, _ callID: CallID, from party: Int, to contact: ContactID) {
        guard let other = Self.contacts.firstIndex(of: contact) else { return }
        if case .standing = message, other == 2 { faults.append("told what it does not understand") }
        if message.isNeeded, chance(1) {
            return step(party) { board, now, _ in board.handle(.relay(.sendingFailed), for: callID, at: now) }
        }
        if case .invitation = message {
            step(party) { board, now, _ in board.handle(.relay(.invitationTaken), for: callID, at: now) }
        }
        let arrival = max(parties[other].arrival, now + delay(10...(chance(5) ? 20_000 : 300)))
        parties[other].arrival = arrival
        parties[other].mailbox.append(Letter(message: message, from: party, sentAt: seconds))
        schedule(.read(other), after: arrival - now)
    }

    // MARK: Media

    private mutating func media(_ effect: CallEffect, _ callID: CallID, _ party: Int) {
        if case .openMedia(let plan) = effect {
            if parties[party].dialled[callID] == nil, !parties[party].accepted.contains(callID) {
                faults.append("media without consent")
            }
            sessions.append(Session(owner: party, callID: callID, plan: plan))
            parties[party].sessions[callID] = sessions.count - 1
            return report(chance(1) ? .event(.failed(.sample)) : .opened, sessions.count - 1, after: delay(1...2_000))
        }
        guard let number = parties[party].sessions[callID] else { return faults.append("work for closed media") }
        switch effect {
        case .media(.makeOffer):
            report(
                .offerMade(SessionDescription(kind: .offer, sdp: "\(number)"), []), number, after: delay(1...500))
        case .media(.makeAnswer(let offer, _)):
            let answer = SessionDescription(kind: .answer, sdp: "\(number) \(offer.sdp)")
            report(.answerMade(answer, []), number, after: delay(1...500))
        case .media(.applyAnswer(let answer, _)): connect(number, answer)
        case .media(.hold(let isHeld)):
            if sessions[number].isHeld == isHeld { faults.append("held or resumed twice") }
            sessions[number].isHeld = isHeld
        case .closeMedia:
            parties[party].sessions[callID] = nil
            cut(number)
        default: break
        }
    }

    private mutating func report(_ input: MediaInput, _ number: Int, after delay: Duration) {
        schedule(.media(input, session: number), after: delay)
    }

    private mutating func connect(_ number: Int, _ answer: SessionDescription) {
        let numbers = answer.sdp.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 2, numbers[1] == number, sessions[numbers[0]].isOpen else { return }
        let peer = numbers[0]
        if sessions[peer].plan.frameKey != sessions[number].plan.frameKey { faults.append("keys differ") }
        sessions[peer].peer = number
        sessions[number].peer = peer
        for one in [number, peer] {
            report(.event(.dtlsConnected), one, after: .milliseconds(100))
            report(.event(.fingerprintVerified), one, after: .milliseconds(101))
            if chance(10) { report(.event(.lost), one, after: delay(500...30_000)) }
            if chance(8) { report(.event(.recovered), one, after: delay(1_000...35_000)) }
        }
    }

    /// Its end is gone; the other end notices after a while.
    private mutating func cut(_ number: Int) {
        sessions[number].isOpen = false
        if let peer = sessions[number].peer { report(.event(.lost), peer, after: .seconds(4)) }
    }

    // MARK: What has to hold

    private mutating func check(_ party: Int) {
        let calls = calls(of: party).values
        if calls.filter(\.isActive).count > 1 { faults.append("\(party) takes part in two calls") }
        let heard = parties[party].sessions.values.filter { !sessions[$0].isHeld }
        if heard.count > 1 { faults.append("\(party) has the media of two calls") }
        let rings = calls.filter { $0.update.isRinging && !$0.update.isWaiting }
        if rings.count > 1 || (!rings.isEmpty && calls.contains(where: \.isActive)) {
            faults.append("\(party) is rung over another call")
        }
        for call in calls where call.isMediaOpen && call.attention.hold.isHeldHere {
            if parties[party].sessions[call.callID].map({ sessions[$0].isHeld }) != true {
                faults.append("\(party) is heard in a call on hold")
            }
        }
        if Set(calls.map(\.contact)).count != calls.count { faults.append("\(party) has two calls with one contact") }
    }

    private mutating func checkRest(of party: Int) {
        if !calls(of: party).isEmpty { faults.append("\(party) is stuck in \(calls(of: party).values.map(\.stage))") }
        if !parties[party].stored.isEmpty { faults.append("\(party) has an invitation left") }
        if !parties[party].timers.isEmpty { faults.append("\(party) has a clock left") }
    }

    /// Each entry is one that its person would make, and there is one for each call they had.
    private mutating func checkEntries(of number: Int) {
        let party = parties[number]
        var seen: Set<CallID> = []
        for entry in party.entries {
            let fault = "\(number): \(entry.reason) of \(entry.callID)"
            if !seen.insert(entry.callID).inserted { faults.append("\(fault) is there twice") }
            let isOwn = party.dialled[entry.callID] != nil
            if (entry.direction == .outgoing) != isOwn { faults.append("\(fault): direction") }
            if isOwn, party.dialled[entry.callID] != entry.startedAt { faults.append("\(fault): time") }
            if party.declined.contains(entry.callID) != (entry.reason == .declined) {
                faults.append("\(fault): declined")
            }
            if [.hungUp, .cancelled].contains(entry.reason), !party.ended.contains(entry.callID) {
                faults.append("\(fault): nobody hung up")
            }
            if [.missed, .missedWhileBusy, .missedInBusyMode].contains(entry.reason),
                isOwn || party.accepted.contains(entry.callID) || entry.duration != nil
            {
                faults.append("\(fault): was not missed")
            }
            if entry.duration != nil, !isOwn, !party.accepted.contains(entry.callID) {
                faults.append("\(fault): duration")
            }
            if let other = Self.contacts.firstIndex(of: entry.contact) { checkPeer(entry, fault, parties[other]) }
        }
        guard party.deaths == 0 else { return }
        for callID in Set(party.dialled.keys).union(party.accepted).union(party.declined) where !seen.contains(callID) {
            faults.append("\(number): no entry of \(callID)")
        }
    }

    /// What an entry says of the other person is what they did.
    private mutating func checkPeer(_ entry: CallLogEntry, _ fault: String, _ peer: Party) {
        guard peer.deaths == 0 else { return }
        let reasons = Set(peer.entries.map(\.reason))
        switch entry.reason {
        case .peerBusy:
            if reasons.isDisjoint(with: [.missedWhileBusy, .missedInBusyMode]) {
                faults.append("\(fault): was not busy")
            }
        case .declinedByPeer:
            if peer.declined.isEmpty, peer.ended.isEmpty, reasons.isDisjoint(with: [.signalingFailed, .replaced]) {
                faults.append("\(fault): nobody declined")
            }
        case .contactGone, .notPermitted, .encryptionRefused, .keyAgreementFailed, .fingerprintMismatch,
            .encryptionRefusedByPeer, .keyAgreementFailedAtPeer:
            faults.append("\(fault): can't be")
        default: break
        }
    }
}
