import TestSupport
import Testing

@testable import Parley

/// The relays a person chooses while the account is open.
@Suite(.timeLimit(.minutes(5))) struct OwnRelaysTests {
    private let dead = "smp://\(String(repeating: "A", count: 43))=@127.0.0.1:1"

    @Test func `a relay that is added gets new mailboxes and is remembered`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let relay = neighbourhood.relay
            let other = try await Neighbourhood()
            let added = other.relay
            let ann = try await neighbourhood.open("Ann")
            _ = try await ann.makeInvitation()
            try await ann.addRelay(added)
            _ = try await ann.makeInvitation()
            #expect(try await ann.relayStatuses().map(\.address) == [relay, added])
            #expect(try await ann.relayStatuses().map(\.queues) == [1, 1])
            await ann.close()
            let again = try await neighbourhood.open("Ann") { $0.relays = .external([]) }
            #expect(try await again.relayStatuses().filter(\.isOwn).map(\.address) == [relay, added])
            await other.close()
        }
    }

    @Test func `a relay that is removed keeps its mailboxes and gets no new ones`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let relay = neighbourhood.relay
            let other = try await Neighbourhood()
            let added = other.relay
            let ann = try await neighbourhood.open("Ann")
            _ = try await ann.makeInvitation()
            try await ann.addRelay(added)
            try await ann.removeRelay(relay)
            for _ in 0..<2 { _ = try await ann.makeInvitation() }
            let statuses = try await ann.relayStatuses()
            #expect(statuses.map(\.address) == [added, relay])
            #expect(statuses.map(\.isOwn) == [true, false])
            #expect(statuses.map(\.queues) == [2, 1])
            await other.close()
        }
    }

    @Test func `a relay that was removed comes back to its place, with its password`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let ann = try await neighbourhood.open("Ann")
            let withPassword = dead.replacingOccurrences(of: "@", with: ":secret@")
            try await ann.addRelay(withPassword)
            let other = neighbourhood.relay
            try await ann.removeRelay(other)
            try await ann.addRelay(other)
            let before = await ann.relays.map(\.text)
            #expect(before == [withPassword, other])
            let removed = try #require(try await ann.removeRelay(dead))
            #expect(await ann.relays.map(\.text) == [other])
            try await ann.restore(removed)
            #expect(await ann.relays.map(\.text) == before)
            await ann.close()
            let again = try await neighbourhood.open("Ann") { $0.relays = .external([]) }
            #expect(await again.relays.map(\.text) == before)
        }
    }

    @Test func `a relay that was added anew meanwhile is not there twice`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let ann = try await neighbourhood.open("Ann")
            try await ann.addRelay(dead)
            let removed = try #require(try await ann.removeRelay(dead))
            try await ann.addRelay(dead)
            try await ann.restore(removed)
            #expect(await ann.relays.map(\.text) == [neighbourhood.relay, dead])
            let none = try await ann.removeRelay("smp://nobody")
            #expect(none == nil)
        }
    }

    @Test func `a relay with nothing on it is left when it is removed`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let relay = neighbourhood.relay
            let ann = try await neighbourhood.open("Ann")
            try await ann.addRelay(dead)
            try await ann.removeRelay(dead)
            #expect(try await ann.relayStatuses().map(\.address) == [relay])
        }
    }

    @Test func `the last relay stays and what is no address is refused`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let relay = neighbourhood.relay
            let ann = try await neighbourhood.open("Ann")
            await #expect(throws: AccountError.noRelay) { try await ann.removeRelay(relay) }
            await #expect(throws: AccountError.relayAddress("nonsense")) { try await ann.addRelay("nonsense") }
            #expect(try await ann.relayStatuses().map(\.address) == [relay])
        }
    }

    @Test func `the relay inside the program is for who chose none`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let ann = try await neighbourhood.open("Ann") { $0.relays = .embedded(host: "127.0.0.1", port: 0) }
            let embedded = try #require(ann.embeddedRelay)
            let relay = neighbourhood.relay
            #expect(try await ann.relayStatuses().map(\.address) == [embedded])
            try await ann.addRelay(relay)
            #expect(try await ann.relayStatuses().filter(\.isOwn).map(\.address) == [relay])
            await ann.close()
            let again = try await neighbourhood.open("Ann") { $0.relays = .embedded(host: "127.0.0.1", port: 0) }
            #expect(try await again.relayStatuses().filter(\.isOwn).map(\.address) == [relay])
            try await again.removeRelay(relay)
            #expect(try await again.relayStatuses().filter(\.isOwn).map(\.address) == [embedded])
        }
    }
}
