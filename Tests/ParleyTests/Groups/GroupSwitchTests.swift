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
