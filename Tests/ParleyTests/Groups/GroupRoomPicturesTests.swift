import MediaRules
import TestSupport
import Testing

@testable import Media
@testable import Parley

/// What members of a call over a real call server tell each other of the pictures that they want.
@Suite(.timeLimit(.minutes(3)), .needs(JanusServer.obstacle)) struct GroupRoomPicturesTests {
    @Test func `who shows a member small tells it so, and is sent large pictures again once it shows it large`()
        async throws
    {
        try await Neighbourhood.withJanus { neighbourhood, server in
            let company = try await Company(neighbourhood) { $0.groupServer = server }
            let calls = try await company.talk([company.contactBen], [company.ben])
            let (anna, ben) = (calls[0], calls[1])
            /// What one says of the other's large pictures.
            func said(by one: GroupCall, to other: GroupCall) async -> Bool? {
                await other.session?.session.largeWishes.value[one.own.value]
            }
            try await waitUntil("both want large pictures") {
                let (ofAnna, ofBen) = (await said(by: ben, to: anna), await said(by: anna, to: ben))
                return ofAnna == true && ofBen == true
            }
            let feed = try #require(await ben.video(of: anna.own))
            feed.setShownSize(PictureSize(width: 160, height: 120))
            try await waitUntil("Anna hears that small ones are enough") { await said(by: ben, to: anna) == false }
            try await waitUntil("Ben sees small ones") { await ben.shownLayer(of: anna.own) == .low }
            #expect(await said(by: anna, to: ben) == true)
            feed.setShownSize(.vga)
            try await waitUntil("Anna hears that they are not") { await said(by: ben, to: anna) == true }
            try await waitUntil("Ben sees large ones") { await ben.shownLayer(of: anna.own) == .high }
        }
    }
}
