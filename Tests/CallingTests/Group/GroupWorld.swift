import BaseKit
import Cryptography
import Signaling
import TestSupport

@testable import Calling

/// Some people, their processes and what lies between them, for as long as a call of several takes. Everything follows from the seed.
struct GroupWorld {
    enum Happening {
        case act(Int)
        case decide(Int)
        case fire(GroupTimer, Int, Int)
        case input(GroupCallInput, Int, life: Int)
        case deliver(GroupMessage, from: Int, to: Int, GroupPeer, number: Int, life: Int)
        case die(Int)
        case live(Int, Bool)
        case cut(Int)
        case mend(Int)
        case comeBack(Int)
        case silence(Int, MemberNumber, session: Int)
        case joined(GroupLink, by: Int, life: Int)
        case lookIntoRooms
        case lock(GroupRoom, staying: Set<MemberNumber>, by: Int, life: Int)
        case server(isUp: Bool, losesRooms: Bool)
        case calm
    }

    struct Person {
        var machine: GroupCallMachine?
        var isAlive = true
        var life = 0
        var kept: KeptGroupCall?
        var timers: [GroupTimer: Int] = [:]
        var keys: [MemberNumber: GroupKey] = [:]
        var reason: GroupCallEndReason?
        var isOver = false
        var hasConsented = false
        var mailbox: [Happening] = []
        var changingSince: Instant?
        /// What it knows of the room it was in last.
        var room: GroupRoom?
    }

    private(set) var faults: [String] = []
    private(set) var sights = SimulatedSights()
    private var people: [Person]
    private var numbers: [MemberNumber: Int] = [.first: 0]
    private var queue = EventQueue<Happening>()
    private var generator: SeededGenerator
    private var keys: GroupKeyWatch
    private var lines = SimulatedLines()
    private var paths: SimulatedPaths
    private var rooms = SimulatedRooms()
    /// Who was put out by whom, in which of its lives.
    private var puttingOut: [MemberNumber: (by: Int, life: Int)] = [:]
    private var arrivals: [String: Instant] = [:]
    private var isCalm = false
    /// Whether the whole story is printed.
    var isLogging = false
    private let mix: SimulatedMix
    private let flaw: SimulatedFlaw?
    private let callID: CallID

    init(seed: UInt64, mix: SimulatedMix, flaw: SimulatedFlaw? = nil) {
        self.mix = mix
        self.flaw = flaw
        generator = SeededGenerator(seed: seed)
        callID = CallID(bytes: generator.bytes(16)) ?? .random()
        keys = GroupKeyWatch(call: callID)
        people = Array(repeating: Person(), count: mix.people)
        paths = SimulatedPaths(people: mix.people)
        begin()
        for _ in 0..<Int.random(in: 2...10, using: &generator) {
            queue.schedule(.act(Int.random(in: 0..<mix.people, using: &generator)), after: delay(2_000...180_000))
        }
        for person in people.indices {
            if chance(mix.deathPercent) { queue.schedule(.die(person), after: delay(1_000...180_000)) }
            if chance(mix.cutPercent) { queue.schedule(.cut(person), after: delay(1_000...180_000)) }
        }
        for _ in 0..<4 where chance(mix.serverPercent) {
            queue.schedule(.server(isUp: false, losesRooms: chance(50)), after: delay(5_000...180_000))
        }
        queue.schedule(.calm, after: .seconds(240))
    }

    // MARK: Chance

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    private mutating func delay(_ range: ClosedRange<Int>) -> Duration {
        .milliseconds(Int.random(in: range, using: &generator))
    }

    private mutating func isLost() -> Bool { !isCalm && chance(mix.lossPercent) }

    /// Secrets for one machine, which no other one has.
    private mutating func random() -> @Sendable (Int) -> SecretBytes {
        let source = SeededSource(seed: generator.next())
        return { SecretBytes(source.bytes($0)) }
    }

    private static func contact(_ person: Int) -> ContactID { ContactID(rawValue: "P\(person)") }
    private static func person(_ contact: ContactID) -> Int { Int(contact.rawValue.dropFirst()) ?? 0 }
    private static func name(_ person: Int) -> MemberName {
        MemberName(parsing: "Person \(person)") ?? GroupSamples.name
    }

    // MARK: What happens

