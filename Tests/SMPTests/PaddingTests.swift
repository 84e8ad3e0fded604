import Cryptography
import SMP
import TestSupport
import Testing

@Suite("Padding", .timeLimit(.minutes(5)))
struct PaddingTests {
    let vectors: VectorValue

    init() throws { vectors = try Vectors.group("crypto_box") }

    @Test func `messages are padded and unpadded as in the vectors`() throws {
        for vector in vectors["padding"].items {
            let padded = try vector.data("padded")
            #expect(try Padding.pad(vector.data("message"), to: vector.number("padded_length")) == padded)
            #expect(try Padding.unpad(padded) == (try vector.data("message")))
        }
    }

    @Test func `padded boxes are those of the vectors, for either side's keys`() throws {
        for vector in vectors["sealed"].items {
            let secret = try vector["a"].agreementPair.sharedSecret(with: vector["b"].agreementPair.publicKey)
            #expect(secret == (try vector.secret("dh_secret")))
            let padded = try Padding.pad(vector.data("message"), to: vector.number("padded_length"))
            let nonce = try vector.data("nonce")
            #expect(CryptoBox.seal(padded, secret: secret, nonce: nonce) == (try vector.data("box")))
            #expect(try CryptoBox.open(vector.data("box"), secret: secret, nonce: nonce) == padded)
        }
    }

    @Test func `a message that leaves no room for its length is refused`() throws {
        #expect(try Padding.pad(counting(14), to: 16).count == 16)
        #expect(throws: SMPEncodingError.tooLong) { try Padding.pad(counting(15), to: 16) }
        #expect(throws: SMPEncodingError.tooLong) { try Padding.pad([], to: 1) }
        #expect(throws: SMPEncodingError.tooLong) { try Padding.pad(counting(65_536), to: 100_000) }
    }

    @Test func `a length beyond the end is refused, whatever the fill is`() throws {
        #expect(throws: SMPDecodingError.truncated) { try Padding.unpad([0, 3, 1, 2]) }
        #expect(throws: SMPDecodingError.truncated) { try Padding.unpad([0]) }
        #expect(try Padding.unpad([0, 1, 9, 0, 0]) == [9])
    }

    @Test func `lengths are the constants of the vectors`() throws {
        let constants = try Vectors.group("constants")
        #expect(SMPLimits.block == (try constants.number("smp_block_size")))
        #expect(SMPLimits.proxied == (try constants.number("padded_proxied_transmission_length")))
        for item in constants["max_message_length"].items {
            #expect(SMPLimits.sentBody(try item.version("version")) == (try item.number("length")))
        }
    }
}
