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
                if case .groupCallGoesOn(let goesOn) = update { goesOn } else { nil }
            }.makeAsyncIterator()
            await calls[1].hangUp()
            #expect(await news.next() == true)
            await calls[2].hangUp()
            await calls[0].hangUp()
            #expect(await news.next() == false)
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
