import TestSupport
import Testing

@testable import Parley

/// What is seen of somebody's link before it is opened.
@Suite(.serialized, .timeLimit(.minutes(5))) struct LinkFactsTests {
    private static let key = String(repeating: "A", count: 43)
    private static let hash = "LcJUMfVhwD8yxjAiSaDzzGF3-kLG4Uh0Fl_ZIjrRwjI"

    @Test(arguments: [LinkForm.full, .short])
    func `a link names what it leads to and the relay that is contacted`(form: LinkForm) async throws {
        try await Neighbourhood.with { neighbourhood in
            let account = try await neighbourhood.open("Ann")
            let facts = try #require(LinkFacts(link: try await account.makeInvitation(form).link))
            #expect(facts.kind == .invitation)
            #expect(facts.relays.count == 1 && facts.relays[0].hasPrefix("127.0.0.1:"))
            #expect(facts.reach == .thisMachine)
            #expect(LinkFacts(link: try await account.makeContactAddress(form))?.kind == .address)
        }
    }

    @Test func `links that were made here are known in every form, those of others are not`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let (ann, bob) = (try await neighbourhood.open("Ann"), try await neighbourhood.open("Bob"))
            for link in [
                try await ann.makeInvitation(.short).link, try await ann.makeInvitation(.full).link,
                try await ann.makeContactAddress(),
            ] {
                #expect(await ann.isOwn(link: " " + link))
                #expect(
                    await ann.isOwn(link: link.replacing("simplex:/", with: "simplex:///").replacing("#", with: "%23")))
                #expect(await !bob.isOwn(link: link))
            }
        }
    }

    @Test func `a relay is named by host and port, and an IPv6 address can be told from the port`() {
        func relays(_ query: String) -> [String]? { LinkFacts(link: "simplex:/a#\(Self.key)?\(query)")?.relays }
        #expect(relays("h=relay.example.org&c=\(Self.hash)") == ["relay.example.org"])
        #expect(relays("h=relay.example.org&p=443&c=\(Self.hash)") == ["relay.example.org:443"])
        #expect(relays("h=fe80%3A%3A1&p=443&c=\(Self.hash)") == ["[fe80::1]:443"])
        #expect(LinkFacts(link: "https://relay.example.org/a#\(Self.key)")?.relays == ["relay.example.org"])
    }

    @Test func `a link whose relay has no possible name can't be opened`() {
        for host in ["a%20b", "", "%0A", "a%40b", String(repeating: "x", count: 300)] {
            #expect(LinkFacts(link: "simplex:/a#\(Self.key)?h=\(host)&c=\(Self.hash)") == nil)
        }
        #expect(LinkFacts(link: "simplex:/g#\(Self.key)?h=relay.example.org") == nil, "a group")
    }

    @Test func `a link of many relays names the first ones`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let link = try await neighbourhood.open("Ann").makeInvitation(.full).link
            let start = try #require(link.firstRange(of: "smp=")?.upperBound)
            let end = link[start...].firstIndex(of: "&") ?? link.endIndex
            let queue = link[start..<end]
            let queues = (1...200).map { queue.replacing("127.0.0.1", with: "r\($0).example.org") }
            let many = link[..<start] + queues.joined(separator: "%3B") + link[end...]
            #expect(LinkFacts(link: String(many))?.relays.count == LinkFacts.maximumRelays)
        }
    }

    @Test func `whatever comes from outside is a link or none, and its relays are short lines`() {
        var random = SeededGenerator(seed: 13)
        let good = "simplex:/a#\(Self.key)?h=relay.example.org,b.example.org&p=443&c=\(Self.hash)"
        let spice = Array("#?&=%,:/;<>\n\u{7F}0aZ[]".utf8)
        var readable = 0
        for _ in 0..<20_000 {
            var bytes = Array(good.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                let byte = spice.randomElement(using: &random) ?? 0
                if Bool.random(using: &random) { bytes[place] = byte } else { bytes.insert(byte, at: place) }
            }
            guard let facts = LinkFacts(link: String(decoding: bytes, as: UTF8.self)) else { continue }
            readable += 1
            for relay in facts.relays {
                #expect(relay.utf8.count <= 263 && relay.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
            }
        }
        #expect(readable > 100)
    }
}
