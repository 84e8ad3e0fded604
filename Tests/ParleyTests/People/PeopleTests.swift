import Agent
import Calling
import Foundation
import Signaling
import TestSupport
import Testing

@testable import Parley

/// What is known and kept of contacts, and what they are sent of the own profile, with real accounts and a real relay.
@Suite(.serialized, .timeLimit(.minutes(5))) struct PeopleTests {
    private static func picture() throws -> ProfilePicture { try ProfilePicture(decoding: SamplePictures.jpeg) }

    /// How a contact stands in an account's list.
    private static func contact(_ id: ContactID, of account: Account) async throws -> Contact {
        try #require(await account.contacts().first { $0.id == id })
    }

    private static func connection(_ contact: Contact) -> ConnectionID { ConnectionID(rawValue: contact.id.rawValue) }

    /// Sends something that changes nothing. - Returns: Its number; numbers have no gaps.
    @discardableResult
    private static func mark(_ from: Account, _ to: Contact) async throws -> Int64 {
        let message = #"{"v":"1","event":"x.test","params":{}}"#
        return try await from.agent.send(Array(message.utf8), on: connection(to), notify: false)
    }

    @Test func `a changed profile reaches a contact whole, and is there after a restart`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let own = OwnProfile(
                displayName: "Anna", shortDescription: "  At sea\n until May ", picture: try Self.picture())
            try await pair.ann.setProfile(own)
            try await waitUntil("Bob has it") {
                await pair.bob.contacts().contains { $0.offeredName == "Anna" && $0.picture != nil }
            }
            let seen = try await Self.contact(pair.contactAnn.id, of: pair.bob)
            #expect(seen.name == "Ann")
            #expect(seen.ownName == "Anna")
            #expect(seen.shortDescription == "At sea until May")
            #expect(seen.picture == own.picture)
            await pair.bob.close()
            let again = try await neighbourhood.open("Bob")
            #expect(try await Self.contact(pair.contactAnn.id, of: again).picture == own.picture)
            await pair.ann.close()
            let ann = try await neighbourhood.open("Ann") { $0.displayName = nil }
            #expect(
                await ann.ownProfile
                    == OwnProfile(
                        displayName: "Anna", shortDescription: "At sea until May", picture: try Self.picture()))
            try await ann.setProfile(OwnProfile(displayName: "Anna"))
            try await waitUntil("it is gone") {
                await again.contacts().contains { $0.picture == nil && $0.shortDescription == nil }
            }
        }
    }

    @Test func `both sides can change theirs at once`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            async let first: Void = pair.ann.setProfile(
                OwnProfile(displayName: "Ann", picture: try ProfilePicture(decoding: SamplePictures.png)))
            async let second: Void = pair.bob.setProfile(OwnProfile(displayName: "Bob", picture: try Self.picture()))
            _ = try await (first, second)
            try await waitUntil("Bob has Ann's") { await pair.bob.contacts().first?.picture?.format == .png }
            try await waitUntil("Ann has Bob's") { await pair.ann.contacts().first?.picture?.format == .jpeg }
        }
    }

    @Test func `a profile that changes nothing is sent to nobody, and one that does once`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let first = try await Self.mark(pair.ann, pair.contactBob)
            try await pair.ann.setProfile(await pair.ann.ownProfile)
            #expect(try await Self.mark(pair.ann, pair.contactBob) == first + 1)
            var own = await pair.ann.ownProfile
            own.shortDescription = "New"
            try await pair.ann.setProfile(own)
            await pair.ann.tellProfile()
            await pair.ann.tellProfile(to: pair.contactBob.id)
            #expect(try await Self.mark(pair.ann, pair.contactBob) == first + 3)
            try await waitUntil("Bob has it") { await pair.bob.contacts().first?.shortDescription == "New" }
            await pair.ann.close()
            let again = try await neighbourhood.open("Ann")
            await again.tellProfile()
            #expect(try await Self.mark(again, pair.contactBob) == first + 4)
        }
    }

    @Test func `who is blocked hears of a change only when they are not any more`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            try await pair.ann.setBlocked(true, pair.contactBob.id)
            try await pair.ann.setProfile(OwnProfile(displayName: "Ann", shortDescription: "Secret"))
            let first = try await Self.mark(pair.ann, pair.contactBob)
            await pair.ann.tellProfile()
            #expect(try await Self.mark(pair.ann, pair.contactBob) == first + 1)
            // Whatever was sent before has come with this.
            var mark = Profile(displayName: "Mark", calls: .yes, abilities: .own)
            mark.contactLink = "mark"
            _ = try await pair.ann.agent.send(
                try ChatMessage(.information(mark)).encoded(), on: Self.connection(pair.contactBob), notify: false)
            try await waitUntil("all has come") { await pair.bob.contacts().first?.ownName == "Mark" }
            #expect(try await pair.bob.agent.applicationDataNames(prefix: "picture:").isEmpty)
            #expect(await pair.ann.book[pair.contactBob.id]?.knows(pair.ann.profile) == false)
            try await pair.ann.setBlocked(false, pair.contactBob.id)
            try await waitUntil("Bob has it") { await pair.bob.contacts().first?.shortDescription == "Secret" }
        }
    }

    @Test func `a change made while the relay is away is sent after a restart`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            await neighbourhood.server.stop()
            try await pair.ann.setProfile(OwnProfile(displayName: "Ann", shortDescription: "Late"))
            await pair.ann.close()
            #expect(await pair.bob.contacts().first?.shortDescription == nil)
            let ann = try await neighbourhood.open("Ann")
            #expect(await ann.ownProfile.shortDescription == "Late")
            _ = try await neighbourhood.server.start()
            try await waitUntil("Bob has it", within: .seconds(60)) {
                await pair.bob.contacts().first?.shortDescription == "Late"
            }
        }
    }

    @Test func `a change of the name by the configuration is sent, too`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            await pair.ann.close()
            _ = try await neighbourhood.open("Ann") { $0.displayName = "Annika" }
            try await waitUntil("Bob knows") { await pair.bob.contacts().first?.offeredName == "Annika" }
        }
    }

    @Test func `what the reference's apps send is taken`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let image = try Self.picture().text
            let text = """
                {"v":"1-14","msgId":"bm90aGVyZQ==","event":"x.info","params":{"profile":{"displayName":"ann","fullName":"Ann A.",\
                "shortDescr":"hi","image":"\(image)","preferences":{"timedMessages":{"allow":"yes"},"fullDelete":{"allow":"no"},\
                "reactions":{"allow":"yes"},"voice":{"allow":"yes"},"calls":{"allow":"always"}}}}}
                """
            _ = try await pair.ann.agent.send(Array(text.utf8), on: Self.connection(pair.contactBob), notify: false)
            try await waitUntil("it is taken") { await pair.bob.contacts().first?.ownName == "ann" }
            let seen = try await Self.contact(pair.contactAnn.id, of: pair.bob)
            #expect(seen.shortDescription == "hi")
            #expect(seen.picture == (try Self.picture()))
        }
    }

    @Test(arguments: ["data:image/gif;base64,R0lGODlh", "data:image/jpg;base64,/9j/", "nothing"])
    func `a picture that can't be taken is none, and counted`(image: String) async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            try await pair.ann.setProfile(OwnProfile(displayName: "Ann", picture: try Self.picture()))
            try await waitUntil("it is there") { await pair.bob.contacts().first?.picture != nil }
            var profile = await pair.ann.profile
            profile.image = image
            profile.shortDescription = "after"
            let message = try ChatMessage(.information(profile)).encoded()
            _ = try await pair.ann.agent.send(message, on: Self.connection(pair.contactBob), notify: false)
            try await waitUntil("it is taken") { await pair.bob.contacts().first?.shortDescription == "after" }
            #expect(await pair.bob.contacts().first?.picture == nil)
            #expect(await pair.bob.people.refusedPictures == 1)
        }
    }

    @Test func `who asks at the address shows picture and line, and keeps the labels put on them`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let (ann, bob) = (try await neighbourhood.open("Ann"), try await neighbourhood.open("Bob"))
            try await bob.setProfile(
                OwnProfile(displayName: "Bob", shortDescription: "A friend", picture: Self.picture()))
            let address = try await ann.makeContactAddress()
            let pending = try await bob.join(link: address)
            try await waitUntil("he asks") { try await !ann.contactRequests().isEmpty }
            let request = try #require(try await ann.contactRequests().first)
            #expect(request.shortDescription == "A friend")
            #expect(request.picture == (try Self.picture()))
            try await ann.setLabels([.suspectedSpam, .own("Work"), .suspectedSpam], ofRequest: request.id)
            #expect(try await ann.contactRequests().first?.labels == [.suspectedSpam, .own("Work")])
            await ann.close()
            let again = try await neighbourhood.open("Ann")
            #expect(try await again.contactRequests().first?.labels == [.suspectedSpam, .own("Work")])
            let accepted = try await again.accept(request.id)
            _ = try await pending.connected()
            let contact = try await accepted.connected()
            #expect(contact.labels == [.suspectedSpam, .own("Work")])
            #expect(contact.picture == (try Self.picture()))
            #expect(await again.people.requestLabels.isEmpty)
        }
    }

    @Test func `a call shows the labels of who calls`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            try await pair.bob.setLabels([.own("Work")], of: pair.contactAnn.id)
            let (ann, bob) = try await pair.ring(.audio)
            #expect(bob.contact.labels == [.own("Work")])
            await ann.hangUp()
            await #expect(throws: AccountError.tooManyLabels(10)) {
                try await pair.bob.setLabels((0..<11).map { .own("\($0)") }, of: pair.contactAnn.id)
            }
        }
    }

    @Test func `notes are kept with the contact and go with it`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let id = pair.contactBob.id
            #expect(try await pair.ann.note(on: id) == "")
            try await pair.ann.setNote("Birthday: 3 May\nLikes tea", on: id)
            await #expect(throws: AccountError.textTooLong(4_000)) {
                try await pair.ann.setNote(String(repeating: "é", count: 4_001), on: id)
            }
            await pair.ann.close()
            let ann = try await neighbourhood.open("Ann")
            #expect(try await ann.note(on: id) == "Birthday: 3 May\nLikes tea")
            try await ann.remove(id)
            #expect(try await ann.agent.applicationDataNames(prefix: "note:").isEmpty)
            #expect(try await ann.agent.applicationDataNames(prefix: "picture:").isEmpty)
        }
    }

    @Test func `that a code was compared is forgotten, and told, when the keys are new`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let id = pair.contactBob.id
            await #expect(throws: AccountError.codeChanged) { try await pair.ann.setCompared("12345", of: id) }
            let code = try #require(try await pair.ann.securityCode(of: id))
            try await pair.ann.setCompared(code, of: id)
            #expect(try await Self.contact(id, of: pair.ann).isCompared)
            let updates = pair.ann.updates
            try await pair.bob.resynchronise(pair.contactAnn.id, force: true)
            try await limited("the change is told") {
                for await case .notice(.codeChanged("Bob")) in updates { return }
            }
            #expect(try await !Self.contact(id, of: pair.ann).isCompared)
            #expect(try await pair.ann.securityCode(of: id) != code)
        }
    }

    @Test func `the last call is that of the log, and goes with it`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            #expect(await pair.bob.contacts().first?.lastCall == nil)
            let (ann, _) = try await pair.ring(.audio)
            await ann.hangUp()
            try await waitUntil("it is known") { await pair.bob.contacts().first?.lastCall?.isMissed == true }
            await pair.bob.close()
            let bob = try await neighbourhood.open("Bob")
            try await waitUntil("it is found") { await bob.contacts().first?.lastCall?.isMissed == true }
            try await bob.deleteAllCalls()
            try await waitUntil("it is gone") { await bob.contacts().first?.lastCall == nil }
        }
    }

    @Test func `a removal can be undone, and nothing is heard of them meanwhile`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let id = pair.contactAnn.id
            await pair.bob.removeSoon([id], undoableFor: .seconds(600))
            #expect(await pair.bob.contacts().isEmpty)
            let call = try await pair.ann.call(pair.contactBob, media: .audio)
            try await waitUntil("it is counted") { await pair.bob.center.rejections[.blocked] == 1 }
            await call.hangUp()
            await pair.bob.undoRemoval(of: [id])
            #expect(await pair.bob.contacts().map(\.name) == ["Ann"])
            #expect(await pair.ann.contacts().first?.trouble == nil)
            _ = try await pair.ring(.audio)
        }
    }

    @Test func `a removal that was undone leaves a later one its time`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let id = pair.contactAnn.id
            await pair.bob.removeSoon([id], undoableFor: .seconds(600))
            let first = try #require(await pair.bob.people.removal(of: id))
            await pair.bob.undoRemoval(of: [id])
            await pair.bob.removeSoon([id], undoableFor: .seconds(600))
            // The first one's time is over.
            await pair.bob.finish(first, of: [id])
            await pair.bob.undoRemoval(of: [id])
            #expect(await pair.bob.contacts().map(\.name) == ["Ann"])
            await pair.bob.removeSoon([id], undoableFor: .seconds(600))
            await pair.bob.finishRemovals(of: [id])
            await pair.bob.undoRemoval(of: [id])
            #expect(await pair.bob.contacts().isEmpty)
            try await waitUntil("Ann is told") { await pair.ann.contacts().first?.trouble == .gone }
        }
    }

    @Test func `a removal that is not undone is one, and the other side is told`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            await pair.bob.removeSoon([pair.contactAnn.id], undoableFor: .milliseconds(100))
            try await waitUntil("Ann is told") { await pair.ann.contacts().first?.trouble == .gone }
            await pair.bob.undoRemoval(of: [pair.contactAnn.id])
            #expect(await pair.bob.contacts().isEmpty)
        }
    }

    @Test func `a removal is made when the account is closed`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            await pair.bob.removeSoon([pair.contactAnn.id], undoableFor: .seconds(600))
            await pair.bob.close()
            let bob = try await neighbourhood.open("Bob")
            #expect(await bob.contacts().isEmpty)
            #expect(await bob.book.records.isEmpty)
            try await waitUntil("Ann is told", within: .seconds(40)) {
                await pair.ann.contacts().first?.trouble == .gone
            }
        }
    }
}
