import Calling
import Signaling
import TestSupport
import Testing

@testable import Parley

/// A call of two that goes over into one of several, over a real relay.
@Suite("A call of two that goes over into one of several", .serialized, .timeLimit(.minutes(5)))
struct GroupGrowthTests {
    /// Anna calls Ben, who accepts: the call of each, once both are on.
    private func talk(_ company: Company, _ media: CallMedia = .video) async throws -> (anna: Call, ben: Call) {
        let anna = try await company.anna.call(company.contactBen, media: media)
        let ben = try await company.ben.incoming(anna.id)
        try await ben.accept(media: media)
        try await waitUntil("they talk") { anna.state.isOnHere && ben.state.isOnHere }
        return (anna, ben)
    }

    @Test func `a call of two becomes one of three with media, and opens nothing that was off`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let two = try await talk(company)
            await two.ben.setCameraEnabled(false)
            await two.anna.setMicrophoneEnabled(false)
            let anna = try await company.anna.addPeople([company.contactCleo], to: two.anna)
            let ben = try await company.ben.incomingGroup(anna.id)
            #expect(ben.state.adding == ["Cleo"] && anna.state.adding == ["Cleo"])
            #expect(two.anna.state.isOnHere && two.ben.state.isOnHere, "the call of two goes on")
            #expect(ben.session == nil && anna.session == nil, "nothing opens before the answer")
            #expect(await company.cleo.groups.center.callID == nil, "nobody is called before the answer")
            await ben.accept(media: .video)
            let cleo = try await company.cleo.take(anna.id, .video)
            try await Company.waitUntilAllHearAll([anna, ben, cleo])
            for call in [two.anna, two.ben] {
                let reason = try await call.endReason()
                #expect(reason == .hungUp || reason == .peerHungUp)
            }
            #expect(!ben.state.cameraEnabled && !anna.state.microphoneEnabled && ben.state.adding == nil)
            for call in [ben, cleo] { try await call.receives(anna.own, pictures: 3, sounds: 0) }
            for call in [anna, cleo] { try await call.receives(ben.own, pictures: 0, sounds: 5) }
            #expect(await anna.statistics(of: ben.own)?.received.videoFrames == 0)
            #expect(await ben.statistics(of: anna.own)?.received.audioFrames == 0)
            #expect(try await company.ben.entries(1)[0].record.members.isEmpty, "the call of two is in the log")
            for call in [cleo, ben, anna] { await call.hangUp() }
        }
    }

    @Test func `a no leaves the call of two on, and no call in the log`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let two = try await talk(company, .audio)
            let anna = try await company.anna.addPeople([company.contactCleo], to: two.anna)
            let ben = try await company.ben.incomingGroup(anna.id)
            await ben.decline()
            #expect(try await anna.waitForEnd() == .nobodyJoined)
            #expect(anna.state.members.map(\.stage) == [.declined] && anna.state.adding == ["Cleo"])
            try await waitUntil("there is room again") { await !company.anna.isInGroupCall }
            #expect(two.anna.state.isOnHere && two.ben.state.isOnHere)
            #expect(await company.cleo.groups.center.callID == nil)
            // Both can be asked again, and answer.
            let again = try await company.anna.addPeople([company.contactCleo], to: two.anna)
            _ = try await company.ben.incomingGroup(again.id)
            await again.hangUp()
            try await waitUntil("it is taken back") { await company.ben.groups.center.callID == nil }
            #expect(two.ben.state.isOnHere)
            for account in [company.anna, company.ben] { #expect(try await account.callLog().next() == []) }
            await two.anna.hangUp()
        }
    }

    @Test func `the end of the call of two takes the question back`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let two = try await talk(company, .audio)
            let anna = try await company.anna.addPeople([company.contactCleo], to: two.anna)
            let ben = try await company.ben.incomingGroup(anna.id)
            await two.ben.hangUp()
            #expect(try await ben.waitForEnd() == .declined)
            _ = try await anna.waitForEnd()
            await ben.accept(media: .audio)
            #expect(await company.ben.groups.center.callID == nil && ben.session == nil)
        }
    }

    @Test func `only the contact of the call can ask, and only in that call`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let two = try await talk(company, .audio)
            func invite(_ account: Account, from call: CallID) async throws -> CallID {
                let anna = try await account.contact(named: "Anna")
                let id = CallID.random()
                let invitation = GroupInvitation(
                    own: try #require(MemberNumber(2)), inviter: .first, host: .first, media: .video,
                    members: [.init(number: .first, name: .unknown)],
                    origin: .init(call: call, adding: [.unknown]))
                try await account.groups.lines.send(.invitation(invitation), of: id, to: .contact(anna.id), number: 0)
                return id
            }
            for (account, call) in [(company.cleo, two.anna.id), (company.ben, CallID.random())] {
                _ = try await invite(account, from: call)
                try await waitUntil("it is missed") {
                    try await company.anna.callLog().next().first?.record.reason == .missedWhileBusy
                }
                #expect(await company.anna.groups.center.callID == nil)
                try await company.anna.deleteAllCalls()
            }
            let asked = try await invite(company.ben, from: two.anna.id)
            let question = try await company.anna.incomingGroup(asked)
            #expect(question.state.adding != nil && two.anna.state.isOnHere)
            await two.anna.hangUp()
        }
    }

    @Test func `somebody is added only to a call that is on, and only who can join`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood, cleoTakes: false)
            let call = try await company.anna.call(company.contactBen, media: .audio)
            await #expect(throws: AccountError.group(.notTaken("Cleo"))) {
                _ = try await company.anna.addPeople([company.contactCleo], to: call)
            }
            try await company.cleo.setTakesGroupCalls(true)
            try await waitUntil("Anna knows") { await company.anna.contacts().allSatisfy(\.takesGroupCalls) }
            await #expect(throws: AccountError.call(.noSuchCall)) {
                _ = try await company.anna.addPeople([company.contactCleo], to: call)
            }
            #expect(await !company.anna.isInGroupCall)
            await call.hangUp()
        }
    }
}
