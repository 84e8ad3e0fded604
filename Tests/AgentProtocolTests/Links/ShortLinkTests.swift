import Cryptography
import SMP
import TestSupport
import Testing

@testable import AgentProtocol

/// Short links and the data behind them.
@Suite(.timeLimit(.minutes(5))) struct ShortLinkTests {
    private let vectors: VectorValue
    init() throws { vectors = try Vectors.group("short_links") }

    @Test func `every text is read and written`() throws {
        let urls = vectors["urls"]
        let relays = try urls["servers"].items.compactMap(\.string).map { try RelayAddress(parsing: $0) }
        let linkID = try #require(urls["link_id"].bytes)
        let texts = urls["text"].items.compactMap(\.string)
        #expect(texts.count == 20)
        for text in texts {
            let link = try ShortLink(parsing: text)
            let relay = try #require(link.relay)
            #expect(relays.contains(relay))
            #expect(link.text(web: text.hasPrefix("https:")) == text)
            if case .invitation(let id) = link.kind {
                #expect(id == linkID)
                #expect(link.linkID == linkID)
                #expect(link.linkKey == urls["invitation_link_key"].bytes)
            } else {
                #expect(link.linkKey == urls["contact_link_key"].bytes)
            }
            #expect(ShortLink(kind: link.kind, relay: relay, linkKey: link.linkKey) == link)
            #expect(try AnyLink(parsing: text) == .short(link))
        }
    }

    @Test func `a link that a desktop passed on as a file's address is the same link`() throws {
        for text in vectors["urls"]["text"].items.compactMap(\.string) where text.hasPrefix("simplex:") {
            let passed = text.replacing("simplex:/", with: "simplex:///").replacing("#", with: "%23")
            #expect(try AnyLink(parsing: passed) == AnyLink(parsing: text))
        }
    }

    @Test func `links to known relays name only the host`() throws {
        let relay = try RelayAddress(parsing: try #require(vectors["urls"]["servers"][0].string))
        let key = [UInt8](repeating: 1, count: 32)
        let link = ShortLink(kind: .contact, relay: relay, linkKey: key, isPreset: true)
        #expect(link.relay == nil)
        #expect(link.text(web: true) == "https://smp.example.com/a#\(Base64URL.encode(key, padded: false))")
        #expect(try ShortLink(parsing: link.text(web: true)) == link)
    }

    @Test func `keys are the documented ones`() throws {
        let key = Digest.sha3_256(Array("fixed".utf8))
        #expect(key.hexadecimal == "eb783dad9f89827f5b5ecfb320a40c6c82cdba900a35c99af1f8cb843556dad0")
        let contact = ShortLinkKeys.contact(linkKey: key)
        #expect(contact.linkID.hexadecimal == "d663e56e6d89ea4590b431eabc3382fbbacc73c9a4acb394")
        #expect(
            contact.dataKey.bytes.hexadecimal == "890289465a8fc2af5bd3d164bcb4954a2090a763dd2164a7532ebb955aa76560")
        #expect(
            ShortLinkKeys.invitation(linkKey: key).bytes.hexadecimal
                == "f4e6084aa3293412a732efaabe4d4b78550e7561f662dbbe8ab24458c7a07419")
    }

    /// The recorded data of one kind with a link to it.
    private func recorded(_ name: String) throws -> (data: LinkData, link: ShortLink, full: ConnectionLink) {
        let vector = vectors[name]
        let full = try ConnectionLink(parsing: try #require(vector["connection_request"].string))
        let kind: ShortLink.Kind =
            name == "contact" ? .contact : .invitation(linkID: [UInt8](repeating: 9, count: 24))
        let link = ShortLink(
            kind: kind, relay: full.queue.address.relay, linkKey: try #require(vector["link_key"].bytes))
        let data = LinkData(
            fixed: try #require(vector["enc_fixed_data"].bytes), user: try #require(vector["enc_user_data"].bytes))
        return (data, link, full)
    }

    @Test(arguments: ["contact", "invitation"]) func `recorded data opens`(name: String) throws {
        let vector = vectors[name]
        let (data, link, full) = try recorded(name)
        #expect(link.dataKey.bytes == vector["data_key"].bytes)
        if name == "contact" { #expect(link.linkID == vector["link_id"].bytes) }
        let opened = try ShortLinkData(opening: data, link: link, at: full.queue.address)
        #expect(try opened.fixed.link.encoded() == full.encoded())
        #expect(opened.fixed.rootKey.rawRepresentation == vector["root_key"]["public"].bytes)
        #expect(opened.user.data == vector["user_data"].bytes)
        #expect(try opened.linkKey() == link.linkKey)
    }

    @Test(arguments: ["contact", "invitation"]) func `data is signed and sealed as recorded`(name: String) throws {
        let vector = vectors[name]
        let (data, link, full) = try recorded(name)
        let opened = try ShortLinkData(opening: data, link: link, at: full.queue.address)
        let root = try Ed25519.PrivateKey(
            rawRepresentation: SecretBytes(try #require(vector["root_key"]["private"].bytes)))
        let parts = [
            (try opened.fixed.encoded(), data.fixed, LinkBlob.fixedCount, vector["fixed_data_signed"]),
            (try opened.user.encoded(), data.user, LinkBlob.userCount, vector["user_data_signed"]),
        ]
        for (plain, recorded, count, signed) in parts {
            let signature = try root.signature(for: plain)
            #expect([64] + signature + plain == signed.bytes)
            let sealed = try LinkBlob.seal(
                plain, rootKey: root, dataKey: link.dataKey, paddedTo: count, nonce: Array(recorded[..<24]))
            #expect(sealed == recorded)
        }
        #expect(data.fixed.count == 2048)
        #expect(data.user.count == vector["enc_user_data_length"].integer)
    }

    @Test(arguments: ["contact", "invitation"]) func `changed data is refused`(name: String) throws {
        let (data, link, full) = try recorded(name)
        let address = full.queue.address
        var changed = data
        changed.user[100] ^= 1
        #expect(throws: ShortLinkError.notDecrypted) { try ShortLinkData(opening: changed, link: link, at: address) }
        let otherKey = ShortLink(
            kind: link.kind, relay: address.relay, linkKey: [UInt8](repeating: 0, count: 32))
        #expect(throws: ShortLinkError.notDecrypted) { try ShortLinkData(opening: data, link: otherKey, at: address) }
        let otherQueue = QueueAddress(relay: address.relay, senderID: .random())
        #expect(throws: ShortLinkError.wrongQueue) { try ShortLinkData(opening: data, link: link, at: otherQueue) }
        let swapped = LinkData(fixed: data.user, user: data.fixed)
        #expect(throws: ShortLinkError.wrongLinkKey) { try ShortLinkData(opening: swapped, link: link, at: address) }
        for count in [0, 10, 24, 39, 40, 500] {
            let short = LinkData(fixed: Array(data.fixed.prefix(count)), user: data.user)
            #expect(throws: ShortLinkError.self) { try ShortLinkData(opening: short, link: link, at: address) }
        }
    }

    @Test func `data signed by another key is refused`() throws {
        let (data, link, full) = try recorded("contact")
        let opened = try ShortLinkData(opening: data, link: link, at: full.queue.address)
        // The same fixed data, so the hash is right, but nobody has the root key.
        let forged = try opened.sealed(rootKey: Ed25519.PrivateKey())
        #expect(throws: ShortLinkError.invalidSignature) {
            try ShortLinkData(opening: forged, link: link, at: full.queue.address)
        }
        let forgedUser = LinkData(fixed: data.fixed, user: forged.user)
        #expect(throws: ShortLinkError.invalidSignature) {
            try ShortLinkData(opening: forgedUser, link: link, at: full.queue.address)
        }
    }

    @Test func `owners may sign user data when their chain leads to the root`() throws {
        let (_, _, full) = try recorded("contact")
        let root = Ed25519.PrivateKey()
        let first = Ed25519.PrivateKey()
        let second = Ed25519.PrivateKey()
        func owner(_ key: Ed25519.PrivateKey, id: UInt8, by signer: Ed25519.PrivateKey) throws -> LinkOwner {
            let signed = LinkOwner.signedBytes(id: [id], key: key.publicKey)
            return LinkOwner(id: [id], key: key.publicKey, signature: try signer.signature(for: signed))
        }
        let fixed = LinkFixedData(
            agentVersions: AgentVersions.supported, rootKey: root.publicKey, link: full, entityID: [1, 2])
        func open(_ owners: [LinkOwner], signedBy signer: Ed25519.PrivateKey) throws -> ShortLinkData {
            let user = LinkUserData.contact(
                agentVersions: AgentVersions.supported, isDirect: false, owners: owners,
                data: [UInt8](repeating: 5, count: 1000))
            let made = ShortLinkData(fixed: fixed, user: user)
            let data = LinkData(
                fixed: try made.sealed(rootKey: root).fixed, user: try made.sealed(rootKey: signer).user)
            let link = ShortLink(kind: .contact, relay: full.queue.address.relay, linkKey: try made.linkKey())
            let opened = try ShortLinkData(opening: data, link: link, at: full.queue.address)
            #expect(opened.user == made.user)
            #expect(try opened.linkKey() == made.linkKey())
            return opened
        }
        let chain = [try owner(first, id: 1, by: root), try owner(second, id: 2, by: first)]
        #expect(try open(chain, signedBy: second).fixed.entityID == [1, 2])
        #expect(try open([], signedBy: root).user.data.count == 1000)
        #expect(throws: ShortLinkError.invalidSignature) { try open(chain.reversed(), signedBy: second) }
        #expect(throws: ShortLinkError.invalidSignature) { try open([], signedBy: first) }
    }

    @Test func `user data of every length comes back`() throws {
        for count in [0, 1, 254, 255, 256, 5000] {
            let data = LinkUserData.invitation(
                agentVersions: AgentVersions.supported, data: [UInt8](repeating: 7, count: count))
            #expect(try LinkUserData(decoding: data.encoded()) == data)
        }
    }

    @Test func `list of relays is reported as unsupported`() throws {
        let user = LinkUserData.contact(agentVersions: AgentVersions.supported, isDirect: true, owners: [], data: [])
        var bytes = try user.encoded()
        bytes[bytes.count - 2] = 1
        #expect(throws: AgentDecodingError.unsupportedLinkData) { try LinkUserData(decoding: bytes) }
    }

    @Test func `broken texts are refused`() throws {
        let text = try #require(vectors["urls"]["text"][0].string)
        let broken = [
            text.replacing("/i#", with: "/a#"), text.replacing("h=", with: "x="), text.replacing("p=5223", with: "p=x"),
            text.replacing("c=L", with: "c="), text.replacing("#wcLD", with: "#"), text.replacing("?", with: "!"),
        ]
        for text in broken { #expect(throws: AgentDecodingError.malformed, "\(text)") { try ShortLink(parsing: text) } }
        #expect(throws: AgentDecodingError.notALink) { try ShortLink(parsing: text.replacing("/i#", with: "/z#")) }
    }
}
