import Agent
import Calling
import Signaling
import TestSupport

@testable import Media
@testable import MediaRules
@testable import Parley

/// Anna, who knows Ben and Cleo; these two don't know each other unless they are introduced.
struct Company: Sendable {
    let anna: Account
    let ben: Account
    let cleo: Account
    /// Ben and Cleo, as Anna has them.
    let contactBen: Contact
    let contactCleo: Contact

    init(
        _ neighbourhood: Neighbourhood, cleoTakes: Bool = true,
        anna change: @Sendable (inout AccountConfiguration) -> Void = { _ in }
    ) async throws {
        anna = try await neighbourhood.open("Anna") {
            $0.takesGroupCalls = true
            change(&$0)
        }
        ben = try await neighbourhood.open("Ben") { $0.takesGroupCalls = true }
        cleo = try await neighbourhood.open("Cleo") { $0.takesGroupCalls = cleoTakes }
        contactBen = try await Self.introduce(anna, ben)
        contactCleo = try await Self.introduce(anna, cleo)
    }

    @discardableResult static func introduce(_ one: Account, _ other: Account) async throws -> Contact {
        let invitation = try await one.makeInvitation()
        async let joined = other.connect(link: invitation.link)
        let contact = try await invitation.connected()
        _ = try await joined
        return contact
    }

    /// Anna calls some, who accept: the call of each, once all hear all.
    func talk(_ contacts: [Contact], _ others: [Account], _ media: CallMedia = .video) async throws -> [GroupCall] {
        let call = try await anna.groupCall(with: contacts, media: media)
        var calls = [call]
        for other in others { calls.append(try await other.take(call.id, media)) }
        try await Self.waitUntilAllHearAll(calls)
        return calls
    }

    static func waitUntilAllHearAll(_ calls: [GroupCall]) async throws {
        do {
            try await waitUntil("all hear all") {
                calls.allSatisfy { call in
                    call.state.members.filter { $0.stage == .connected }.count == calls.count - 1
                }
            }
        } catch {
            throw Overdue("\(error): \(calls.map(\.state))")
        }
    }
}

extension Account {
    /// Waits for somebody to call several.
    nonisolated func incomingGroup(_ id: CallID) async throws -> GroupCall {
        try await limited("a group call arrives") { [updates] in
            for await update in updates {
                if case .incomingGroup(let call) = update, call.id == id { return call }
            }
            throw Overdue("The account was closed before the call came.")
        }
    }

    func take(_ id: CallID, _ media: CallMedia) async throws -> GroupCall {
        let call = try await incomingGroup(id)
        await call.accept(media: media)
        return call
    }

    /// Connections of the agent, contacts and lines.
    var connectionCount: Int { get async throws { try await agent.connections().count } }
}

extension GroupCall {
    var own: MemberNumber { state.own }

    func waitForEnd() async throws -> GroupCallEndReason {
        try await limited("the group call ends") { [states = states()] in
            var last: GroupCallState?
            for await state in states { last = state }
            guard let reason = last?.reason else { throw Overdue("no reason") }
            return reason
        }
    }

    /// Waits until pictures and sound of a member have come.
    func receives(_ member: MemberNumber, pictures: Int = 3, sounds: Int = 5) async throws {
        try await waitUntil("\(own) sees and hears \(member)") {
            guard let received = await statistics(of: member)?.received else { return false }
            return received.videoFrames >= pictures && received.audioFrames >= sounds
        }
    }
}

/// The keys that one member holds, and bytes that they seal.
struct HeldKeys {
    let keys: GroupKeys

    init?(_ call: GroupCall) async {
        guard let session = call.session?.session else { return nil }
        keys = await session.keys
    }

    /// Something that the member seals with the key it has in use.
    func seal() throws -> [UInt8] {
        let next = try keys.next(of: .sound)
        return try GroupFrameCipher(next.key, member: keys.member, call: keys.call)
            .seal([7, 1, 2, 3, 4, 5, 6], of: .sound, counter: next.counter)
    }

    /// Whether the keys held here open what a member has sealed.
    func opens(_ frame: [UInt8], of member: MemberNumber) -> Bool {
        var plain = [UInt8](repeating: 0, count: frame.count - GroupFrameCipher.overhead)
        return frame.withUnsafeBytes { frame in
            plain.withUnsafeMutableBytes { (try? keys.open(frame, from: member.value, by: 0, into: $0)) != nil }
        }
    }
}
