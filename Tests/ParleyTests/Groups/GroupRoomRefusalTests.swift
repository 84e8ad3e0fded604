import Calling
import SFU
import SFURules
import Signaling
import Synchronization
import TestSupport
import Testing
import Wording

@testable import Parley

/// Calls of several whose room a real call server refuses to all or to one.
@Suite(.timeLimit(.minutes(3)), .needs(JanusServer.obstacle)) struct GroupRoomRefusalTests {
    /// What of a room is another than the server has.
    enum Mistake: CaseIterable, Sendable {
        case pin, token

        func apply(to room: GroupRoom) -> GroupRoom {
            var room = room
            switch self {
            case .pin: room.pin = SecretText("guess")
            case .token: room.token = SecretText("guess")
            }
            return room
        }

        var error: SFUError {
            switch self {
            case .pin: .wrongPin
            case .token: .unauthorized
            }
        }

        /// What a person reads, who can do something about it.
        var sentence: String {
            switch self {
            case .pin: "The call server wants another PIN for this room; begin the call anew."
            case .token: "The call server refuses the token: check the token secret."
            }
        }
    }

    @Test(arguments: Mistake.allCases)
    func `a room that nobody can enter is told, and the call goes on directly, however often it is tried`(
        mistake: Mistake
    ) async throws {
        try await Neighbourhood.withJanus(JanusServer.Keys(token: "hush")) { neighbourhood, server in
            let made = Mutex(0)
            let company = try await Company(neighbourhood) { configuration in
                configuration.groupServer = server
                configuration.groupRooms = { rooms in
                    ChangedRooms(rooms: rooms) { room in
                        made.withLock { $0 += 1 }
                        return mistake.apply(to: room)
                    }
                }
            }
            let calls = try await company.talk(
                [company.contactBen, company.contactCleo], [company.ben, company.cleo])
            try await waitUntil("Anna is told") { calls[0].state.roomFailure != nil }
            let failure = try #require(calls[0].state.roomFailure)
            #expect(failure.error as? SFUError == mistake.error)
            #expect(Wording.sentence(of: failure.error) == mistake.sentence)
            try await waitUntil("a second and a third room were made") { made.withLock { $0 } >= 3 }
            try await Self.expectMedia(of: calls)
            for call in calls { #expect(call.state.members.allSatisfy { !$0.isByRoom }) }
        }
    }

    @Test func `who finds the room full is told, and is seen and heard directly beside the room of the others`()
        async throws
    {
        try await Neighbourhood.withJanus { neighbourhood, server in
            let company = try await Company(neighbourhood) { configuration in
                configuration.groupServer = server
                configuration.groupRooms = { ChangedRooms(rooms: $0) { try await Self.roomOfTwo($0, on: server) } }
            }
            let two = try await company.talk([company.contactBen], [company.ben])
            try await waitUntil("Anna and Ben come by the room") {
                two.allSatisfy { $0.state.members.contains { $0.isByRoom } }
            }
            try await company.anna.invite(company.contactCleo, to: two[0])
            let cleo = try await company.cleo.take(two[0].id, .video)
            let calls = two + [cleo]
            try await waitUntil("Cleo is told") { cleo.state.roomFailure != nil }
            let failure = try #require(cleo.state.roomFailure)
            #expect(failure.error as? SFUError == .roomFull)
            #expect(
                Wording.sentence(of: failure.error)
                    == "The call's room on the call server is full; somebody has to leave first.")
            try await Company.waitUntilAllHearAll(calls)
            try await Self.expectMedia(of: calls)
            #expect(cleo.state.members.allSatisfy { !$0.isByRoom })
            for (call, other) in [(two[0], two[1]), (two[1], two[0])] {
                #expect(call.state.members.first { $0.number == other.own }?.isByRoom == true)
                #expect(call.state.roomFailure == nil)
            }
        }
    }

    /// A room of the same server in which two may send.
    private static func roomOfTwo(_ room: GroupRoom, on server: GroupServer) async throws -> GroupRoom {
        let client = SFURoomClient(address: server.address, keys: server.keys)
        var plan = SFURoomPlan.random()
        plan.publishers = 2
        try await client.makeRoom(plan)
        await client.close()
        return GroupRoom(
            number: room.number, address: room.address, room: plan.room.number.value, pin: plan.room.pin,
            token: room.token, feeds: room.feeds, secret: plan.secret)
    }

    /// Waits until further pictures and sound of everybody have come to everybody.
    private static func expectMedia(of calls: [GroupCall]) async throws {
        for call in calls {
            for other in calls where other.own != call.own {
                let before = await call.statistics(of: other.own)?.received
                try await call.receives(
                    other.own, pictures: (before?.videoFrames ?? 0) + 10, sounds: (before?.audioFrames ?? 0) + 50)
            }
        }
    }
}

/// Rooms of which the call is told otherwise.
private struct ChangedRooms: GroupRoomPort {
    let rooms: any GroupRoomPort
    let change: @Sendable (GroupRoom) async throws -> GroupRoom

    var use: GroupServerUse { rooms.use }
    func make(_ number: Int) async throws -> GroupRoom { try await change(try await rooms.make(number)) }
    func renewToken(for room: GroupRoom) async -> SecretText? { await rooms.renewToken(for: room) }
    func lock(
        _ room: GroupRoom, staying members: Set<MemberNumber>
    ) async throws -> (pin: SecretText, secret: SecretText) { try await rooms.lock(room, staying: members) }
    func close(_ room: GroupRoom) async { await rooms.close(room) }
}
