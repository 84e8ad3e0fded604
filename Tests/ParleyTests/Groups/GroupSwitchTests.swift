import Calling
import Signaling
import TestSupport
import Testing

@testable import Parley

/// Whether calls of several are made and taken, as it is switched while a profile is open, and what follows from that.
@Suite("The switch of calls of several", .serialized, .timeLimit(.minutes(5))) struct GroupSwitchTests {
    @Test func `who switches them on is told to the contacts and remembered`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood, cleoTakes: false)
            #expect(await company.anna.contacts().map(\.takesGroupCalls) == [true, false])
            try await company.cleo.setTakesGroupCalls(true)
            try await waitUntil("Anna knows that Cleo takes them") {
                await company.anna.contacts().allSatisfy(\.takesGroupCalls)
            }
            let call = try await company.anna.groupCall(with: [company.contactCleo], media: .audio)
            _ = try await company.cleo.incomingGroup(call.id)
            await call.hangUp()
            await company.cleo.close()
            let again = try await neighbourhood.open("Cleo")
            #expect(again.takesGroupCalls)
        }
    }

    @Test func `who switches them off leaves the call, and can’t be called so any more`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let calls = try await company.talk(
                [company.contactBen, company.contactCleo], [company.ben, company.cleo], .audio)
            try await company.cleo.setTakesGroupCalls(false)
            #expect(try await calls[2].waitForEnd() == .hungUp)
            #expect(await !company.cleo.canReturnToGroupCall)
            try await waitUntil("Anna knows") { await company.anna.contacts().map(\.takesGroupCalls) == [true, false] }
            await calls[0].hangUp()
            await #expect(throws: AccountError.group(.notTaken("Cleo"))) {
                _ = try await company.anna.groupCall(with: [company.contactCleo], media: .audio)
            }
        }
    }

    @Test func `who leaves a call that goes on is told that they can come back, until it does not`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let calls = try await company.talk(
                [company.contactBen, company.contactCleo], [company.ben, company.cleo], .audio)
            var news = company.ben.updates.compactMap { update -> Bool? in
                if case .groupCallGoesOn(let call) = update { call != nil } else { nil }
            }.makeAsyncIterator()
            await calls[1].hangUp()
            #expect(await news.next() == true)
            let entry = try await company.ben.entries(1)[0].record
            #expect(await company.ben.keptGroup?.call.callID == entry.callID, "the log says which call goes on")
            #expect(entry.groupReason == .hungUp && entry.name == "Anna, Cleo")
            await calls[2].hangUp()
            await calls[0].hangUp()
            #expect(await news.next() == false)
        }
    }

    @Test func `a call that nobody joins takes nobody's way back into another`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let calls = try await company.talkThatBenLeaves()
            let anna = try await company.ben.contact(named: "Anna")
            let vain = try await company.ben.groupCall(with: [anna], media: .audio)
            // She is in the other one.
            #expect(try await vain.waitForEnd() == .nobodyJoined)
            #expect(await company.ben.canReturnToGroupCall)
            let back = try await company.ben.returnToGroupCall()
            #expect(back.id == calls[0].id)
            try await Company.waitUntilAllHearAll([calls[0], back, calls[2]])
            for call in [back, calls[2], calls[0]] { await call.hangUp() }
        }
    }

    @Test func `who is called back in and does not answer may still come back`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let calls = try await company.talkThatBenLeaves()
            let rings = try await company.callBenBack(into: calls[0])
            let number = rings.own
            await calls[0].remove(number)
            #expect(try await rings.waitForEnd() == .missed)
            #expect(await company.ben.canReturnToGroupCall, "it was only taken back")
            await calls[2].hangUp()
            await calls[0].hangUp()
            try await waitUntil("Ben hears that all have left") { await !company.ben.canReturnToGroupCall }
        }
    }

    @Test func `who is being called back in hears that another leaves`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let calls = try await company.talkThatBenLeaves()
            let rings = try await company.callBenBack(into: calls[0])
            await calls[2].hangUp()
            try await waitUntil("Ben hears that Cleo has left") {
                await company.ben.keptGroup?.call.roster.members.first { $0.number == calls[2].own }?.standing == .left
            }
            await rings.hangUp()
            #expect(await company.ben.canReturnToGroupCall, "Anna waits")
            await calls[0].hangUp()
            try await waitUntil("nothing to come back into") { await !company.ben.canReturnToGroupCall }
        }
    }

    @Test func `whose program hears late that they were called back in may still come back`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let calls = try await company.talk(
                [company.contactBen, company.contactCleo], [company.ben, company.cleo], .audio)
            let (id, anna) = (calls[0].id, try await company.ben.contact(named: "Anna").id)
            let name = try #require(MemberName(parsing: "Anna"))
            await calls[1].hangUp()
            let invitation = GroupInvitation(
                own: calls[1].own, inviter: calls[0].own, host: calls[0].own, media: .audio,
                members: [.init(number: calls[0].own, name: name)])
            for message in [GroupMessage.invitation(invitation), .over(nil)] {
                // An hour old.
                let time = SystemCallClock().wallClock() - 3_600
                _ = await company.ben.receive(message, of: id, from: anna, brokerTime: time, isLive: true)
            }
            #expect(await company.ben.canReturnToGroupCall, "only the invitation was taken back")
            _ = await company.ben.receive(
                .over(nil), of: id, from: anna, brokerTime: SystemCallClock().wallClock(), isLive: true)
            #expect(await !company.ben.canReturnToGroupCall, "this is the end of the call")
            for call in [calls[2], calls[0]] { await call.hangUp() }
        }
    }

    @Test func `who comes back after a line has gone hears all again`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let calls = try await company.talkThatBenLeaves()
            #expect(await company.ben.keptGroup?.call.lines == [calls[2].own])
            // As an invitation back does that comes to nothing.
            await company.ben.groups.lines.closeLine(to: calls[2].own, of: calls[0].id)
            let back = try await company.ben.returnToGroupCall()
            try await Company.waitUntilAllHearAll([calls[0], back, calls[2]])
            for call in [back, calls[2], calls[0]] { await call.hangUp() }
        }
    }

    @Test func `who has left and come back keeps the call on for those who are out`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let calls = try await company.talkThatBenLeaves()
            try await waitUntil("Cleo sees that Ben has left") {
                calls[2].state.members.first { $0.number == calls[1].own }?.stage == .left
            }
            await calls[2].hangUp()
            try await waitUntil("Ben hears that Cleo has left") {
                await company.ben.keptGroup?.call.roster.members.first { $0.number == calls[2].own }?.standing == .left
            }
            let back = try await company.cleo.returnToGroupCall()
            try await Company.waitUntilAllHearAll([calls[0], back])
            try await waitUntil("Ben hears that she is back") {
                await company.ben.keptGroup?.call.roster.members.first { $0.number == calls[2].own }?.standing == .isIn
            }
            await calls[0].hangUp()
            try await waitUntil("Ben hears that Anna has left") {
                await company.ben.keptGroup?.call.roster.members.first { $0.number == calls[0].own }?.standing == .left
            }
            #expect(await company.ben.canReturnToGroupCall)
            await back.hangUp()
            try await waitUntil("nothing to come back into") { await !company.ben.canReturnToGroupCall }
        }
    }

    @Test func `two who hang up at the same time leave nobody with a way back`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let calls = try await company.talkThatBenLeaves()
            try await waitUntil("both know") {
                [calls[0], calls[2]].allSatisfy { call in call.state.members.count { $0.stage == .left } == 1 }
            }
            #expect(await company.ben.canReturnToGroupCall)
            async let one: Void = calls[0].hangUp()
            async let other: Void = calls[2].hangUp()
            _ = await (one, other)
            for (name, account) in [("Anna", company.anna), ("Ben", company.ben), ("Cleo", company.cleo)] {
                try await waitUntil("nothing for \(name) to come back into") { await !account.canReturnToGroupCall }
            }
        }
    }

    @Test func `a call that the end of the process cuts off is in the log with who was in it`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let calls = try await company.talk(
                [company.contactBen, company.contactCleo], [company.ben, company.cleo], .audio)
            try await waitUntil("that it is on is kept") {
                let kept = try await company.ben.underWay().first
                return kept?.answeredAt != nil && kept?.members.count == 2
            }
            await company.ben.kill()
            let again = try await neighbourhood.open("Ben") { $0.takesGroupCalls = true }
            #expect(
                try await again.cutOffNotice()
                    == "The call with Anna, Cleo was cut off because Parley ended unexpectedly.")
            let entry = try await again.entries(1)[0].record
            #expect(entry.members.map(\.name) == ["Anna", "Cleo"] && entry.members[1].contact == nil)
            #expect(entry.callID == calls[0].id && entry.result == .connectionLost && entry.endedAt == nil)
            #expect(await again.canReturnToGroupCall)
            for call in calls { await call.hangUp() }
        }
    }

    @Test func `who calls somebody in place of a call of several leaves that`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let calls = try await company.talk([company.contactCleo], [company.cleo], .audio)
            await #expect(throws: AccountError.call(.busy)) {
                _ = try await company.anna.call(company.contactBen, media: .audio, present: .hold)
            }
            _ = try await company.anna.call(company.contactBen, media: .audio, present: .end)
            #expect(try await calls[0].waitForEnd() == .hungUp)
        }
    }
}

extension Company {
    /// A call of all three by sound, which goes on after Ben has left it.
    fileprivate func talkThatBenLeaves() async throws -> [GroupCall] {
        let calls = try await talk([contactBen, contactCleo], [ben, cleo], .audio)
        await calls[1].hangUp()
        return calls
    }

    /// Anna calls Ben back into the call that he has left: the call as it rings with him.
    fileprivate func callBenBack(into call: GroupCall) async throws -> GroupCall {
        try await waitUntil("Anna knows") { call.state.members.contains { $0.name == "Ben" && $0.stage == .left } }
        try await anna.invite(contactBen, to: call)
        return try await ben.incomingGroup(call.id)
    }
}