    private mutating func begin() {
        let guests = Array(1..<mix.people).shuffled(using: &generator).prefix(
            Int.random(in: 1...min(mix.people, mix.server == .never ? mix.capacity : 8) - 1, using: &generator))
        let contacts = guests.map { (contact: Self.contact($0), name: Self.name($0)) }
        people[0].hasConsented = true
        guard
            let (machine, effects) = try? GroupCallMachine.call(
                contacts, as: Self.name(0), media: .video, callID: callID, server: mix.server, capacity: mix.capacity,
                at: queue.now, random: random())
        else { return faults.append("nobody can be called") }
        people[0].machine = machine
        perform(effects, 0)
    }

    /// Lets everything happen that is to happen.
    mutating func run() {
        var steps = 0
        while let next = queue.next() {
            happen(next)
            steps += 1
            if steps > 60_000 || !faults.isEmpty { break }
        }
        if steps > 60_000 { faults.append("does not come to rest: \(standings)") }
        if faults.isEmpty { checkRest() }
    }

    private mutating func happen(_ happening: Happening) {
        switch happening {
        case .act(let person): act(person)
        case .decide(let person): decide(person)
        case .fire(let timer, let number, let person):
            guard people[person].timers[timer] == number else { return }
            people[person].timers[timer] = nil
            if flaw == .waitsForReceipts, timer == .rotation { return }
            if flaw == .staysAlone, timer == .alone || timer == .returning { return }
            step(person, .clock(timer))
        case .input(let input, let person, let life):
            if people[person].life == life, people[person].isAlive { step(person, input) }
        case .deliver(let message, let from, let to, let peer, let number, let life):
            deliver(message, from, to, peer, number, life)
        case .die(let person): die(person)
        case .live(let person, let comesBack):
            people[person].isAlive = true
            if comesBack { comeBack(person) }
            let mailbox = people[person].mailbox
            people[person].mailbox = []
            for letter in mailbox { happen(letter) }
        case .comeBack(let person): if people[person].machine == nil || people[person].isOver { comeBack(person) }
        case .cut(let person): cut(person)
        case .mend(let person): mend(person)
        case .silence(let person, let member, let session): silence(person, member, session)
        case .joined(let link, let person, let life): joined(link, person, life)
        case .lookIntoRooms: lookIntoRooms()
        case .lock(let room, let members, let person, let life): lock(room, staying: members, by: person, life)
        case .server(let isUp, let losesRooms):
            if isUp { rooms.comeUp() } else { rooms.goDown(losesRooms: losesRooms) }
            roomsChange()
            if !isUp {
                sights.outages += 1
                queue.schedule(.server(isUp: true, losesRooms: false), after: delay(1_000...40_000))
            }
        case .calm:
            isCalm = true
            for person in people.indices where paths.isCut(person) { mend(person) }
        }
    }

    private mutating func step(_ person: Int, _ input: GroupCallInput) {
        guard var machine = people[person].machine else { return }
        if isLogging { print("\(queue.now.sinceStart) \(person): \(input)") }
        let wasHost = machine.roster.isHost
        let effects = machine.handle(input, at: queue.now)
        people[person].machine = machine
        if !wasHost, machine.roster.isHost { sights.successions += 1 }
        perform(effects, person)
        if let kept = machine.kept { people[person].kept = kept }
        checkRotation(person, machine)
    }

    /// A new key is in use after a second at the latest.
    private mutating func checkRotation(_ person: Int, _ machine: GroupCallMachine) {
        guard machine.keys.isChanging else {
            people[person].changingSince = nil
            return
        }
        let since = people[person].changingSince ?? queue.now
        people[person].changingSince = since
        if queue.now - since > .milliseconds(1_001) { faults.append("\(person) goes on with an old key") }
    }

