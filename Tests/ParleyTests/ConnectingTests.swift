import Agent
import Calling
import Foundation
import TestSupport
import Testing

@testable import Parley

@Suite(.timeLimit(.minutes(5))) struct ConnectingTests {
    @Test func `both sides learn the other's name`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            #expect(pair.contactBob.name == "Bob")
            #expect(pair.contactAnn.name == "Ann")
            #expect(await pair.ann.contacts() == [pair.contactBob])
            #expect(try await pair.bob.contact(named: "Ann") == pair.contactAnn)
        }
    }

    @Test func `contacts and relay outlive the program`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            await pair.ann.close()
            let again = try await neighbourhood.open("Ann") {
                $0.relays = .external([])
                $0.displayName = nil
            }
            #expect(await again.contacts() == [pair.contactBob])
            #expect(await again.displayName == "Ann")
            let call = try await again.call(pair.contactBob, media: .audio)
            let incoming = try await pair.bob.incoming(call.id)
            #expect(incoming.contact == pair.contactAnn)
        }
    }

    @Test func `names are sealed on disk`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood, bob: { $0.displayName = "Ebenezer Scrooge" })
            #expect(pair.contactBob.name == "Ebenezer Scrooge")
            await pair.ann.close()
            let directory = neighbourhood.folder.file("Ann")
            let files = try FileManager.default.contentsOfDirectory(atPath: directory)
            #expect(files.contains("agent.sqlite"))
            for file in files {
                let content = FileManager.default.contents(atPath: directory + "/" + file) ?? Data()
                #expect(content.range(of: Data("Scrooge".utf8)) == nil, "\(file) names the contact")
            }
        }
    }

    @Test func `a folder in use is refused until it is closed`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let first = try await neighbourhood.open("Ann")
            let folder = neighbourhood.folder.file("Ann")
            await #expect(throws: AccountError.inUse(folder)) { try await neighbourhood.open("Ann") }
            await first.close()
            _ = try await neighbourhood.open("Ann")
        }
    }

    @Test(arguments: ["", "hello", "simplex:/invitation", "https://example.org/invitation#/?v=2-7&smp=x&e2e=y"])
    func `what is no link is refused`(_ link: String) async throws {
        try await Neighbourhood.with { neighbourhood in
            let ann = try await neighbourhood.open("Ann")
            await #expect(throws: AccountError.link(.invalidLink)) { _ = try await ann.connect(link: link) }
            #expect(await ann.contacts().isEmpty)
        }
    }

    @Test func `without a relay there is no invitation`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let ann = try await neighbourhood.open("Ann") { $0.relays = .external([]) }
            await #expect(throws: AccountError.noRelay) { _ = try await ann.makeInvitation() }
        }
    }

    @Test func `waiting for somebody ends when it is cancelled`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let ann = try await neighbourhood.open("Ann")
            let invitation = try await ann.makeInvitation()
            let waiting = Task { try await invitation.connected() }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { _ = try await waiting.value }
        }
    }

    @Test func `waiting for somebody ends when the account closes`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let ann = try await neighbourhood.open("Ann")
            let invitation = try await ann.makeInvitation()
            let waiting = Task { try await invitation.connected() }
            await ann.close()
            await #expect(throws: AccountError.closed) { _ = try await waiting.value }
        }
    }

    @Test func `a link is kept until somebody opens it`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let ann = try await neighbourhood.open("Ann")
            let link = try await ann.makeInvitation().link
            #expect(await ann.contacts().map(\.invitation) == [link])
            await ann.close()

            let again = try await neighbourhood.open("Ann")
            let kept = try #require(await again.contacts().first)
            #expect(kept.invitation == link)
            let bob = try await neighbourhood.open("Bob")
            let contact = try await bob.connect(link: link)
            #expect(contact.invitation == nil)
            let connected = try await limited("Ann is connected") { try await again.connected(kept.id) }
            #expect(connected.invitation == nil)
        }
    }

    @Test func `a contact who has not connected cannot be called`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let ann = try await neighbourhood.open("Ann")
            _ = try await ann.makeInvitation()
            let contact = try #require(await ann.contacts().first)
            #expect(!contact.isConnected)
            await #expect(throws: AccountError.notConnected(contact.name)) {
                _ = try await ann.call(contact, media: .audio)
            }
        }
    }

    @Test func `a removed contact is gone and learns of it`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let notice = Task { [updates = pair.bob.updates] in
                for await update in updates { if case .notice(let notice) = update { return notice as AccountNotice? } }
                return nil
            }
            try await pair.ann.remove(pair.contactBob.id)
            #expect(await pair.ann.contacts().isEmpty)
            #expect(try await limited("Bob is told") { await notice.value } == .removed("Ann"))
            let contact = try #require(await pair.bob.contacts().first)
            #expect(!contact.isConnected)
            #expect(contact.trouble == .gone)
            await #expect(throws: AccountError.contactGone("Ann")) {
                _ = try await pair.bob.call(pair.contactAnn, media: .audio)
            }
        }
    }

    @Test func `a call to somebody who has gone without a word ends and says so`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            // As when a farewell was lost, or a program that sends none deletes the contact.
            try await pair.ann.agent.delete(Account.connection(of: pair.contactBob))
            try await waitUntil("Ann's mailbox is gone") { try await pair.ann.agent.connections().isEmpty }
            let call = try await pair.bob.call(pair.contactAnn, media: .audio)
            #expect(try await call.endReason() == .contactGone)
            try await waitUntil("the contact is said to have gone") {
                await pair.bob.contacts().map(\.trouble) == [.gone]
            }
        }
    }

    @Test func `whoever is heard of again is not gone`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            await pair.bob.noteGone(pair.contactAnn.id)
            #expect(await pair.bob.contacts().map(\.trouble) == [.gone])
            let (_, incoming) = try await pair.ring(.audio)
            #expect(incoming.contact.isConnected)
            #expect(await pair.bob.contacts() == [pair.contactAnn])
        }
    }

    @Test func `a link that failed says why also after a restart and can be tried again`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let ann = try await neighbourhood.open("Ann")
            let invitation = try await ann.makeInvitation(.full)
            let bob = try await neighbourhood.open("Bob")
            _ = try await bob.connect(link: invitation.link)
            // A link is for one person.
            let carol = try await neighbourhood.open("Carol")
            let pending = try await carol.join(link: invitation.link)
            await #expect(throws: AccountError.self) { _ = try await pending.connected() }
            let failed = try #require(await carol.contacts().first)
            guard case .failed(let fault, canRetry: true) = failed.trouble else {
                Issue.record("\(String(describing: failed.trouble))")
                return
            }
            #expect(fault == .agent(.peerGone))

            await carol.close()
            let again = try await neighbourhood.open("Carol")
            #expect(await again.contacts() == [failed])
            let second = try await again.retry(failed.id)
            #expect(second.id != failed.id)
            #expect(await again.contacts().map(\.id) == [second.id])
            await #expect(throws: AccountError.self) { _ = try await second.connected() }
        }
    }

    @Test func `messages of no use disturb nothing`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let connection = Account.connection(of: pair.contactBob)
            let unknownCall = "AAAAAAAAAAAAAAAAAAAAAA=="
            let bodies = [
                "", "{", "[", "X", "=", "\u{0}\u{1}", "null", "{\"event\":1}", "[{},{}]",
                "{\"v\":\"1-9\",\"event\":\"x.later\",\"params\":{\"a\":[1,{}]}}",
                "{\"v\":\"1\",\"event\":\"x.call.inv\",\"params\":{\"callId\":7}}",
                "{\"v\":\"1\",\"event\":\"x.call.end\",\"params\":{\"callId\":\"\(unknownCall)\"}}",
                """
                {"v":"1","event":"x.call.offer","params":{"callId":"\(unknownCall)","offer":{"callType":{"media":"video",\
                "capabilities":{"encryption":true}},"rtcSession":{"rtcSession":"====","rtcIceCandidates":"!"}}}}
                """,
            ]
            for body in bodies { _ = try await pair.ann.agent.send(Array(body.utf8), on: connection, notify: false) }
            let (_, incoming) = try await pair.ring(.audio)
            #expect(incoming.contact == pair.contactAnn)
        }
    }
}

extension Account {
    static func connection(of contact: Contact) -> ConnectionID {
        ConnectionID(rawValue: contact.id.rawValue)
    }
}
