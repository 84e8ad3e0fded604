import Cryptography
import TestSupport
import Testing

@testable import SMP

@Suite("Handshake", .timeLimit(.minutes(5)))
struct HandshakeTests {
    let vectors: [VectorValue]
    let credentials: VectorValue

    init() throws {
        vectors = try Vectors.group("handshake").items
        credentials = try Vectors.group("server_credentials")
    }

    @Test func `server hellos are made and read as in the vectors`() throws {
        let leafKey = try Ed25519.PrivateKey(rawRepresentation: credentials.secret("server_private_key_raw"))
        for vector in vectors {
            let session = try vector["server_session_key"].agreementPair
            let signed = try SignedKey(.x25519(session.publicKey), signedBy: .ed25519(leafKey))
            #expect(signed.encoded == (try vector.data("server_signed_session_key_der")))
            let chain = credentials["cert_chain_der"].items.compactMap(\.bytes)
            let payload = try vector.data("server_hello_payload")
            let range = vector["alpn"].isNull ? [6, 6] : vector["server_versions"].versions
            let hello = ServerHello(
                versions: try #require(SMPVersionRange(min: range[0], max: range[1])),
                sessionID: try vector.data("session_id"),
                key: range[1] >= 7 ? CertifiedKey(chain: chain, signedKey: signed) : nil)
            #expect(try hello.encoded() == payload)
            #expect(try ServerHello(decoding: payload) == hello)
            var cipher = BlockCipher()
            let hash = Digest.sha256(try cipher.seal(payload))
            #expect(hash == (try vector.data("server_hello_block_sha256")))
        }
    }

    @Test func `client hellos are made and read as in the vectors, and tell whether blocks are encrypted`() throws {
        for vector in vectors {
            let payload = try vector.data("client_hello_payload")
            let version = try vector.version("negotiated_version")
            let hello = try ClientHello(decoding: payload)
            #expect(hello.version == version)
            #expect(hello.keyHash == (try credentials.data("ca_fingerprint_sha256")))
            let pair = vector["client_session_key"]
            let sent = version >= .authenticatedCommands && !pair.isNull ? try pair.agreementPair.publicKey : nil
            #expect(hello.sessionKey == sent)
            #expect(hello.encryptsBlocks == (try vector.flag("blocks_encrypted")))
            #expect(!hello.isProxy)
            #expect(hello.service == nil)
            let again = ClientHello(version: version, keyHash: hello.keyHash, sessionKey: sent)
            #expect(try again.encoded() == payload)
            var cipher = BlockCipher()
            let hash = Digest.sha256(try cipher.seal(payload))
            #expect(hash == (try vector.data("client_hello_block_sha256")))
        }
    }

