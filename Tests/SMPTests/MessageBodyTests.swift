import Cryptography
import SMP
import TestSupport
import Testing

@Suite("Message bodies", .timeLimit(.minutes(5)))
struct MessageBodyTests {
    @Test func `bodies and quota markers are sealed for the recipient as in the vectors`() throws {
        for vector in try Vectors.group("message_delivery").items {
            let recipient = try vector["recipient_dh"].agreementPair
            let server = try vector["server_dh"].agreementPair
            let secret = try recipient.sharedSecret(with: server.publicKey)
            #expect(secret == (try vector.secret("dh_secret")))
            let time = Int64(try vector.number("timestamp"))
            let body: MessageBody =
                vector["quota_message"].bool == true
                ? .quota(time: time)
                : .message(time: time, notify: try vector.flag("notification"), body: try vector.data("sent_body"))
            let plain = try vector.data("body_before_encryption")
            #expect(body.plain == plain)
            #expect(try MessageBody(decoding: plain) == body)
            let id = MessageID(try vector.data("msg_id_used_as_nonce"))
            let sealed = try body.seal(secret: server.sharedSecret(with: recipient.publicKey), id: id)
            #expect(sealed.count == (try vector.number("encrypted_length")))
            if let expected = vector["encrypted_body"].bytes { #expect(sealed == expected) }
            if let hash = vector["encrypted_sha256"].bytes { #expect(Digest.sha256(sealed) == hash) }
            #expect(try MessageBody(opening: sealed, secret: secret, id: id) == body)
        }
    }

    @Test func `every body up to the longest comes back and has the same length on the wire`() throws {
        let secret = SecretBytes(counting(32))
        for count in [0, 1, 16_048, 16_064, 16_088] {
            let body = MessageBody.message(time: 5, notify: true, body: counting(count))
            let id = MessageID.random()
            let sealed = try body.seal(secret: secret, id: id)
            #expect(sealed.count == SMPLimits.sealedMessageBody)
            #expect(try MessageBody(opening: sealed, secret: secret, id: id) == body)
        }
        let tooLong = MessageBody.message(time: 5, notify: true, body: counting(16_100))
        #expect(throws: SMPEncodingError.tooLong) { try tooLong.seal(secret: secret, id: .random()) }
    }

    @Test func `a body under another id, another secret or with other content is refused`() throws {
        let secret = SecretBytes(counting(32))
        let id = MessageID.random()
        let sealed = try MessageBody.quota(time: 1).seal(secret: secret, id: id)
        #expect(throws: SMPDecodingError.decryptionFailed) {
            try MessageBody(opening: sealed, secret: secret, id: .random())
        }
        #expect(throws: SMPDecodingError.decryptionFailed) {
            try MessageBody(opening: sealed, secret: .random(32), id: id)
        }
        #expect(throws: SMPDecodingError.decryptionFailed) { try MessageBody(opening: [1], secret: secret, id: id) }
        for plain in [[], counting(7), Array("QUOTA 123".utf8), counting(8) + [0x58, 0x20], counting(8) + [0x54]] {
            #expect(throws: SMPDecodingError.self) { try MessageBody(decoding: plain) }
        }
    }

    @Test func `notification metadata is sealed and opened as in the vectors`() throws {
        for vector in try Vectors.group("notification_meta").items {
            let recipient = try vector["recipient_ntf_dh"].agreementPair
            let secret = try recipient.sharedSecret(with: vector["server_ntf_dh"].agreementPair.publicKey)
            let meta = NotificationMeta(
                messageID: MessageID(try vector.data("msg_id")), time: Int64(try vector.number("timestamp")))
            let nonce = try vector.data("nonce")
            let sealed = try meta.seal(secret: secret, nonce: nonce)
            #expect(sealed == (try vector.data("enc_meta")))
            #expect(try NotificationMeta(opening: sealed, secret: secret, nonce: nonce) == meta)
            let message = BrokerMessage.notification(nonce: nonce, meta: sealed)
            #expect(try message.encoded(17) == (try vector.data("nmsg")))
            #expect(throws: SMPDecodingError.decryptionFailed) {
                try NotificationMeta(opening: sealed, secret: secret, nonce: counting(24))
            }
        }
    }
}
