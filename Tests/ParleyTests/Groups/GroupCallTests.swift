import Agent
import Calling
import Signaling
import TestSupport
import Testing

@testable import Media
@testable import Parley

@Suite("Calls of several over a real relay", .serialized, .timeLimit(.minutes(5))) struct GroupCallTests {
    @Test func `three see and hear each other, and lines are no contacts and go with the call`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let calls = try await company.talk(
                [company.contactBen, company.contactCleo], [company.ben, company.cleo])
            for call in calls {
                for other in calls where other.own != call.own { try await call.receives(other.own) }
            }
            try await waitUntil("each says that it has met the others") {
                let all = Set(calls.map(\.own))
                return calls.allSatisfy { call in
                    call.state.members.allSatisfy {
                        $0.shows.heard == all.subtracting([$0.number]) && $0.shows.seen == $0.shows.heard
                    }
                }
            }
            #expect(calls[1].state.members.map(\.name) == ["Anna", "Cleo"])
            #expect(calls[1].state.members.map { $0.contact == nil } == [false, true])
            for account in [company.ben, company.cleo] {
                #expect(account.groups.lines.count == 1)
                #expect(await account.contacts().map(\.name) == ["Anna"])
                #expect(try await account.connectionCount == 2)
            }
            #expect(company.anna.groups.lines.count == 0)
            // Each leaves after the one before; to the last one the call is over.
            for left in [2, 1] {
                await calls[left].hangUp()
                try await waitUntil("\(calls[left].own) has left") {
                    calls.prefix(left).allSatisfy { call in
                        call.state.members.first { $0.number == calls[left].own }?.stage == .left
                    }
                }
            }
            await calls[0].hangUp()
            for account in [company.ben, company.cleo] {
                try await waitUntil("the lines are gone") {
                    let count = try await account.connectionCount
                    return account.groups.lines.count == 0 && count == 1
                }
                #expect(await account.contacts().map(\.name) == ["Anna"])
            }
            try await waitUntil("it is logged") {
                try await company.ben.callLog().next().first?.record.members.map(\.name) == ["Anna", "Cleo"]
            }
            let record = try #require(try await company.ben.callLog().next().first?.record)
            let contactAnna = try await company.ben.contact(named: "Anna").id
            #expect(record.members.map(\.contact) == [contactAnna, nil] && record.groupReason == .hungUp)
            #expect(record.direction == .incoming && record.duration ?? 0 > 0 && record.result == .completed)
            #expect(await !company.ben.canReturnToGroupCall)
        }
    }

    @Test func `how loud somebody is heard here stays while the call changes, and in its bounds`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let anna = try await company.anna.groupCall(with: [company.contactBen], media: .audio)
            let ben = try #require(anna.state.members.first?.number)
            await anna.setVolume(0.4, of: ben)
            let call = try await company.ben.take(anna.id, .audio)
            try await Company.waitUntilAllHearAll([anna, call])
            #expect(anna.state.volumes == [ben: 0.4] && call.state.volumes == [:])
            for (wish, volume) in [(9.0, 2.0), (-1, 0), (.nan, 1)] {
                await anna.setVolume(wish, of: ben)
                #expect(anna.state.volumes == [ben: volume])
            }
            for call in [anna, call] { await call.hangUp() }
        }
    }

    @Test func `while nobody is heard any more the relays are watched closely, until the call is over`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let calls = try await company.talk([company.contactBen], [company.ben], .audio)
            #expect(await company.anna.reconnecting.isEmpty)
            await calls[1].session?.session.close()
            try await waitUntil("Anna looks for the way") { await company.anna.reconnecting == [calls[0].id] }
            for call in calls { await call.hangUp() }
            try await waitUntil("Anna looks for nothing") { await company.anna.reconnecting.isEmpty }
        }
    }

    @Test func `what is on is told whether or not the account has heard yet that the person is in`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let call = try await company.anna.groupCall(with: [company.contactBen], media: .audio)
            let ben = try await company.ben.incomingGroup(call.id)
            let ringing = try #require(await company.ben.groups.center.snapshot)
            await ben.accept(media: .audio)
            try await Company.waitUntilAllHearAll([call, ben])
            // As Ben's call is before the account has told it anything.
            let late = GroupCall(ringing, contact: nil, center: company.ben.groups.center) { _ in nil }
            #expect(late.state.isRinging)
            await late.raiseHand(true)
            try await waitUntil("Anna sees the hand") { call.state.members.first?.shows.hand == true }
            for call in [call, ben] { await call.hangUp() }
        }
    }

    @Test func `what the system mutes is told to the person, and to the others as a microphone that is off`()
        async throws
    {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let calls = try await company.talk([company.contactBen], [company.ben], .audio)
            let session = try #require(calls[0].session?.session)
            func heard() -> Bool? { calls[1].state.members.first?.shows.microphone }
            await session.handle(.microphoneMuted(true))
            try await waitUntil("Ben is told") { heard() == false }
            #expect(calls[0].state.isMicrophoneMutedBySystem && calls[0].state.microphoneEnabled)
            // It stays when other things are told.
            await calls[1].raiseHand(true)
            try await waitUntil("the hand is seen") { calls[0].state.members.first?.shows.hand == true }
            #expect(calls[0].state.isMicrophoneMutedBySystem && heard() == false)
            await session.handle(.microphoneMuted(false))
            try await waitUntil("Ben is told of the end") { heard() == true }
            #expect(!calls[0].state.isMicrophoneMutedBySystem)
            for call in calls { await call.hangUp() }
        }
    }

    @Test func `a screen that is shared is told to all, seen in the camera's place, and told to be shared no more`()
        async throws
    {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let calls = try await company.talk(
                [company.contactBen, company.contactCleo], [company.ben, company.cleo])
            let (ben, others) = (calls[1], [calls[0], calls[2]])
            let number = ben.state.own
            func waitUntilAll(_ know: String, share isShared: Bool) async throws {
                for call in others {
                    try await waitUntil("\(call.state.own) knows that Ben \(know)") {
                        call.state.members.first { $0.number == number }?.shows.screen == isShared
                    }
                    #expect(await call.session?.session.screens.value == (isShared ? [number.value] : []))
                }
            }
            await ben.startScreen(.test, withSound: true)
            try await waitUntilAll("shares a screen", share: true)
            #expect(ben.state.screenSharing == .on(withSound: true))
            for call in others {
                let feed = try #require(await call.video(of: number))
                try await waitUntil("the screen is seen") { feed.latest().map { $0.width > 640 } ?? false }
                try await waitUntil("its sound is heard") {
                    await call.statistics(of: number)?.received.screenSoundFrames ?? 0 > 20
                }
            }
            await ben.stopScreen()
            try await waitUntilAll("shares none", share: false)
            #expect(ben.state.screenSharing == .off && ben.state.cameraEnabled)
            for call in calls { await call.hangUp() }
        }
    }

    @Test func `a call that rings on unheard here still rings there, and can be accepted`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let call = try await company.anna.groupCall(with: [company.contactBen], media: .audio)
            let ben = try await company.ben.incomingGroup(call.id)
            ben.ignore()
            #expect(ben.state.isIgnored && ben.state.isRinging)
            try await waitUntil("it rings, for all that the caller knows") {
                call.state.members.map(\.stage) == [.ringing]
            }
            await ben.accept(media: .audio)
            try await Company.waitUntilAllHearAll([call, ben])
            for call in [call, ben] { await call.hangUp() }
        }
    }

    @Test func `who calls is told at whom it rings, also of one who has blocked them, and not where receipts are off`()
        async throws
    {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            await company.cleo.close()
            let cleo = try await neighbourhood.open("Cleo") {
                $0.takesGroupCalls = true
                $0.sendsReceipts = false
            }
            let anna = try await company.ben.contact(named: "Anna")
            let call = try await company.anna.groupCall(with: [company.contactBen, company.contactCleo], media: .audio)
            _ = try await company.ben.incomingGroup(call.id)
            _ = try await cleo.incomingGroup(call.id)
            try await waitUntil("it rings at Ben's") { call.state.members.map(\.stage) == [.ringing, .inviting] }
            await call.hangUp()
            try await waitUntil("there is room again") { await !company.anna.isInGroupCall }
            try await company.ben.setBlocked(true, anna.id)
            let again = try await company.anna.groupCall(with: [company.contactBen], media: .audio)
            try await waitUntil("it seems to ring") { again.state.members.map(\.stage) == [.ringing] }
            await again.hangUp()
        }
    }

    @Test func `whose relay can't be reached is told as such, and rings once it is back`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            await neighbourhood.server.stop()
            try await waitUntil("Anna knows that it is away") {
                try await company.anna.relayStatuses().first?.problem != nil
            }
            let call = try await company.anna.groupCall(with: [company.contactBen], media: .audio)
            try await waitUntil("Anna is told") { call.state.members.map(\.stage) == [.unreachable] }
            try await waitUntil("relays are watched closely") { await company.anna.reconnecting == [call.id] }
            _ = try await neighbourhood.server.start()
            _ = try await company.ben.incomingGroup(call.id)
            try await waitUntil("it rings") { call.state.members.map(\.stage) == [.ringing] }
            try await waitUntil("they are not any more") { await company.anna.reconnecting.isEmpty }
            await call.hangUp()
        }
    }

    @Test func `whom the host of a call gave no place is told by the name they have here`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            try await pair.ann.rename(pair.contactBob.id, to: "Robert")
            let told = Task { [updates = pair.ann.updates] in
                for await update in updates { if case .notice(let notice) = update { return notice as AccountNotice? } }
                return nil
            }
            await pair.ann.handle(GroupCallNews.notInvited(pair.contactBob.id))
            #expect(await told.value == .notInvited("Robert"))
        }
    }

    @Test func `by a line nobody rings, writes or tells a profile`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let calls = try await company.talk(
                [company.contactBen, company.contactCleo], [company.ben, company.cleo], .audio)
            let contacts = Set(await company.ben.contacts().map(\.id.rawValue))
            let line = try #require(
                try await company.ben.agent.connections().first { !contacts.contains($0.id.rawValue) }?.id)
            let ringing = CallInvitation(callType: CallType(media: .audio, encryption: true), publicKey: nil)
            for event in [
                ChatEvent.written(WrittenMessage(text: "hello")), .call(.invitation(.random(), ringing)),
                .information(Profile(displayName: "Mallory", calls: .yes)), .contactDeleted,
                .group(.random(), .over(.call)),
            ] {
                _ = try await company.ben.agent.send(
                    try ChatMessage.identified(event).encoded(), on: line, notify: false)
            }
            // What comes behind it has come: so has that.
            await calls[1].raiseHand(true)
            try await waitUntil("the hand is seen") {
                calls[2].state.members.first { $0.number == calls[1].own }?.shows.hand == true
            }
            #expect(await company.cleo.calls.isEmpty)
            #expect(await company.cleo.contacts().map(\.name) == ["Anna"])
            #expect(await company.cleo.toldUnread.isEmpty)
            #expect(calls[2].state.stage == .acceptedOn)
            for call in calls { await call.hangUp() }
        }
    }

    @Test func `who comes late opens nothing of before, who was removed nothing of after`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            var calls = try await company.talk([company.contactBen], [company.ben], .audio)
            let (anna, ben) = (try #require(await HeldKeys(calls[0])), try #require(await HeldKeys(calls[1])))
            let first = calls[0].own
            let early = try anna.seal()
            // At once, as keys of before are forgotten after some seconds.
            #expect(ben.opens(early, of: first))

            try await company.anna.invite(company.contactCleo, to: calls[0])
            calls.append(try await company.cleo.take(calls[0].id, .audio))
            try await Company.waitUntilAllHearAll(calls)
            let cleo = try #require(await HeldKeys(calls[2]))
            try await waitUntil("Cleo has Anna's key") {
                calls[2].state.members.first { $0.number == first }?.key == calls[0].state.key
            }
            let present = try anna.seal()
            #expect(cleo.opens(present, of: first) && ben.opens(present, of: first))
            #expect(!cleo.opens(early, of: first))

            let epoch = try #require(calls[0].state.key?.epoch)
            await calls[0].remove(calls[2].own)
            #expect(try await calls[2].waitForEnd() == .removed)
            try await waitUntil("another key is in use") {
                calls[0].state.key?.epoch == epoch &+ 1
                    && calls[1].state.members.first { $0.number == first }?.key == calls[0].state.key
            }
            let late = try anna.seal()
            #expect(ben.opens(late, of: first))
            #expect(!cleo.opens(late, of: first))
            for call in calls { await call.hangUp() }
        }
    }

    @Test func `in a group call there is no room for a call of two`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let calls = try await company.talk([company.contactBen], [company.ben], .audio)
            let contactAnna = try await company.cleo.contact(named: "Anna")
            let call = try await company.cleo.call(contactAnna, media: .audio)
            #expect(try await call.endReason() == .peerBusy)
            await #expect(throws: AccountError.call(.busy)) {
                _ = try await company.anna.call(company.contactCleo, media: .audio)
            }
            #expect(calls[0].state.stage == .acceptedOn)
            for call in calls.reversed() { await call.hangUp() }
            try await waitUntil("there is room again") { await !company.anna.isInGroupCall }
            let again = try await company.cleo.call(contactAnna, media: .audio)
            #expect(try await company.anna.incoming(again.id).state.isRinging)
            await again.hangUp()
        }
    }

    @Test func `during a call of two who invites is told that the person is busy`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let contactAnna = try await company.cleo.contact(named: "Anna")
            let two = try await company.cleo.call(contactAnna, media: .audio)
            _ = try await company.anna.incoming(two.id)
            let annaOfBen = try await company.ben.contact(named: "Anna")
            let group = try await company.ben.groupCall(with: [annaOfBen], media: .audio)
            #expect(try await group.waitForEnd() == .nobodyJoined)
            #expect(group.state.members.map(\.stage) == [.busy])
            await #expect(throws: AccountError.call(.busy)) {
                _ = try await company.anna.groupCall(with: [company.contactBen], media: .audio)
            }
            await two.hangUp()
        }
    }

    @Test func `only who has said that they take part can be invited`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood, cleoTakes: false)
            await #expect(throws: AccountError.group(.notTaken("Cleo"))) {
                _ = try await company.anna.groupCall(with: [company.contactBen, company.contactCleo], media: .audio)
            }
            let contactAnna = try await company.cleo.contact(named: "Anna")
            await #expect(throws: AccountError.group(.notOffered)) {
                _ = try await company.cleo.groupCall(with: [contactAnna], media: .audio)
            }
            #expect(await company.anna.book[company.contactCleo.id]?.abilities == .own)
            #expect(await company.anna.book[company.contactBen.id]?.abilities == .own(takingGroups: true))
            #expect(await !company.anna.isInGroupCall)
        }
    }

    @Test func `lines that a crash has left are deleted at the next start, and who comes back keeps theirs`()
        async throws
    {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let calls = try await company.talk(
                [company.contactBen, company.contactCleo], [company.ben, company.cleo], .audio)
            // As if it had died while another line was being made.
            let orphan = try await company.ben.agent.makeInvitation().connection
            await company.ben.close()
            // What is on disk then.
            var making = GroupLineBook()
            making.makingCount = 1
            let again = try await neighbourhood.open("Ben") { $0.takesGroupCalls = true }
            #expect(await again.contacts().map(\.name) == ["Anna"])
            #expect(again.groups.lines.count == 1)
            #expect(await again.canReturnToGroupCall)
            try await again.agent.setApplicationData("group-lines", to: making.encoded)
            await again.close()

            // Nobody comes back into a call any more: nothing of it stays.
            let last = try await neighbourhood.open("Ben") { $0.takesGroupCalls = false }
            try await waitUntil("nothing is left") { try await last.connectionCount == 1 }
            #expect(last.groups.lines.count == 0)
            #expect(await last.contacts().map(\.name) == ["Anna"])
            #expect(try await !last.agent.connections().contains { $0.id == orphan })
            for call in calls { await call.hangUp() }
        }
    }
}
