import Calling
import Foundation
import TestSupport
import Testing

@testable import Parley

/// Contact addresses, requests, and links of every form.
@Suite(.timeLimit(.minutes(5))) struct AddressTests {
    @Test(arguments: [LinkForm.full, .short])
    func `who asks at an address is a contact once accepted`(_ form: LinkForm) async throws {
        try await Neighbourhood.with { neighbourhood in
            let ann = try await neighbourhood.open("Ann")
            let bob = try await neighbourhood.open("Bob")
            #expect(try await ann.contactAddress() == nil)
            let link = try await ann.makeContactAddress(form)
            #expect(try await ann.contactAddress() == link)
            #expect(try await ann.makeContactAddress() == link)
            #expect(LinkKind(link: link) == .address)
            let pending = try await bob.join(link: link)
            #expect(pending.kind == .address)
            let request = try await ann.request()
            #expect(request.name == "Bob")
            #expect(abs(request.date.timeIntervalSinceNow) < 3_600)
            #expect(try await ann.contactRequests() == [request])
            #expect(await ann.contacts().isEmpty)

            async let asked = pending.connected()
            let contactBob = try await ann.accept(request.id).connected()
            #expect(contactBob.name == "Bob")
            #expect(try await asked.name == "Ann")
            #expect(try await ann.contactRequests().isEmpty)
            await #expect(throws: AccountError.unknownRequest) { _ = try await ann.accept(request.id) }
            await #expect(throws: AccountError.unknownRequest) { try await ann.reject(request.id) }
            let call = try await ann.call(contactBob, media: .audio)
            #expect(try await bob.incoming(call.id).contact.name == "Ann")
        }
    }

    @Test func `a request outlives the program and a rejected one is gone`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let ann = try await neighbourhood.open("Ann")
            let bob = try await neighbourhood.open("Bob")
            _ = try await bob.join(link: try await ann.makeContactAddress())
            let request = try await ann.request()
            await ann.close()
            let again = try await neighbourhood.open("Ann")
            #expect(try await again.request() == request)
            try await again.reject(request.id)
            #expect(try await again.contactRequests().isEmpty)
            #expect(await again.contacts().isEmpty)
        }
    }

    @Test func `a deleted address takes its requests along and leaves its contacts`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let ann = try await neighbourhood.open("Ann")
            let (bob, cleo) = (try await neighbourhood.open("Bob"), try await neighbourhood.open("Cleo"))
            let link = try await ann.makeContactAddress()
            _ = try await bob.join(link: link)
            let contact = try await ann.accept(try await ann.request().id).connected()
            _ = try await cleo.join(link: link)
            _ = try await ann.request()
            try await ann.deleteContactAddress()
            #expect(try await ann.contactAddress() == nil)
            #expect(try await ann.contactRequests().isEmpty)
            #expect(await ann.contacts() == [contact])
            #expect(try await ann.makeContactAddress() != link)
        }
    }

    @Test func `the form of a link is the one that was asked for`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let ann = try await neighbourhood.open("Ann")
            let full = try await ann.makeInvitation(.full).link
            let short = try await ann.makeInvitation(.short).link
            #expect(full.contains("/invitation#"))
            #expect(short.contains("/i#"))
            #expect(short.utf8.count < full.utf8.count)
            for link in [full, short] { #expect(LinkKind(link: " \(link)\n") == .invitation) }
            #expect(LinkKind(link: "https://example.org") == nil)
        }
    }
}

extension Account {
    /// Waits for somebody who asks.
    nonisolated func request() async throws -> IncomingRequest {
        try await limited("a request comes in") { [updates] in
            for await update in updates {
                if case .requests(let requests) = update, let request = requests.first { return request }
            }
            throw Overdue("The account was closed before a request came.")
        }
    }
}
