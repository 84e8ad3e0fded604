import BaseKit
import Signaling
import Synchronization
import TestSupport

@testable import Calling

/// Carries the messages of group calls between centres in memory, and makes their lines.
final class FakeGroupNetwork: Sendable {
    private struct Line {
        var maker: ContactID
        var member: MemberNumber
        var own: MemberNumber
    }

    private struct State {
        var people: [ContactID: FakeGroupPerson] = [:]
        var offered: [GroupLink: Line] = [:]
        /// Whom a person reaches by a line, and as whom they are known there.
        var lines: [ContactID: [MemberNumber: (person: ContactID, own: MemberNumber)]] = [:]
        var count = 0
        /// To whom nothing gets, and what waits for them.
        var held: [ContactID: [@Sendable () async -> Void]] = [:]
    }

    private let state = Mutex(State())

    /// Nothing gets to somebody from here on.
    func hold(_ person: ContactID) { state.withLock { $0.held[person] = [] } }

    /// What waited gets to them.
    func release(_ person: ContactID) async {
        for delivery in state.withLock({ $0.held.removeValue(forKey: person) }) ?? [] { await delivery() }
    }

    func add(_ person: FakeGroupPerson) { state.withLock { $0.people[person.name] = person } }

    private func person(_ name: ContactID) -> FakeGroupPerson? { state.withLock { $0.people[name] } }

    /// How many lines there are.
    var lineCount: Int { state.withLock { $0.lines.values.reduce(0) { $0 + $1.count } } / 2 }

    func deliver(
        _ message: GroupMessage, of call: CallID, from: ContactID, to peer: GroupPeer, number: Int
    ) async {
        let (to, way): (ContactID, GroupPeer)
        switch peer {
        case .contact(let contact): (to, way) = (contact, .contact(from))
        case .line(let member):
            guard let end = state.withLock({ $0.lines[from]?[member] }) else { return }
            (to, way) = (end.person, .line(end.own))
        }
        let isHeld = state.withLock { state in
            guard state.held[to] != nil else { return false }
            state.held[to]?.append { [weak self] in
                await self?.deliver(message, of: call, from: from, to: peer, number: number)
            }
            return true
        }
        guard !isHeld, let reader = person(to) else { return }
        let confirms = await reader.center.receive(message, of: call, from: way, brokerTime: 1_000_000)
        guard message.isInvitation || confirms && message.wantsReceipt else { return }
        await person(from)?.center.received(number, of: call)
    }

    func makeLine(by maker: ContactID, for member: MemberNumber, as own: MemberNumber) -> GroupLink {
        state.withLock { state in
            state.count += 1
            let link = GroupSamples.link("simplex:/\(state.count)")
            state.offered[link] = Line(maker: maker, member: member, own: own)
            return link
        }
    }

    func joinLine(_ link: GroupLink, by user: ContactID, of call: CallID) async {
        let line = state.withLock { state -> Line? in
            guard let line = state.offered.removeValue(forKey: link) else { return nil }
            state.lines[user, default: [:]][line.own] = (line.maker, line.member)
            state.lines[line.maker, default: [:]][line.member] = (user, line.own)
            return line
        }
        guard let line else { return }
        await person(user)?.center.line(line.own, .up, of: call)
        await person(line.maker)?.center.line(line.member, .up, of: call)
    }

    func closeLine(of person: ContactID, to member: MemberNumber) {
        state.withLock { state in
            guard let end = state.lines[person]?.removeValue(forKey: member) else { return }
            state.lines[end.person]?[end.own] = nil
        }
    }
}

/// What one person hands over, and that it does.
final class FakeGroupSignaling: GroupSignalingPort {
    let name: ContactID
    private let network: FakeGroupNetwork
    private let done = Mutex<[String]>([])

    init(_ name: ContactID, _ network: FakeGroupNetwork) { (self.name, self.network) = (name, network) }

    /// What was asked of it, by a word each.
    var words: [String] { done.withLock { $0 } }

