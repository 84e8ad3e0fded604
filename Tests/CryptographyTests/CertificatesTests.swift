import Cryptography
import TestSupport
import Testing

@Suite("Certificates", .timeLimit(.minutes(5)))
struct CertificatesTests {
    let credentials: VectorValue

    init() throws { credentials = try Vectors.group("server_credentials") }

    @Test func `the leaf's public key belongs to the server's private key`() throws {
        let leaf = try #require(credentials["cert_chain_der"][0].bytes)
        let key = try Ed25519.PrivateKey(rawRepresentation: credentials.secret("server_private_key_raw"))
        #expect(try Certificates.publicKey(ofCertificate: leaf) == .ed25519(key.publicKey))
    }

    @Test func `the fingerprint is that of the identity certificate`() throws {
        let identity = try #require(credentials["cert_chain_der"][1].bytes)
        let fingerprint = Certificates.fingerprint(ofCertificate: identity)
        #expect(fingerprint == (try credentials.data("ca_fingerprint_sha256")))
        #expect(Base64URL.encode(fingerprint) == (try credentials.text("ca_fingerprint_str")))
    }

    @Test func `garbage and cut certificates are refused, never read beyond their end`() throws {
        let leaf = try #require(credentials["cert_chain_der"][0].bytes)
        for count in stride(from: 0, to: leaf.count, by: 7) {
            #expect(throws: CryptographyError.invalidCertificate) {
                try Certificates.publicKey(ofCertificate: Array(leaf.prefix(count)))
            }
        }
        var random = SeededGenerator(seed: 509)
        for _ in 0..<500 {
            var changed = leaf
            changed[Int.random(in: changed.indices, using: &random)] = random.bytes(1)[0]
            do {
                _ = try Certificates.publicKey(ofCertificate: changed)
            } catch {
                #expect(error is CryptographyError)
            }
        }
    }
}
