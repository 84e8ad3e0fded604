import Cryptography
import SMP
import TestSupport
import Testing

@testable import AgentProtocol

/// Full links as the recording program wrote them.
@Suite(.timeLimit(.minutes(5))) struct ConnectionLinkTests {
    private func links() throws -> [VectorValue] {
        try Vectors.group("connection_request").items.filter { $0["mode"].string != "e2e params" }
    }

    private func scheme(_ vector: VectorValue) -> LinkScheme {
        vector["scheme"].string == "simplex:" ? .simplex : .defaultWeb
    }

    private func range(_ value: VectorValue) throws -> VersionRange {
        let numbers = value.items.compactMap(\.integer).map(UInt16.init)
        try #require(numbers.count == 2)
        return VersionRange(minimum: numbers[0], maximum: numbers[1])
    }

    private func key(_ value: VectorValue) throws -> X448.PublicKey {
        try X448.PublicKey(rawRepresentation: try #require(value["public"].bytes))
    }

    @Test func `every link is read and written in both forms`() throws {
        let vectors = try links()
        #expect(vectors.count == 6)
        for vector in vectors {
            let text = try #require(vector["text"].string)
            let link = try ConnectionLink(parsing: text)
            #expect(link.agentVersions == (try range(vector["agent_versions"])))
            #expect(link.queues.map(\.text) == vector["queues"].items.compactMap(\.string))
            #expect(link.applicationData == vector["client_data"].string)
            #expect((link.kind == .contact) == (vector["mode"].string == "contact"))
            if let offer = link.ratchetOffer {
                #expect(offer.versions == (try range(vector["e2e_versions"])))
                #expect(offer.firstKey == (try key(vector["x448_key1"])))
                #expect(offer.secondKey == (try key(vector["x448_key2"])))
                #expect(offer.kem == nil)
            }
            #expect(link.text(scheme(vector)) == text)
            #expect(try link.encoded() == vector["binary"].bytes)
            let binary = try ConnectionLink(decoding: try #require(vector["binary"].bytes))
            // Queues of old versions have no room for the contact mode in binary form (Agent fact sheet §2.2).
            if link.kind != .contact { #expect(binary == link) }
            #expect(try binary.encoded() == vector["binary"].bytes)
            #expect(try AnyLink(parsing: " \n\(text)\t") == .full(link))
        }
    }

    @Test func `a link that a desktop passed on as a file's address is the same link`() throws {
        for vector in try links() {
            let link = try ConnectionLink(parsing: try #require(vector["text"].string))
            let passed = link.text().replacing("simplex:/", with: "simplex:///").replacing("#/?", with: "%23?")
            #expect(passed.hasPrefix("simplex:///") && !passed.contains("#"))
            #expect(try ConnectionLink(parsing: passed) == link)
        }
        #expect(throws: AgentDecodingError.notALink) { try ConnectionLink(parsing: "simplex:///invitation?v=%23") }
    }

    @Test func `parameters of confirmations are read and written`() throws {
        let vectors = try Vectors.group("connection_request").items.filter { $0["mode"].string == "e2e params" }
        #expect(vectors.count == 3)
        for vector in vectors {
            let versions = try range(vector["versions"])
            let offer = RatchetOffer(
                versions: versions, firstKey: try key(vector["x448_key1"]), secondKey: try key(vector["x448_key2"]))
            #expect(offer.text == vector["text"].string)
            #expect(try RatchetOffer(parsing: offer.text) == offer)
            var writer = ByteWriter()
            try offer.parameters(for: versions).encode(to: &writer)
            #expect(writer.written == vector["binary_params"].bytes)
        }
    }

    @Test func `post quantum key in a link is read and kept`() throws {
        for vector in try Vectors.group("connection_request_pq").items {
            let text = try #require(vector["text"].string)
            let link = try ConnectionLink(parsing: text)
            #expect(link.ratchetOffer?.kem == .proposed(key: try #require(vector["kem_public"].bytes)))
            #expect(link.text() == text)
            #expect(try link.encoded() == vector["binary"].bytes)
            #expect(try ConnectionLink(decoding: try #require(vector["binary"].bytes)) == link)
            // Answering it with version 2 leaves the key aside.
            let offer = try #require(link.ratchetOffer)
            #expect(try offer.parameters().version == 2)
            #expect(throws: Never.self) { try Ratchet(joiner: RatchetKeyPairs(), peer: offer.parameters()) }
        }
    }

    @Test func `any web host and a slash before the hash are taken`() throws {
        let text = try #require(links().first?["text"].string)
        let link = try ConnectionLink(parsing: text)
        #expect(try ConnectionLink(parsing: text.replacing("simplex:/", with: "https://example.org/")) == link)
        #expect(try ConnectionLink(parsing: text.replacing("/invitation#", with: "/invitation/#")) == link)
    }

    @Test func `old contact links start at version 2`() throws {
        let text = try #require(links().first { $0["mode"].string == "contact" }?["text"].string)
        let old = try ConnectionLink(parsing: text.replacing("?v=2-7", with: "?v=1-7"))
        #expect(old.agentVersions == VersionRange(minimum: 2, maximum: 7))
        #expect(old.agreedAgentVersion == 7)
    }

    @Test func `versions without overlap are seen`() throws {
        let text = try #require(links().first?["text"].string)
        #expect(try ConnectionLink(parsing: text.replacing("?v=2-7", with: "?v=8-9")).agreedAgentVersion == nil)
    }

    @Test func `other texts are no links`() throws {
        for text in ["", "hello", "https://", "https:///invitation#", "https://example.org/", "simplex:", "smp://x"] {
            #expect(throws: AgentDecodingError.notALink, "\(text)") { try AnyLink(parsing: text) }
        }
    }

    @Test func `other than ASCII and overlong texts are no links`() throws {
        let link = try #require(links().first?["text"].string)
        let flags = String(repeating: "🇦", count: 20_000)
        for text in [link + "é", flags, "simplex:/invitation#/?v=\(flags)", "\(link)&data=\(flags)"] {
            #expect(throws: AgentDecodingError.notALink) { try AnyLink(parsing: text) }
        }
        #expect(throws: AgentDecodingError.notALink) {
            try AnyLink(parsing: "\(link)&data=" + String(repeating: "a", count: 65_536))
        }
        #expect(throws: AgentDecodingError.malformed) { try QueueURI(parsing: "smp://\(flags)/\(flags)#/?v=1") }
    }

    @Test func `blanks around a link are ignored`() throws {
        let link = try #require(links().first?["text"].string)
        #expect(try AnyLink(parsing: " \n\u{A0}\(link)\r\n\u{3000}") == AnyLink(parsing: link))
        for blank in ["", " ", "\u{3000}\n"] {
            #expect(throws: AgentDecodingError.notALink) { try AnyLink(parsing: blank) }
        }
    }

    @Test func `broken links are refused`() throws {
        let text = try #require(links().first?["text"].string)
        let broken = [
            text.replacing("&smp=", with: "&smtp="), text.replacing("&e2e=", with: "&x="),
            text.replacing("?v=2-7", with: "?v="), text.replacing("%2C", with: ""), text.replacing("%2C", with: "%2"),
            text.replacing("#/?", with: "#/"), text.replacing("x3dh%3DM", with: "x3dh%3DN"),
        ]
        for text in broken { #expect(throws: AgentDecodingError.self, "\(text)") { try ConnectionLink(parsing: text) } }
    }

    @Test func `every truncation is refused or shorter`() throws {
        let binary = try #require(links().first?["binary"].bytes)
        for count in 0..<binary.count {
            #expect(throws: AgentDecodingError.self) { try ConnectionLink(decoding: Array(binary[..<count])) }
        }
        #expect(throws: AgentDecodingError.trailingBytes) { try ConnectionLink(decoding: binary + [0]) }
    }

    @Test func `garbage never traps`() throws {
        var random = SeededGenerator(seed: 7)
        let text = Array(try #require(links().first?["text"].string).utf8)
        let binary = try #require(links().first?["binary"].bytes)
        for _ in 0..<1500 {
            var changedText = text
            var changedBinary = binary
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                changedText[Int.random(in: text.indices, using: &random)] = UInt8.random(in: 0...127, using: &random)
                changedBinary[Int.random(in: binary.indices, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            // What still reads must read back the same after writing.
            if let link = try? ConnectionLink(parsing: String(decoding: changedText, as: UTF8.self)) {
                #expect(try ConnectionLink(parsing: link.text()) == link)
            }
            if let link = try? ConnectionLink(decoding: changedBinary) {
                let encoded = try link.encoded()
                #expect(try ConnectionLink(decoding: encoded).encoded() == encoded)
            }
            _ = try? ConnectionLink(decoding: random.bytes(Int.random(in: 0...200, using: &random)))
        }
    }
}