    private mutating func act(_ person: Int) {
        guard !isCalm, people[person].isAlive, let machine = people[person].machine, machine.stage.hasLocalConsent
        else { return }
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<5:
            let free = people.indices.filter { people[$0].machine == nil || people[$0].isOver }
            guard let guest = free.randomElement(using: &generator) else { return }
            var next = machine
            guard let effects = try? next.invite(Self.contact(guest), as: Self.name(guest), at: queue.now) else {
                return
            }
            let (list, base) = (machine.roster.list, GroupTiming.meshCapacity)
            let isCrowded = list.members.count(where: { $0.standing.isPresent }) >= base
            if isCrowded, list.route == .mesh, mix.capacity == base, !machine.roster.isHost { sights.fifths += 1 }
            people[person].machine = next
            perform(effects, person)
        case 5..<7: step(person, .person(.hangUp))
        case 7..<9:
            guard machine.roster.isHost, let member = machine.roster.present.randomElement(using: &generator) else {
                return
            }
            sights.removals += 1
            puttingOut[member] = (person, people[person].life)
            step(person, .person(.remove(member)))
        default: step(person, .person(.show(GroupState(hand: true))))
        }
    }

    private mutating func decide(_ person: Int) {
        guard people[person].isAlive, people[person].machine?.stage == .ringingWithoutConsent else { return }
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<8:
            people[person].hasConsented = true
            sights.joins += 1
            step(person, .person(.accept(.video)))
        case 8: step(person, .person(.decline))
        default: break
        }
    }

    private mutating func die(_ person: Int) {
        guard !isCalm, people[person].isAlive else { return }
        sights.deaths += 1
        let wasIn = people[person].machine?.stage.hasLocalConsent == true
        lose(person)
        people[person].isAlive = false
        queue.schedule(.live(person, wasIn && chance(70)), after: delay(500...60_000))
    }

    /// The process of a person loses all it had in memory.
    private mutating func lose(_ person: Int) {
        people[person].machine = nil
        people[person].life += 1
        people[person].timers = [:]
        closeSessions(person)
        rooms.leave(person)
        roomsChange()
        people[person].keys = [:]
        people[person].changingSince = nil
        people[person].hasConsented = false
    }

    private mutating func comeBack(_ person: Int) {
        guard !isCalm, people[person].isAlive, let kept = people[person].kept else { return }
        sights.returns += 1
        lose(person)
        (people[person].isOver, people[person].hasConsented) = (false, true)
        let (machine, effects) = GroupCallMachine.comeBack(
            kept, server: mix.server, capacity: mix.capacity, at: queue.now, random: random())
        people[person].machine = machine
        perform(effects, person)
    }

    // MARK: Messages

    private mutating func deliver(
        _ message: GroupMessage, _ from: Int, _ to: Int, _ peer: GroupPeer, _ number: Int, _ life: Int
    ) {
        guard people[to].isAlive else {
            // It waits at the relay.
            return people[to].mailbox.append(.deliver(message, from: from, to: to, peer, number: number, life: life))
        }
        sights.messages += 1
        if !isLost() {
            queue.schedule(.input(.receipt(number), from, life: life), after: delay(10...mix.slowestMessage))
        }
        if case .invitation(let invitation) = message, people[to].machine == nil || people[to].isOver {
            if case .contact(let contact) = peer { ring(to, contact, invitation) }
            return
        }
        if flaw == .ignoresLists, case .roster(let list) = message, to % 2 == 1, list.number > 4 { return }
        if flaw == .losesLines, case .line(let line) = message, line.maker.value % 2 == 0 { return }
        step(to, .peer(message, from: peer))
        // What a line is greeted with proves who is there.
        if mix.knowEachOther, case .hello(let hello) = message, case .line = peer, numbers[hello.member] == from {
            sights.recognitions += 1
            step(to, .line(hello.member, .recognised(Self.contact(from))))
        }
    }

    private mutating func ring(_ person: Int, _ contact: ContactID, _ invitation: GroupInvitation) {
        lose(person)
        people[person].isOver = false
        let (machine, effects) = GroupCallMachine.ring(
            contact, invitation: invitation, as: Self.name(person), callID: callID, server: mix.server,
            capacity: mix.capacity, at: queue.now, random: random())
        people[person].machine = machine
        perform(effects + (flaw == .opensEarly ? [.openMedia(.video)] : []), person)
        queue.schedule(.decide(person), after: delay(500...20_000))
    }

    private mutating func send(_ message: GroupMessage, _ from: Int, _ peer: GroupPeer, _ number: Int) {
        guard let machine = people[from].machine else { return }
        let to: Int
        let back: GroupPeer
        switch peer {
        case .contact(let contact): (to, back) = (Self.person(contact), .contact(Self.contact(from)))
        case .line(let member):
            guard let person = numbers[member] else { return faults.append("a line to nobody") }
            (to, back) = (person, .line(machine.roster.own))
        }
        if case .invitation(let invitation) = message {
            numbers[invitation.own] = to
            queue.schedule(.input(.taken(number), from, life: people[from].life), after: .milliseconds(5))
        }
        if case .key(let key) = message, let fault = keys.gives(key, from: from, to: to) { faults.append(fault) }
        guard !isLost() else { return }
        // In order on each way, and every way by itself.
        let way = "\(from) \(to) \(back)"
        let arrival = max(queue.now + delay(5...mix.slowestMessage), arrivals[way] ?? queue.now)
        arrivals[way] = arrival
        queue.schedule(
            .deliver(message, from: from, to: to, back, number: number, life: people[from].life),
            after: arrival - queue.now)
    }

    // MARK: Effects

    private mutating func perform(_ effects: [GroupCallEffect], _ person: Int) {
        for effect in effects {
            if isLogging { print("      -> \(effect)") }
            if effect.needsConsent, !people[person].hasConsented { faults.append("\(person) opens without consent") }
            if people[person].isOver { faults.append("something follows the end of \(person)") }
            perform(effect, person)
        }
    }

    private mutating func perform(_ effect: GroupCallEffect, _ person: Int) {
        let life = people[person].life
        switch effect {
        case .send(var message, let peer, let number):
            if flaw == .forgetsStep, case .key(let key) = message, key.step > 0, let used = keys.current(of: person),
                used.epoch == key.epoch
            {
                message = .key(used)
            }
            send(message, person, peer, number)
        case .makeLine(let member):
            let text = "simplex:/\(queue.number())"
            guard !isLost(), let link = GroupLink(parsing: text) else {
                return queue.schedule(.input(.line(member, .failed), person, life: life), after: delay(10...3_000))
            }
            lines.made(link, by: person, for: member)
            queue.schedule(.input(.line(member, .made(link)), person, life: life), after: delay(10...600))
        case .joinLine(_, let link):
            if !isLost() { queue.schedule(.joined(link, by: person, life: life), after: delay(50...900)) }
        case .closeLine(let member): for end in lines.close(person, member) { tell(.failed, end.person, end.member) }
        case .openMedia, .addCandidates, .renewToken, .tellNotInvited, .record: break
        case .closeMedia:
            closeSessions(person)
            rooms.leave(person)
            roomsChange()
        case .makeRoom(let number): makeRoom(number, person)
        case .enterRoom(let room):
            people[person].room = room
            rooms.enter(person, room, as: people[person].machine?.roster.own ?? .first)
            roomsChange()
        case .useAccess(let room): people[person].room = room
        case .lockRoom(let room, let members):
            if flaw == .leavesRoomsOpen { return }
            queue.schedule(.lock(room, staying: members, by: person, life: life), after: delay(20...1_000))
        case .leaveRoom(let room):
            rooms.leave(person)
            if room.secret != nil { rooms.close(room) }
            roomsChange()
        case .openPath(let member, let number, let role): openPath(person, member, number, role)
        case .answerPath(let member, let number, let answer):
            // An answer to another life's offer: nothing is ever to come to this.
            switch paths.connect(person, member, number, answer) {
            case true?: meet(person, member)
            case false?: faults.append("\(person) takes a foreign answer")
            case nil: break
            }
        case .closePath(let member): closeSession(person, member)
        case .useKey(let key):
            if flaw == .keepsKey, key.epoch > 0, keys.current(of: person) != nil { return }
            keys.uses(key, by: person)
        case .useMemberKey(let member, let key):
            people[person].keys[member] = key
            roomsChange()
        case .dropKeys(let member):
            people[person].keys[member] = nil
            rooms.deafen(person, to: member)
        case .startTimer(let timer, let time):
            let number = queue.number()
            people[person].timers[timer] = number
            queue.schedule(.fire(timer, number, person), after: time)
        case .stopTimer(let timer): people[person].timers[timer] = nil
        case .finished(let reason):
            people[person].isOver = true
            people[person].reason = reason
            if let timer = people[person].timers.keys.first { faults.append("\(timer) of \(person) runs on") }
            if reason == .hungUp, chance(30) { queue.schedule(.comeBack(person), after: delay(1_000...60_000)) }
            if reason != .hungUp { people[person].kept = nil }
        }
    }

    /// A link was opened: both sides are connected and told a little later, unless the maker has deleted it.
    private mutating func joined(_ link: GroupLink, _ person: Int, _ life: Int) {
        guard people[person].life == life, let open = lines.offer(link), numbers[open.member] == person,
            let number = people[open.maker].machine?.roster.own
        else { return }
        lines.joined(link, by: person, as: number)
        tell(.up, person, number)
        tell(.up, open.maker, open.member)
    }

    private mutating func tell(_ event: GroupLineInput, _ person: Int, _ member: MemberNumber) {
        queue.schedule(.input(.line(member, event), person, life: people[person].life), after: .milliseconds(100))
    }

    // MARK: Paths

    private mutating func openPath(_ person: Int, _ member: MemberNumber, _ number: Int, _ role: GroupPathRole) {
        closeSession(person, member)
        let description = paths.open(person, member, number, role, id: queue.number())
        queue.schedule(
            .input(.path(member, number, .described(description, [])), person, life: people[person].life),
            after: delay(5...100))
    }

    /// Both ends hear each other where they belong together and nobody is cut off.
    private mutating func meet(_ person: Int, _ member: MemberNumber) {
        guard let other = numbers[member], let own = people[person].machine?.roster.own,
            let ends = paths.meet(person, member, other, own)
        else { return }
        sights.talks += 1
        for end in ends {
            queue.schedule(
                .input(.path(end.member, end.number, .heard), end.person, life: people[end.person].life),
                after: delay(20...300))
        }
    }

    private mutating func closeSession(_ person: Int, _ member: MemberNumber) {
        fallSilent(paths.close(person, member, numbers[member]))
    }

    private mutating func closeSessions(_ person: Int) {
        for member in paths.members(of: person) { closeSession(person, member) }
    }

    /// Nothing comes any more, which is noticed after four seconds.
    private mutating func fallSilent(_ ends: [SimulatedPaths.End]) {
        for end in ends {
            queue.schedule(.silence(end.person, end.member, session: end.session), after: .seconds(4))
        }
    }

    private mutating func silence(_ person: Int, _ member: MemberNumber, _ id: Int) {
        guard let number = paths.isSilent(person, member, id, numbers[member]) else { return }
        step(person, .path(member, number, .silent))
    }

    // MARK: Rooms

    private mutating func makeRoom(_ number: Int, _ person: Int) {
        let id = queue.number() + 1
        let life = people[person].life
        let input: GroupRoomInput
        let room = GroupRoom(
            number: number, address: "wss://a", room: id, pin: SecretText("pin \(id)"), feeds: GroupSamples.secret(1),
            secret: SecretText("secret \(id)"))
        if !paths.isCut(person), rooms.make(room) {
            sights.rooms += 1
            input = .made(room)
        } else {
            input = .failed
        }
        queue.schedule(.input(.room(number, input), person, life: life), after: delay(50...2_000))
    }

    private mutating func lock(_ room: GroupRoom, staying members: Set<MemberNumber>, by person: Int, _ life: Int) {
        guard people[person].life == life, people[person].isAlive else { return }
        let id = queue.number()
        let (pin, secret) = (SecretText("pin \(id)"), SecretText("secret \(id)"))
        let isLocked = !paths.isCut(person) && rooms.lock(room, pin: pin, secret: secret, staying: members)
        roomsChange()
        let input = isLocked ? GroupRoomInput.locked(pin: pin, secret: secret) : .notLocked
        queue.schedule(.input(.room(room.number, input), person, life: life), after: delay(20...1_000))
    }

    /// Something is noticed soon, and the rest when nothing has come for long.
    private mutating func roomsChange() {
        for time in [delay(20...300), .milliseconds(4_400)] { queue.schedule(.lookIntoRooms, after: time) }
    }

    private mutating func lookIntoRooms() {
        let news = rooms.look(
            now: queue.now, isCut: { paths.isCut($0) }, opens: { people[$0].keys[$1] != nil })
        for (person, room, input) in news { step(person, .room(room, input)) }
        // Whoever has come in is heard by the others the next time.
        if !news.isEmpty { roomsChange() }
    }

    private mutating func cut(_ person: Int) {
        guard !isCalm else { return }
        roomsChange()
        fallSilent(paths.cut(person, numbers))
        queue.schedule(.mend(person), after: delay(1_000...70_000))
    }

    private mutating func mend(_ person: Int) {
        paths.mend(person)
        roomsChange()
        for member in paths.members(of: person) { meet(person, member) }
    }

    // MARK: At rest

    private mutating func checkRest() {
        sights.rests += 1
        let inCall = people.indices.filter { people[$0].machine != nil && !people[$0].isOver }
        for person in inCall {
            guard let machine = people[person].machine, let first = people[inCall[0]].machine else { continue }
            if machine.stage != .acceptedOn { faults.append("\(person) waits for ever in \(machine.stage)") }
            if machine.isWaiting { faults.append("a clock of \(person) never ends") }
            if machine.roster.list != first.roster.list { faults.append("\(person) knows another list") }
            let others = Set(inCall.filter { $0 != person }.compactMap { people[$0].machine?.roster.own })
            if Set(machine.roster.present) != others { faults.append("\(person) sees \(machine.roster.present)") }
            if Set(people[person].keys.keys) != others {
                faults.append("\(person) has keys of \(people[person].keys.keys)")
            }
            for (member, key) in people[person].keys {
                guard let owner = numbers[member], let current = keys.current(of: owner) else { continue }
                if !keys.opens(key, current) { faults.append("\(person) can't open \(owner)") }
            }
            if machine.heard != others { faults.append("\(person) hears \(machine.heard)") }
            checkWay(person, machine, inCall)
            checkContacts(person, machine)
            for stranger in people.indices where !inCall.contains(stranger) && keys.canOpen(person, by: stranger) {
                faults.append("\(stranger) is out and can open \(person)")
            }
        }
        if inCall.count == 1 { faults.append("\(inCall[0]) stays alone") }
        for person in people.indices where people[person].reason == .removed && !inCall.contains(person) {
            checkOut(person, inCall)
        }
    }

    /// Nobody takes a member for another contact than it is.
    private mutating func checkContacts(_ person: Int, _ machine: GroupCallMachine) {
        guard mix.knowEachOther else { return }
        for member in machine.roster.present {
            guard let contact = machine.contacts[member] else { continue }
            if numbers[member].map(Self.contact) != contact {
                faults.append("\(person) takes \(member) for \(contact)")
            }
            if machine.kept?.contacts[member] == nil { sights.known += 1 }
        }
    }

    /// Nobody comes back into a room whose keeper has put it out, and still is there.
    private mutating func checkOut(_ person: Int, _ inCall: [Int]) {
        guard let room = people[person].room, let member = people[person].machine?.roster.own,
            let (keeper, life) = puttingOut[member], inCall.contains(keeper), people[keeper].life == life,
            people[keeper].machine?.roster.isHost == true, people[keeper].machine?.isKeeper == true,
            rooms.room(of: keeper) == room.room
        else { return }
        sights.lockedOut += 1
        if rooms.isOpen(to: room) { faults.append("\(person) was put out and can enter the room") }
    }

    /// All are in one room, or nobody is in any.
    private mutating func checkWay(_ person: Int, _ machine: GroupCallMachine, _ inCall: [Int]) {
        switch machine.roster.list.route {
        case .mesh: if let room = rooms.room(of: person) { faults.append("\(person) is in room \(room) for nothing") }
        case .room:
            if rooms.room(of: person) == nil { faults.append("\(person) is in no room") }
            if rooms.room(of: person) != rooms.room(of: inCall[0]) { faults.append("\(person) is in another room") }
            if !machine.paths.open.isEmpty { faults.append("\(person) has paths beside the room") }
        }
    }

    /// Where everybody is who is still in the call.
    private var standings: String {
        people.indices.compactMap { person -> String? in
            guard let machine = people[person].machine, !people[person].isOver else { return nil }
            return
                "\(person): \(machine.stage) with \(machine.roster.present), hears \(machine.heard), \(machine.roster.list.route)"
        }.joined(separator: "; ")
    }

    /// Why each person's call is over.
    var reasons: [GroupCallEndReason] { people.compactMap(\.reason) }
}
