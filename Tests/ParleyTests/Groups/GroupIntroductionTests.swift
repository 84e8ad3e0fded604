import Calling
import Signaling
import TestSupport
import Testing

@testable import Parley

/// Contacts whom a third person has invited into a call of several.
@Suite("Contacts invited by somebody else", .serialized, .timeLimit(.minutes(5))) struct GroupIntroductionTests {
    private func member(_ call: GroupCall, at other: GroupCall) -> GroupCallState.Member? {
        other.state.members.first { $0.number == call.own }
    }

    @Test func `each of two contacts sees the other as the contact, with the code of their connection`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let cleo = try await Company.introduce(company.ben, company.cleo)
            try await company.ben.rename(cleo.id, to: "Cleopatra")
            let code = try #require(try await company.ben.securityCode(of: cleo.id))
            try await company.ben.setCompared(code, of: cleo.id)
            let calls = try await company.talk(
                [company.contactBen, company.contactCleo], [company.ben, company.cleo], .audio)
            try await waitUntil("each knows the other") {
                member(calls[2], at: calls[1])?.contact == cleo.id && member(calls[1], at: calls[2])?.contact != nil
            }
            #expect(calls[1].state.members.map(\.name) == ["Anna", "Cleopatra"])
            #expect(try await company.ben.securityCode(of: calls[2].own, in: calls[1]) == code)
            #expect(try await company.cleo.securityCode(of: calls[1].own, in: calls[2]) == code)
            // They still reach each other by a line, and neither can be invited again.
            #expect(company.ben.groups.lines.count == 1)
            await #expect(throws: AccountError.group(.refused(.notNow))) {
                try await company.ben.invite(cleo, to: calls[1])
            }
            for call in calls.reversed() { await call.hangUp() }
            try await waitUntil("it is logged") {
                try await company.ben.callLog().next().first?.record.members.map(\.contact?.rawValue).last
                    == cleo.id.rawValue
            }
        }
    }

    @Test func `who only has the contact's name stays introduced`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            // Ben knows another Cleo.
            let other = try await neighbourhood.open("Other") {
                $0.displayName = "Cleo"
                $0.takesGroupCalls = true
            }
            try await Company.introduce(company.ben, other)
            #expect(await company.ben.recognitionSecrets.count == 2)
            let calls = try await company.talk(
                [company.contactBen, company.contactCleo], [company.ben, company.cleo], .audio)
            // What comes behind the greeting has come: so has that.
            await calls[2].raiseHand(true)
            try await waitUntil("the hand is seen") { member(calls[2], at: calls[1])?.shows.hand == true }
            #expect(member(calls[2], at: calls[1])?.contact == nil)
            for call in calls { await call.hangUp() }
        }
    }

    @Test func `a contact that the person has blocked is not recognised, and does not learn who is there`() async throws
    {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let cleo = try await Company.introduce(company.ben, company.cleo)
            try await company.ben.setBlocked(true, cleo.id)
            let calls = try await company.talk(
                [company.contactBen, company.contactCleo], [company.ben, company.cleo], .audio)
            for (one, other) in [(calls[1], calls[2]), (calls[2], calls[1])] {
                await one.raiseHand(true)
                try await waitUntil("the hand is seen") { member(one, at: other)?.shows.hand == true }
                #expect(member(one, at: other)?.contact == nil)
            }
            for call in calls { await call.hangUp() }
        }
    }

    @Test func `two who become contacts have told each other what they recognise each other by, once`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood, cleoTakes: false)
            let ofBen = try #require(await company.anna.book[company.contactBen.id])
            let contactAnna = try await company.ben.contact(named: "Anna").id
            let ofAnna = try #require(await company.ben.book[contactAnna])
            #expect(ofBen.ownRecognitionSeed != nil && ofBen.ownRecognitionSeed == ofAnna.recognitionSeed)
            #expect(ofAnna.ownRecognitionSeed != nil && ofAnna.ownRecognitionSeed == ofBen.recognitionSeed)
            #expect(ofBen.knows(await company.anna.profile))
            // Cleo takes part in no such calls: she has told Anna nothing, and has nothing in common with her.
            #expect(await company.anna.recognitionSecrets.keys.map(\.self) == [company.contactBen.id])
            try await company.cleo.setTakesGroupCalls(true)
            try await waitUntil("Anna has heard Cleo's part") { await company.anna.recognitionSecrets.count == 2 }
            #expect(await company.cleo.recognitionSecrets.count == 1)
        }
    }

    @Test func `contacts of before hear what they are recognised by at the next start`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let anna = try await company.ben.contact(named: "Anna").id
            // As an earlier version left it.
            await company.ben.change(anna) { $0.ownRecognitionSeed = nil }
            await company.anna.change(company.contactBen.id) { $0.recognitionSeed = nil }
            await company.ben.close()
            let again = try await neighbourhood.open("Ben") { $0.takesGroupCalls = true }
            try await waitUntil("Anna knows") {
                await company.anna.book[company.contactBen.id]?.recognitionSeed != nil
            }
            try await waitUntil("it is noted") { await again.book[anna]?.ownRecognitionSeed != nil }
            #expect(
                await again.book[anna]?.ownRecognitionSeed
                    == company.anna.book[company.contactBen.id]?.recognitionSeed)
        }
    }

    @Test func `who was told by a program that reads no seeds is told again when another one answers`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let anna = try await company.ben.contact(named: "Anna").id
            // Anna's former program has read nothing of what Ben told, and Ben knows nothing of hers.
            let told = try #require(await company.anna.book[company.contactBen.id]?.recognitionSeed)
            await company.ben.change(anna) { $0.recognitionSeed = nil }
            await company.anna.change(company.contactBen.id) {
                ($0.ownRecognitionSeed, $0.recognitionSeed) = (nil, nil)
            }
            await company.anna.tellProfile(to: company.contactBen.id)
            try await waitUntil("Anna knows Ben's") {
                await company.anna.book[company.contactBen.id]?.recognitionSeed == told
            }
            #expect(await company.ben.book[anna]?.recognitionSeed != nil)
        }
    }
}