    func send(_ message: GroupMessage, of call: CallID, to peer: GroupPeer, number: Int) async throws {
        done.withLock { $0.append(message.word) }
        await network.deliver(message, of: call, from: name, to: peer, number: number)
    }

    func makeLine(to member: MemberNumber, of call: CallID, as own: MemberNumber) async throws -> GroupLink {
        done.withLock { $0.append("makeLine") }
        return network.makeLine(by: name, for: member, as: own)
    }

    func joinLine(_ link: GroupLink, to member: MemberNumber, of call: CallID, as own: MemberNumber) async throws {
        done.withLock { $0.append("joinLine") }
        await network.joinLine(link, by: name, of: call)
    }

    func closeLine(to member: MemberNumber, of call: CallID) async {
        done.withLock { $0.append("closeLine") }
        network.closeLine(of: name, to: member)
    }
}

/// Media that hear a member as soon as its description is applied.
final class FakeGroupMedia: GroupMediaPort {
    private let opened = Mutex<[FakeGroupSession]>([])

    var sessions: [FakeGroupSession] { opened.withLock { $0 } }

    func open(_ plan: GroupMediaPlan) async throws -> any GroupMediaSession {
        let session = FakeGroupSession(plan)
        opened.withLock { $0.append(session) }
        return session
    }
}

final class FakeGroupSession: GroupMediaSession {
    let plan: GroupMediaPlan
    let events: AsyncStream<GroupMediaEvent>
    private let tell: AsyncStream<GroupMediaEvent>.Continuation
    private let state = Mutex(
        (
            keys: [MemberNumber: GroupKey](), own: [GroupKey](), isClosed: false, rooms: [GroupRoom](), leavings: 0,
            accesses: [[String]]()
        ))

    init(_ plan: GroupMediaPlan) {
        self.plan = plan
        (events, tell) = AsyncStream.makeStream()
        state.withLock { $0.own = [plan.key] }
    }

    /// The keys of others, and the own ones, newest last.
    var keys: [MemberNumber: GroupKey] { state.withLock { $0.keys } }
    var ownKeys: [GroupKey] { state.withLock { $0.own } }
    var isClosed: Bool { state.withLock { $0.isClosed } }
    /// The rooms that were entered, and how often one was left.
    var rooms: [GroupRoom] { state.withLock { $0.rooms } }
    var leavings: Int { state.withLock { $0.leavings } }
    /// The tokens and PINs that it went on with.
    var accesses: [[String]] { state.withLock { $0.accesses } }

    func makeOffer(to member: MemberNumber, path: Int) async throws -> (SessionDescription, [ICECandidate]) {
        (SessionDescription(kind: .offer, sdp: "v=0\r\n"), [])
    }

    func makeAnswer(
        to offer: GroupDescription, from member: MemberNumber
    ) async throws -> (SessionDescription, [ICECandidate]) {
        tell.yield(.path(member, offer.path, .heard))
        return (SessionDescription(kind: .answer, sdp: "v=0\r\n"), [])
    }

    func apply(_ answer: GroupDescription, from member: MemberNumber) async throws {
        tell.yield(.path(member, answer.path, .heard))
    }

    func add(_ candidates: [ICECandidate], from member: MemberNumber, path: Int) async {}
    func closePath(to member: MemberNumber) async {}
    func enter(_ room: GroupRoom) async throws {
        state.withLock { $0.rooms.append(room) }
        tell.yield(.room(room.number, .inside))
    }

    func useAccess(of room: GroupRoom) async {
        state.withLock { $0.accesses.append([room.token?.text ?? "", room.pin?.text ?? ""]) }
    }

    func leaveRoom() async { state.withLock { $0.leavings += 1 } }
    func use(_ key: GroupKey) async { state.withLock { $0.own.append(key) } }
    func give(_ key: GroupKey, of member: MemberNumber) async { state.withLock { $0.keys[member] = key } }
    func dropKeys(of member: MemberNumber) async { state.withLock { $0.keys[member] = nil } }