    @Test func `the first encrypted blocks are those of the vectors, seen from either side`() throws {
        for vector in vectors where try vector.flag("blocks_encrypted") {
            let secret = try vector["client_session_key"].agreementPair
                .sharedSecret(with: vector["server_session_key"].agreementPair.publicKey)
            #expect(secret == (try vector.secret("session_dh_secret")))
            let sessionID = try vector.data("session_id")
            var client = try BlockCipher(sessionID: sessionID, secret: secret, side: .client)
            var server = try BlockCipher(sessionID: sessionID, secret: secret, side: .server)
            for block in vector["blocks"].items {
                let plain = try block.data("plaintext")
                let fromServer = try block.text("direction") == "s2c"
                let wire = fromServer ? try server.seal(plain) : try client.seal(plain)
                #expect(Digest.sha256(wire) == (try block.data("wire_sha256")))
                #expect(Array(wire.prefix(64)) == (try block.data("wire_first_64")))
                if let expected = block["wire"].bytes { #expect(wire == expected) }
                #expect(try (fromServer ? client.open(wire) : server.open(wire)) == plain)
            }
        }
    }

    @Test func `a client takes the session key only from the relay it means`() throws {
        let vector = try #require(vectors.last)
        let hello = try ServerHello(decoding: vector.data("server_hello_payload"))
        let key = try #require(hello.key)
        let hash = try credentials.data("ca_fingerprint_sha256")
        let session = try vector["server_session_key"].agreementPair.publicKey
        #expect(key.keyHash == hash)
        #expect(try key.agreementKey(keyHash: hash) == session)
        #expect(throws: SMPDecodingError.invalid("relay identity")) { try key.agreementKey(keyHash: counting(32)) }

        var forged = key
        forged.signedKey = try SignedKey(.x25519(X25519.PrivateKey().publicKey), signedBy: .ed25519(.init()))
        #expect(throws: SMPDecodingError.invalid("session key signature")) { try forged.agreementKey(keyHash: hash) }
        forged = key
        forged.chain[0] = [1, 2, 3]
        #expect(throws: SMPDecodingError.invalid("certificate")) { try forged.agreementKey(keyHash: hash) }
        forged.chain.removeFirst()
        #expect(throws: SMPDecodingError.invalid("certificate chain")) { try forged.agreementKey(keyHash: hash) }
    }

    @Test func `a signed key has the published lengths and verifies with its signer only`() throws {
        let key = X25519.PrivateKey().publicKey
        let ed25519 = Ed25519.PrivateKey()
        let ed448 = Ed448.PrivateKey()
        let short = try SignedKey(.x25519(key), signedBy: .ed25519(ed25519))
        let long = try SignedKey(.x25519(key), signedBy: .ed448(ed448))
        #expect(short.encoded.count == 122)
        #expect(long.encoded.count == 173)
        for signed in [short, long] { #expect(try SignedKey(decoding: signed.encoded) == signed) }
        #expect(short.isSigned(by: .ed25519(ed25519.publicKey)))
        #expect(long.isSigned(by: .ed448(ed448.publicKey)))
        #expect(!short.isSigned(by: .ed448(ed448.publicKey)))
        #expect(!short.isSigned(by: .ed25519(Ed25519.PrivateKey().publicKey)))
        #expect(!short.isSigned(by: .x25519(key)))
        #expect(throws: SMPEncodingError.self) { try SignedKey(.x25519(key), signedBy: .x25519(.init())) }
    }

    @Test func `a signed key that differs in any byte is refused or has another signature or key`() throws {
        let signer = Ed25519.PrivateKey()
        let der = try SignedKey(.x25519(X25519.PrivateKey().publicKey), signedBy: .ed25519(signer)).encoded
        for index in der.indices {
            var changed = der
            changed[index] ^= 1
            if let read = try? SignedKey(decoding: changed) {
                #expect(!read.isSigned(by: .ed25519(signer.publicKey)), "byte \(index)")
            }
        }
    }

    @Test func `a service shows itself from version 16 on, and gets its reply`() throws {
        let identity = Ed25519.PrivateKey()
        let signed = try SignedKey(.ed25519(Ed25519.PrivateKey().publicKey), signedBy: .ed25519(identity))
        let service = ClientHello.Service(role: .notifier, key: CertifiedKey(chain: [[1], [2, 3]], signedKey: signed))
        var hello = ClientHello(
            version: 16, keyHash: counting(32), sessionKey: X25519.PrivateKey().publicKey, service: service)
        #expect(try ClientHello(decoding: hello.encoded()) == hello)
        hello.version = 15
        #expect(try ClientHello(decoding: hello.encoded()).service == nil)
        for reply in [ServiceReply.accepted(.random()), .refused(.handshakeService)] {
            #expect(try ServiceReply(decoding: reply.encoded()) == reply)
        }
        #expect(try ServiceReply.refused(.handshakeService).encoded() == Array("EHANDSHAKE BAD_SERVICE".utf8))
    }

    @Test func `a proxy says so from version 14 on, and then nothing is encrypted`() throws {
        var hello = ClientHello(
            version: 14, keyHash: counting(32), sessionKey: X25519.PrivateKey().publicKey, isProxy: true)
        #expect(!hello.encryptsBlocks)
        #expect(try ClientHello(decoding: hello.encoded()) == hello)
        hello.version = 13
        #expect(try !ClientHello(decoding: hello.encoded()).isProxy)
    }

    @Test func `a client hello may leave its key out, and then nothing is encrypted`() throws {
        for version: SMPVersion in [7, 11, 14, 17] {
            let hello = ClientHello(version: version, keyHash: counting(32), sessionKey: nil)
            #expect(try ClientHello(decoding: hello.encoded()) == hello)
            #expect(!hello.encryptsBlocks)
        }
    }

    @Test func `bytes after a hello are ignored, a hello that ends early is refused`() throws {
        let vector = try #require(vectors.last)
        let server = try vector.data("server_hello_payload")
        let client = try vector.data("client_hello_payload")
        #expect(try ServerHello(decoding: server + [1, 2]) == (try ServerHello(decoding: server)))
        #expect(try ClientHello(decoding: client + [1, 2]) == (try ClientHello(decoding: client)))
        for count in 0..<server.count where count != 37 {
            #expect(throws: SMPDecodingError.self) { try ServerHello(decoding: Array(server.prefix(count))) }
        }
        for count in client.indices {
            #expect(throws: SMPDecodingError.self) { try ClientHello(decoding: Array(client.prefix(count))) }
        }
    }
}
