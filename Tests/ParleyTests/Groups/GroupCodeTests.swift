import Calling
import Signaling
import TestSupport
import Testing

@testable import Parley

/// The codes that those in a call of several compare.
@Suite("Codes in calls of several", .serialized, .timeLimit(.minutes(5))) struct GroupCodeTests {
    /// Anna has invited Ben and Cleo, who know each other by her alone.
    private func talk(
        _ body: @escaping @Sendable (_ company: Company, _ calls: [GroupCall]) async throws -> Void
    ) async throws {
        try await Neighbourhood.with { neighbourhood in
            let company = try await Company(neighbourhood)
            let calls = try await company.talk(
                [company.contactBen, company.contactCleo], [company.ben, company.cleo], .audio)
            try await body(company, calls)
            for call in calls { await call.hangUp() }
        }
    }

    private func member(_ number: MemberNumber, of call: GroupCall) -> GroupCallState.Member? {
        call.state.members.first { $0.number == number }
    }

    @Test func `who was introduced sees the same code as the other, and no other pair does`() async throws {
        try await talk { company, calls in
            let (anna, ben, cleo) = (calls[0].own, calls[1].own, calls[2].own)
            let accounts = [company.anna, company.ben, company.cleo]
            func code(_ from: Int, _ to: MemberNumber) async throws -> String {
                try #require(try await accounts[from].securityCode(of: to, in: calls[from]))
            }
            let pairs = [
                [try await code(0, ben), try await code(1, anna)], [try await code(0, cleo), try await code(2, anna)],
                [try await code(1, cleo), try await code(2, ben)],
            ]
            for pair in pairs { #expect(pair[0] == pair[1]) }
            #expect(Set(pairs.map { $0[0] }).count == 3)
            #expect(try await company.anna.securityCode(of: company.contactBen.id) == pairs[0][0])
        }
    }

    @Test func `a mark holds for the code there is, and as long as the line that has it`() async throws {
        try await talk { company, calls in
            let cleo = calls[2].own
            await #expect(throws: AccountError.codeChanged) {
                try await company.ben.setCompared("12345", of: cleo, in: calls[1])
            }
            #expect(member(cleo, of: calls[1])?.isCompared == false)
            let code = try await company.ben.securityCode(of: cleo, in: calls[1])
            try await company.ben.setCompared(code, of: cleo, in: calls[1])
            #expect(member(cleo, of: calls[1])?.isCompared == true)
            // It stays when other things are told.
            await calls[2].raiseHand(true)
            try await waitUntil("the hand is seen") { member(cleo, of: calls[1])?.shows.hand == true }
            #expect(member(cleo, of: calls[1])?.isCompared == true)
            await calls[2].hangUp()
            try await waitUntil("the mark is gone") { member(cleo, of: calls[1])?.isCompared == false }
        }
    }

    @Test func `of a contact the mark outlives the call`() async throws {
        try await talk { company, calls in
            let ben = calls[1].own
            let code = try await company.anna.securityCode(of: ben, in: calls[0])
            try await company.anna.setCompared(code, of: ben, in: calls[0])
            #expect(await company.anna.contacts().filter(\.isCompared).map(\.name) == ["Ben"])
            try await company.anna.setCompared(nil, of: ben, in: calls[0])
            #expect(await company.anna.contacts().allSatisfy { !$0.isCompared })
        }
    }
}