    func close() async {
        state.withLock { $0.isClosed = true }
        tell.finish()
    }
}

/// A call server in memory.
final class FakeRooms: GroupRoomPort {
    struct Refused: Error {}

    let use: GroupServerUse
    private let token: String?
    private let state = Mutex((made: [GroupRoom](), closed: [GroupRoom](), refuses: false, renewals: 0))

    init(use: GroupServerUse, token: String? = nil) { (self.use, self.token) = (use, token) }

    var made: [GroupRoom] { state.withLock { $0.made } }
    var closed: [GroupRoom] { state.withLock { $0.closed } }

    func refuse() { state.withLock { $0.refuses = true } }

    func make(_ number: Int) async throws -> GroupRoom {
        let room = GroupRoom(
            number: number, address: "wss://a/", room: number + 40, token: token.map { SecretText($0) },
            feeds: GroupSamples.secret(4), secret: SecretText("keeper"))
        let isRefused = state.withLock { state in
            if !state.refuses { state.made.append(room) }
            return state.refuses
        }
        guard !isRefused else { throw Refused() }
        return room
    }

    func renewToken(for room: GroupRoom) async -> SecretText? {
        let count = state.withLock { state in
            state.renewals += 1
            return state.renewals
        }
        return token.map { SecretText("\($0) \(count)") }
    }

    func lock(
        _ room: GroupRoom, staying members: Set<MemberNumber>
    ) async throws -> (pin: SecretText, secret: SecretText) {
        (SecretText("for \(members.map(\.value).sorted())"), SecretText("another"))
    }

    func close(_ room: GroupRoom) async { state.withLock { $0.closed.append(room) } }
}

/// One person with everything that belongs to it.
final class FakeGroupPerson: Sendable {
    let name: ContactID
    let center: GroupCallCenter
    let signaling: FakeGroupSignaling
    let media = FakeGroupMedia()
    let rooms: FakeRooms
    private let heard = Mutex<[GroupCallNews]>([])

    init(
        _ text: String, _ network: FakeGroupNetwork, _ clock: FakeClock, server: GroupServerUse = .never,
        token: String? = nil
    ) {
        name = ContactID(rawValue: text)
        rooms = FakeRooms(use: server, token: token)
        signaling = FakeGroupSignaling(name, network)
        center = GroupCallCenter(signaling: signaling, media: media, rooms: rooms, clock: clock)
        Task { [weak self, news = center.news] in
            for await one in news { self?.note(one) }
        }
        network.add(self)
    }

    private func note(_ news: GroupCallNews) { heard.withLock { $0.append(news) } }

    var guest: (contact: ContactID, name: MemberName) { (name, GroupSamples.name(name.rawValue)) }

    /// The call as it was told last.
    var shown: GroupCallSnapshot? {
        heard.withLock { news in
            news.reversed().lazy.compactMap { if case .call(let snapshot) = $0 { snapshot } else { nil } }.first
        }
    }

    var stage: GroupCallStage? { shown?.update.stage }

    /// What is to be logged.
    var ends: [GroupCallEnd] {
        heard.withLock { $0.compactMap { if case .over(let end) = $0 { end } else { nil } } }
    }

    /// Whom the host has given no place.
    var refused: [ContactID] {
        heard.withLock { $0.compactMap { if case .notInvited(let contact) = $0 { contact } else { nil } } }
    }

    /// The members it hears.
    var connected: [Int] {
        (shown?.update.members ?? []).filter { $0.stage == .connected }.map { Int($0.number.value) }
    }

    func waitForStage(_ wanted: GroupCallStage) async throws {
        try await waitUntil("\(name) is \(wanted)") { stage == wanted }
    }

    func accept() async throws {
        try await waitForStage(.ringingWithoutConsent)
        guard let id = await center.callID else { return }
        await center.accept(id, media: .video)
    }
}
