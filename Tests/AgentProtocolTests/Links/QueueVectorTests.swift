import Cryptography
import SMP
import TestSupport
import Testing

@testable import AgentProtocol

/// Queue addresses as the recording program wrote them.
@Suite(.timeLimit(.minutes(5))) struct QueueVectorTests {
    static func mode(_ value: VectorValue) -> QueueMode? {
        switch value.string {
        case "messaging": .messaging
        case "contact": .contact
        default: nil
        }
    }

    static func address(_ vector: VectorValue) throws -> QueueAddress {
        QueueAddress(
            relay: try RelayAddress(parsing: try #require(vector["server"].string)),
            senderID: EntityID(try #require(vector["sender_id"].bytes)))
    }

    @Test func `every URI is written and read in both forms`() throws {
        let vectors = try Vectors.group("queue_uri").items.filter { $0["kind"].string == "uri" }
        #expect(vectors.count == 48)
        for vector in vectors {
            let versions = vector["version_range"].items.compactMap(\.integer).map(UInt16.init)
            let uri = QueueURI(
                versions: VersionRange(minimum: versions[0], maximum: versions[1]), address: try Self.address(vector),
                key: try X25519.PublicKey(der: try #require(vector["dh_key"].bytes)),
                mode: Self.mode(vector["queue_mode"]))
            let text = try #require(vector["text"].string)
            #expect(uri.text == text)
            #expect(try QueueURI(parsing: text) == uri)
            var writer = ByteWriter()
            try uri.encode(to: &writer)
            #expect(writer.written == vector["binary"].bytes, "\(text)")
            // The binary form of old versions has no room for every mode, so only what was written comes back.
            let read = try decodeAll(writer.written) { try QueueURI(from: &$0) }
            #expect(read.versions == uri.versions && read.address == uri.address && read.key == uri.key)
            if uri.versions.minimum >= 4 { #expect(read == uri) }
        }
    }

    @Test func `every description is written and read`() throws {
        let vectors = try Vectors.group("queue_uri").items.filter { $0["kind"].string == "info" }
        #expect(vectors.count == 24)
        for vector in vectors {
            let version = UInt16(try #require(vector["version"].integer))
            let info = QueueInfo(
                version: version, address: try Self.address(vector),
                key: try X25519.PublicKey(der: try #require(vector["dh_key"].bytes)),
                mode: Self.mode(vector["queue_mode"]))
            let encoded = try info.encoded()
            #expect(encoded == vector["binary"].bytes)
            let read = try QueueInfo(decoding: encoded)
            #expect(read.version == version && read.key == info.key && read.address.senderID == info.address.senderID)
            #expect(read.address.relay.hosts.first == info.address.relay.hosts.first)
            if version >= 4 { #expect(read == info) }
        }
    }

    @Test func `oldest form has only a key`() throws {
        let text = try #require(Vectors.group("queue_uri")[0]["text"].string)
        let new = try QueueURI(parsing: text)
        let key = Base64URL.encode(new.key.derRepresentation)
        let base = try #require(text.split(separator: "#").first)
        let old = try QueueURI(parsing: "\(base)#\(key)")
        #expect(old == new)
        #expect(old.versions == VersionRange(minimum: 1, maximum: 1))
    }

    @Test func `flag without mode means messaging`() throws {
        let text = try #require(Vectors.group("queue_uri")[0]["text"].string)
        #expect(try QueueURI(parsing: text + "&k=s").mode == .messaging)
        #expect(try QueueURI(parsing: text).mode == nil)
    }

    @Test func `broken texts are refused`() throws {
        let text = try #require(Vectors.group("queue_uri")[0]["text"].string)
        let broken = [
            "", "#", "/", "smp://", "smp://#/?v=1", text.replacing("v=1", with: "v=x"),
            text.replacing("v=1", with: "v=2-1"),
            text.replacing("smp:", with: "smtp:"), text.replacing("dh=", with: "dx="),
            text.replacing("dh=M", with: "dh=%M"),
            text.replacing("@", with: ":password@"), String(text.dropLast(4)),
        ]
        for text in broken { #expect(throws: AgentDecodingError.self, "\(text)") { try QueueURI(parsing: text) } }
    }

    @Test func `versions are negotiated to the highest common one`() throws {
        let range = VersionRange(minimum: 2, maximum: 7)
        #expect(range.intersection(VersionRange(minimum: 5, maximum: 9)) == VersionRange(minimum: 5, maximum: 7))
        #expect(range.intersection(VersionRange(minimum: 8, maximum: 9)) == nil)
        #expect(try VersionRange(parsing: "7").text == "7")
        #expect(try VersionRange(parsing: "2-7").text == "2-7")
        for text in ["", "-", "2-", "-2", "7-2", "+2", "2-3-4", "70000", " 2"] {
            #expect(throws: AgentDecodingError.malformed, "\(text)") { try VersionRange(parsing: text) }
        }
    }
}
