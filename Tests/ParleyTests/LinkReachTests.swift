import SMP
import TestSupport
import Testing
import Wording

@testable import Parley

/// From where links can be opened.
@Suite(.serialized, .timeLimit(.minutes(5))) struct LinkReachTests {
    @Test(arguments: [LinkForm.full, .short])
    func `a link says from where it can be opened, by its relay's address`(form: LinkForm) async throws {
        try await Neighbourhood.with { neighbourhood in
            let account = try await neighbourhood.open("Ann")
            let link = try await account.makeInvitation(form).link
            #expect(RelayReach(link: link) == .thisMachine)
            #expect(await account.linkReach == .thisMachine)
            let elsewhere = link.replacing("127.0.0.1", with: "desk.local")
            #expect(elsewhere != link && RelayReach(link: elsewhere) == .thisNetwork)
            let far = link.replacing("127.0.0.1", with: "relay.example.org")
            #expect(RelayReach(link: far) == .everywhere)
        }
    }

    @Test func `what is no link has no reach`() {
        for text in ["", "hello", "https://example.org", "simplex:/invitation#/?v=2"] {
            #expect(RelayReach(link: text) == nil)
        }
    }

    @Test func `who reaches further than this machine is told nothing, others what to do`() {
        #expect(RelayReach.everywhere.linkSentence == nil)
        #expect(RelayReach.thisMachine.linkSentence?.contains("relay") == true)
        #expect(RelayReach.thisNetwork.linkSentence != RelayReach.thisMachine.linkSentence)
    }
}
