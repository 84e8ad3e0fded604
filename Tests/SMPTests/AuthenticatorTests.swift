import Cryptography
import TestSupport
import Testing

@testable import SMP

@Suite("Authenticators", .timeLimit(.minutes(5)))
struct AuthenticatorTests {
    @Test func `both kinds of authenticator are those of the vectors`() throws {
        for vector in try Vectors.group("authenticators").items {
            let message = try vector.data("message")
            let nonce = CorrelationID(try vector.data("nonce"))
            let queue = try vector["queue_x25519"].agreementPair
            let server = try vector["server_x25519"].agreementPair
            let box = try vector.data("x25519_authenticator")
            #expect(try queue.sharedSecret(with: server.publicKey) == (try vector.secret("dh_secret")))
            #expect(Digest.sha512(message) == (try vector.data("sha512")))
            let made = try Authenticator.sign(
                message, correlationID: nonce, key: .x25519(queue), serverKey: server.publicKey)
            #expect(made == box)
            let verified = Authenticator.verify(
                box, for: message, correlationID: nonce, key: .x25519(queue.publicKey), sessionKey: server)
            #expect(verified == (try vector.flag("verified_by_server_key")))
            let signer = try vector["ed25519"].authenticationPair("ed25519")
            let signature = try vector.data("ed25519_signature")
            #expect(
                try Authenticator.sign(message, correlationID: nonce, key: signer, serverKey: nil) == signature)
            #expect(
                Authenticator.verify(
                    signature, for: message, correlationID: nonce, key: signer.publicKey, sessionKey: server))
        }
    }

    @Test func `what any key signs verifies with its public half and with nothing else`() throws {
        var random = SeededGenerator(seed: 80)
        for _ in 0..<60 {
            let server = X25519.PrivateKey()
            let key = try random.authenticationPair()
            let message = random.some(0...300)
            let id = CorrelationID(random.bytes(24))
            var made = try Authenticator.sign(message, correlationID: id, key: key, serverKey: server.publicKey)
            #expect(Authenticator.lengths.contains(made.count))
            func verifies(_ message: [UInt8], _ key: AuthenticationPublicKey) -> Bool {
                Authenticator.verify(made, for: message, correlationID: id, key: key, sessionKey: server)
            }
            #expect(verifies(message, key.publicKey))
            #expect(!verifies(message + [0], key.publicKey))
            #expect(!verifies(message, try random.authenticationPair().publicKey))
            made[made.count / 2] ^= 4
            #expect(!verifies(message, key.publicKey))
        }
    }

    @Test func `an X25519 authenticator needs the relay's key on both sides, and its correlation id`() throws {
        let key = X25519.PrivateKey()
        let server = X25519.PrivateKey()
        let id = CorrelationID.random()
        #expect(throws: SMPEncodingError.self) {
            try Authenticator.sign([1], correlationID: id, key: .x25519(key), serverKey: nil)
        }
        let made = try Authenticator.sign([1], correlationID: id, key: .x25519(key), serverKey: server.publicKey)
        let publicKey = AuthenticationPublicKey.x25519(key.publicKey)
        #expect(Authenticator.verify(made, for: [1], correlationID: id, key: publicKey, sessionKey: server))
        #expect(!Authenticator.verify(made, for: [1], correlationID: id, key: publicKey, sessionKey: nil))
        #expect(!Authenticator.verify(made, for: [1], correlationID: .random(), key: publicKey, sessionKey: server))
    }

    @Test func `a stored key of small order verifies nothing`() throws {
        let zero = AuthenticationPublicKey.x25519(
            try X25519.PublicKey(rawRepresentation: [UInt8](repeating: 0, count: 32)))
        let id = CorrelationID.random()
        #expect(
            !Authenticator.verify(counting(80), for: [], correlationID: id, key: zero, sessionKey: X25519.PrivateKey()))
    }

    @Test(arguments: [0, 1, 64, 80, 114, 255])
    func `without a queue nothing verifies, whatever the authenticator`(_ count: Int) {
        #expect(
            !Authenticator.verifyWithoutKey(
                counting(count), for: [1], correlationID: .random(), sessionKey: X25519.PrivateKey()))
    }
}
