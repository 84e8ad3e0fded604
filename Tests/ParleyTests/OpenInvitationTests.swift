import Foundation
import TestSupport
import Testing

@testable import Parley

/// Links that were made for one person and that nobody has opened yet.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OpenInvitationTests {
    @Test func `open links are listed with for whom, when and how far, also after a restart`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let before = Date().addingTimeInterval(-2)
            let ann = try await neighbourhood.open("Ann")
            let named = try await ann.makeInvitation(for: "Aunt Hilda")
            let other = try await ann.makeInvitation()
            _ = try await ann.makeContactAddress()
            func check(_ invitations: [OpenInvitation]) {
                #expect(invitations.map(\.link) == [named.link, other.link])
                #expect(invitations.map(\.isNamed) == [true, false])
                #expect(invitations.first?.contact == "Aunt Hilda")
                #expect(invitations.allSatisfy { $0.reach == .thisMachine })
                #expect(invitations.allSatisfy { $0.date.map { (before...Date()).contains($0) } ?? false })
            }
            check(await ann.openInvitations())
            await ann.close()
            check(try await neighbourhood.open("Ann").openInvitations())
        }
    }

    @Test func `who opens a link keeps the name it was made for, and the link is not open any more`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let (ann, bob) = (try await neighbourhood.open("Ann"), try await neighbourhood.open("Bob"))
            let invitation = try await ann.makeInvitation(for: "Bobby")
            _ = try await bob.connect(link: invitation.link)
            let contact = try await invitation.connected()
            #expect(contact.name == "Bobby" && contact.ownName == "Bob" && contact.isNamedHere)
            #expect(await ann.openInvitations() == [])
            await #expect(throws: AccountError.invitationOpened) { try await ann.withdrawInvitation(invitation.id) }
            #expect(await ann.contacts().contains { $0.name == "Bobby" })
        }
    }

    @Test func `a link that was withdrawn connects nobody`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let (ann, bob) = (try await neighbourhood.open("Ann"), try await neighbourhood.open("Bob"))
            let invitation = try await ann.makeInvitation(.short)
            try await ann.withdrawInvitation(invitation.id)
            #expect(await ann.openInvitations() == [])
            #expect(await !ann.contacts().contains { $0.id == invitation.id })
            await #expect(throws: AccountError.self) { _ = try await bob.join(link: invitation.link) }
            await #expect(throws: AccountError.invitationOpened) { try await ann.withdrawInvitation(invitation.id) }
        }
    }

    @Test func `a name that can't be given makes no link`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let ann = try await neighbourhood.open("Ann")
            _ = try await ann.makeInvitation(for: "Hilda")
            await #expect(throws: AccountError.nameTaken("hilda")) { _ = try await ann.makeInvitation(for: " hilda ") }
            await #expect(throws: AccountError.nameUnusable) { _ = try await ann.makeInvitation(for: " \u{200B} ") }
            #expect(await ann.openInvitations().count == 1)
        }
    }
}
