import BaseKit
import Signaling
import TestSupport
import Testing

@testable import Calling

@Suite("The centre of group calls", .timeLimit(.minutes(5))) struct GroupCallCenterTests {
    private let network = FakeGroupNetwork()
    private let clock = FakeClock()

    private func people(_ names: String...) -> [FakeGroupPerson] { names.map { FakeGroupPerson($0, network, clock) } }

    private static let invitation = GroupInvitation(
        own: GroupSamples.number(2), inviter: .first, host: .first, media: .video,
        members: [.init(number: .first, name: GroupSamples.name("Ada"))])

    @Test func `three hear each other, and those who are no contacts have a line`() async throws {
        let all = people("Ada", "Bo", "Cy")
        _ = try await all[0].center.call([all[1].guest, all[2].guest], media: .video)
        try await all[1].accept()
        try await all[2].accept()
        for (person, others) in zip(all, [[2, 3], [1, 3], [1, 2]]) {
            try await waitUntil("\(person.name) hears \(others)") { person.connected == others }
        }
        #expect(network.lineCount == 1)
        // Everybody opens what everybody else seals.
        let watch = GroupKeyWatch(call: try #require(all[0].shown?.callID))
        for person in all {
            let own = try #require(person.shown?.update.own)
            for other in all where other !== person {
                try await waitUntil("\(other.name) opens what \(person.name) seals") {
                    guard let used = person.media.sessions.first?.ownKeys.last,
                        let given = other.media.sessions.first?.keys[own]
                    else { return false }
                    return watch.opens(given, used)
                }
            }
        }
    }

    @Test func `media of all enter the room that is made, and the last one who leaves closes it`() async throws {
        let ada = FakeGroupPerson("Ada", network, clock, server: .always)
        let bo = FakeGroupPerson("Bo", network, clock)
        let id = try await ada.center.call([bo.guest], media: .video).callID
        try await bo.accept()
        for person in [ada, bo] {
            try await waitUntil("\(person.name) is in the room") {
                person.media.sessions.first?.rooms.map(\.room) == [41]
            }
        }
        #expect(bo.media.sessions.first?.rooms.first?.secret == nil)
        try await waitUntil("both hear each other") { ada.connected == [2] && bo.connected == [1] }
        await bo.center.handle(.hangUp, of: id)
        try await waitUntil("Bo has gone") { ada.shown?.update.members.map(\.stage) == [.left] }
        #expect(ada.rooms.closed.isEmpty)
        await ada.center.handle(.hangUp, of: id)
        await ada.center.settle()
        #expect(ada.rooms.closed == ada.rooms.made)
        #expect(ada.rooms.made.count == 1)
    }

    @Test func `before a token runs out media of all go on with another one`() async throws {
        let ada = FakeGroupPerson("Ada", network, clock, server: .always, token: "t")
        let bo = FakeGroupPerson("Bo", network, clock)
        _ = try await ada.center.call([bo.guest], media: .video)
        try await bo.accept()
        for person in [ada, bo] {
            try await waitUntil("\(person.name) is in the room") {
                person.media.sessions.first?.rooms.map(\.token?.text) == ["t"]
            }
        }
        try await waitUntil("both hear each other") { ada.connected == [2] && bo.connected == [1] }
        clock.advance(by: .seconds(11 * 3_600))
        for person in [ada, bo] {
            try await waitUntil("\(person.name) has another token") {
                person.media.sessions.first?.accesses == [["t 1", ""]]
            }
        }
        #expect(bo.media.sessions.first?.rooms.count == 1)
    }

    @Test func `why there is no room is told, and the call goes on without`() async throws {
        let ada = FakeGroupPerson("Ada", network, clock, server: .always)
        let bo = FakeGroupPerson("Bo", network, clock)
        ada.rooms.refuse()
        _ = try await ada.center.call([bo.guest], media: .video)
        try await bo.accept()
        try await waitUntil("Ada is told") { ada.shown?.roomFailure?.error is FakeRooms.Refused }
        try await waitUntil("both hear each other") { ada.connected == [2] && bo.connected == [1] }
        #expect(bo.media.sessions.first?.rooms.isEmpty == true)
    }

    @Test func `before the person accepts nothing is opened, made or said`() async throws {
        let all = people("Ada", "Bo", "Cy")
        _ = try await all[0].center.call([all[1].guest, all[2].guest], media: .video)
        try await all[1].accept()
        try await waitUntil("Bo is in") { all[0].connected == [2] }
        try await all[2].waitForStage(.ringingWithoutConsent)
        #expect(all[2].media.sessions.isEmpty)
        #expect(all[2].signaling.words.isEmpty)
        // Nor does whatever the inviter says change that.
        let id = try #require(await all[2].center.callID)
        let offer = GroupDescription(path: 0, description: .init(kind: .offer, sdp: "v=0\r\n"), candidates: [])
        for message in [GroupMessage.offer(offer), .wantKey, .hello(GroupHello(.first))] {
            let confirms = await all[2].center.receive(
                message, of: id, from: .contact(all[0].name), brokerTime: 1_000_000)
            #expect(!confirms)
        }
        #expect(all[2].media.sessions.isEmpty && all[2].signaling.words.isEmpty)
    }

    @Test func `who calls sees at whom it rings, and whom no relay can reach`() async throws {
        let all = people("Ada", "Bo", "Cy")
        // Cy's invitation is nowhere yet.
        network.hold(all[2].name)
        _ = try await all[0].center.call([all[1].guest, all[2].guest], media: .video)
        func stages() -> [GroupCallUpdate.MemberStage] { all[0].shown?.update.members.map(\.stage) ?? [] }
        try await waitUntil("it rings at Bo's") { stages() == [.ringing, .inviting] }
        await clock.waitForSleeper(.seconds(3))
        clock.advance(by: .seconds(3))
        try await waitUntil("Cy is out of reach") { stages() == [.ringing, .unreachable] }
        await network.release(all[2].name)
        try await waitUntil("it rings at both") { stages() == [.ringing, .ringing] }
    }

    @Test func `whom the host gives no place is told to who wants to invite them`() async throws {
        let all = people("Ada", "Bo", "Cy")
        let id = try await all[0].center.call([all[1].guest], media: .video).callID
        try await all[1].accept()
        try await waitUntil("they talk") { all[1].connected == [1] }
        network.hold(all[0].name)
        try await all[1].center.invite(all[2].name, as: GroupSamples.name("Cy"), to: id)
        await clock.waitForSleeper(.seconds(10))
        clock.advance(by: .seconds(10))
        try await waitUntil("Bo is told") { all[1].refused == [all[2].name] }
    }

    @Test func `who declines is gone, and who called alone ends`() async throws {
        let all = people("Ada", "Bo")
        let id = try await all[0].center.call([all[1].guest], media: .audio).callID
        try await all[1].waitForStage(.ringingWithoutConsent)
        await all[1].center.handle(.decline, of: id)
        try await all[0].waitForStage(.ended)
        #expect(all[0].shown?.update.reason == .nobodyJoined)
        try await waitUntil("both are logged") { all.allSatisfy { $0.ends.count == 1 } }
        #expect(all[1].ends.map(\.reason) == [.declined] && all[1].media.sessions.isEmpty)
        #expect(await all[0].center.callID == nil)
    }

    @Test func `who is in another call is told as busy, and has missed it`() async throws {
        let bo = people("Ada", "Bo")[1]
        _ = await bo.center.receive(
            .invitation(Self.invitation), of: GroupSamples.id, from: .contact(GroupSamples.ada), brokerTime: 1_000_000,
            hasCall: true)
        try await waitUntil("the inviter is told") { bo.signaling.words == ["decline"] }
        try await waitUntil("it is noted") { bo.ends.map(\.reason) == [.missedWhileBusy] }
        #expect(await bo.center.callID == nil)
    }

    @Test(arguments: [false, true]) func `the contact of the call one is in asks within it, and nothing opens`(
        isBusy: Bool
    ) async throws {
        let bo = people("Ada", "Bo")[1]
        let talk = CallOfTwo(Samples.low, with: GroupSamples.ada)
        var invitation = Self.invitation
        invitation.origin = .init(call: Samples.low, adding: [GroupSamples.name("Cy")])
        _ = await bo.center.receive(
            .invitation(invitation), of: GroupSamples.id, from: .contact(GroupSamples.ada), brokerTime: 1_000_000,
            hasCall: true, isBusy: isBusy, talk: talk)
        try await bo.waitForStage(.ringingWithoutConsent)
        #expect(bo.shown?.origin == invitation.origin)
        #expect(bo.media.sessions.isEmpty && bo.signaling.words.isEmpty)
        await bo.center.handle(.decline, of: GroupSamples.id)
        try await waitUntil("the no is told") { bo.signaling.words == ["decline"] }
    }

    @Test(arguments: 0..<4) func `who is not in that call, or means another one, asks nothing in it`(
        which: Int
    ) async throws {
        let bo = people("Ada", "Bo")[1]
        var invitation = Self.invitation
        invitation.origin = .init(
            call: which == 0 ? Samples.high : Samples.low, adding: [GroupSamples.name("Cy")])
        if which == 1 { invitation.origin = nil }
        // The third asks for a call with somebody else, and the fourth while there is none.
        let other = which == 2 ? ContactID(rawValue: "cy") : GroupSamples.ada
        _ = await bo.center.receive(
            .invitation(invitation), of: GroupSamples.id, from: .contact(GroupSamples.ada), brokerTime: 1_000_000,
            hasCall: which < 3, talk: which < 3 ? CallOfTwo(Samples.low, with: other) : nil)
        guard which < 3 else {
            try await bo.waitForStage(.ringingWithoutConsent)
            #expect(bo.shown?.origin == nil, "it rings as any other")
            return
        }
        try await waitUntil("the inviter is told") { bo.signaling.words == ["decline"] }
        #expect(await bo.center.callID == nil)
    }

    @Test func `a second group call is busy too`() async throws {
        let all = people("Ada", "Bo", "Cy")
        _ = try await all[0].center.call([all[1].guest], media: .audio)
        try await all[1].accept()
        try await waitUntil("they talk") { all[1].connected == [1] }
        _ = try await all[2].center.call([all[1].guest], media: .audio)
        try await all[2].waitForStage(.ended)
        #expect(all[2].shown?.update.members.map(\.stage) == [.busy])
        #expect(all[1].connected == [1])
    }

    @Test func `an invitation older than 180 seconds does not ring, without a word`() async throws {
        let bo = people("Bo")[0]
        for (age, rings) in [(Int64(181), false), (180, true)] {
            _ = await bo.center.receive(
                .invitation(Self.invitation), of: GroupSamples.id, from: .contact(GroupSamples.ada),
                brokerTime: 1_000_000 - age)
            #expect(await (bo.center.callID != nil) == rings)
        }
        try await waitUntil("the old one is missed") { bo.ends.map(\.reason) == [.missed] }
        #expect(bo.signaling.words.isEmpty)
    }

    @Test func `it rings for 60 seconds`() async throws {
        let bo = people("Bo")[0]
        _ = await bo.center.receive(
            .invitation(Self.invitation), of: GroupSamples.id, from: .contact(GroupSamples.ada), brokerTime: 1_000_000)
        await clock.waitForSleeper(.seconds(60))
        clock.advance(by: .seconds(59))
        #expect(await bo.center.callID == GroupSamples.id)
        clock.advance(by: .seconds(1))
        try await waitUntil("it is missed") { bo.ends.map(\.reason) == [.missed] }
        #expect(bo.ends.first?.rang == true && bo.ends.first?.members.map(\.name.text) == ["Ada"])
    }

    @Test(arguments: [true, false]) func `what waited at the relay rings when the rest is read`(
        isTakenBack: Bool
    ) async throws {
        let bo = people("Bo")[0]
        _ = await bo.center.receive(
            .invitation(Self.invitation), of: GroupSamples.id, from: .contact(GroupSamples.ada), brokerTime: 1_000_000,
            isLive: false)
        #expect(await bo.center.callID == nil)
        if isTakenBack {
            _ = await bo.center.receive(
                .over(.invitation), of: GroupSamples.id, from: .contact(GroupSamples.ada), brokerTime: 1_000_000,
                isLive: false)
        }
        await bo.center.caughtUp(with: GroupSamples.ada)
        #expect(await (bo.center.callID == nil) == isTakenBack)
        try await waitUntil("what was taken back is missed") { bo.ends.map(\.reason) == (isTakenBack ? [.missed] : []) }
    }

    @Test func `who has come back into a call has missed no invitation into it`() async throws {
        let bo = people("Bo")[0]
        _ = await bo.center.receive(
            .invitation(Self.invitation), of: GroupSamples.id, from: .contact(GroupSamples.ada), brokerTime: 1_000_000,
            isLive: false)
        let members = [
            GroupMember(number: .first, name: GroupSamples.name("Ada"), standing: .isIn),
            GroupMember(
                number: GroupSamples.number(2), name: GroupSamples.name("Bo"), standing: .left, inviter: .first),
        ]
        let list = GroupRoster(number: 5, host: .first, lastGiven: GroupSamples.number(2), members: members)
        _ = try await bo.center.comeBack(
            KeptGroupCall(
                callID: GroupSamples.id, media: .audio, roster: list, own: GroupSamples.number(2),
                contacts: [.first: GroupSamples.ada], lines: []))
        await bo.center.caughtUp(with: GroupSamples.ada)
        await bo.center.handle(.hangUp, of: GroupSamples.id)
        try await waitUntil("the call is over") { !bo.ends.isEmpty }
        #expect(bo.ends.map(\.reason) == [.hungUp])
    }

    @Test func `who rings often is not heard any more`() async throws {
        let bo = people("Bo")[0]
        for byte in UInt8(0)..<12 {
            let id = try #require(CallID(bytes: Array(repeating: byte, count: 16)))
            _ = await bo.center.receive(
                .invitation(Self.invitation), of: id, from: .contact(GroupSamples.ada), brokerTime: 1_000_000 - 500)
        }
        #expect(await bo.center.rejections[.tooOften] == 4)
    }

    @Test func `a member's flood is not acted on`() async throws {
        let all = people("Ada", "Bo")
        _ = try await all[0].center.call([all[1].guest], media: .audio)
        try await all[1].accept()
        try await waitUntil("they talk") { all[0].connected == [2] }
        let id = try #require(await all[0].center.callID)
        for _ in 0..<400 {
            _ = await all[0].center.receive(.wantKey, of: id, from: .contact(all[1].name), brokerTime: 1_000_000)
        }
        #expect(await all[0].center.rejections[.tooOften] > 150)
    }

    @Test func `the call is logged with who was in and how long, and its lines go with it`() async throws {
        let all = people("Ada", "Bo", "Cy")
        let id = try await all[0].center.call([all[1].guest, all[2].guest], media: .video).callID
        try await all[1].accept()
        try await all[2].accept()
        try await waitUntil("all hear all") { all.map(\.connected) == [[2, 3], [1, 3], [1, 2]] }
        clock.advance(by: .seconds(90))
        for person in all.reversed() { await person.center.handle(.hangUp, of: id) }
        try await waitUntil("all are logged") { all.allSatisfy { $0.ends.count == 1 } }
        #expect(all[0].ends.first?.members.map(\.name.text) == ["Bo", "Cy"])
        // To Bo the other guest is nobody's contact.
        #expect(all[1].ends.first?.members.map(\.contact) == [all[0].name, nil])
        #expect(all.allSatisfy { $0.ends.first?.cause == .hungUp })
        #expect(all.allSatisfy { ($0.ends.first?.duration ?? .zero) >= .seconds(90) })
        #expect(all.allSatisfy { $0.media.sessions.allSatisfy(\.isClosed) })
        for person in all { await person.center.settle() }
    }
}
