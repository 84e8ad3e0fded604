import Cryptography
import SMP
import TestSupport
import Testing

@Suite("Messages of the relay", .timeLimit(.minutes(5)))
struct BrokerMessageTests {
    @Test func `every message of the vectors is encoded for each version, read back, and encoded again alike`() throws {
        for vector in try Vectors.group("broker_messages").items {
            for encoding in vector["encodings"].items {
                let bytes = try encoding.data("hex")
                let message = try Self.message(vector)
                for version in encoding["versions"].versions {
                    if vector["message"].string != "INFO" { #expect(try message.encoded(version) == bytes) }
                    let read = try BrokerMessage(decoding: bytes, version: version)
                    #expect(try read.encoded(version) == bytes)
                    if version >= 18 && vector["message"].string != "INFO" { #expect(read == message) }
                }
            }
        }
    }

    @Test func `INFO carries its JSON as it is`() throws {
        let vectors = try Vectors.group("broker_messages").items
        let vector = try #require(vectors.first { $0["message"].string == "INFO" })
        let bytes = try vector["encodings"][0].data("hex")
        let message = try BrokerMessage(decoding: bytes, version: 17)
        #expect(message == .queueInfo(Array(#"{"qiSnd":true,"qiNtf":false,"qiSize":2}"#.utf8)))
        #expect(try message.encoded(17) == bytes)
    }

    private static func message(_ vector: VectorValue) throws -> BrokerMessage {
        let args = vector["args"]
        switch try vector.text("message") {
        case "IDS": return .queue(try queueIDs(args))
        case "LNK":
            let data = LinkData(fixed: try args.data("enc_fixed_data"), user: try args.data("enc_user_data"))
            return .link(senderID: try args.entity("sender_id"), data)
        case "SOK": return .subscribed(serviceID: try args.entityIfPresent("service_id"))
        case "SOKS": return .servicesSubscribed(Int64(try args.number("count")))
        case "ENDS": return .servicesEnded(Int64(try args.number("count")))
        case "MSG": return .message(MessageID(try args.data("msg_id")), body: try args.data("enc_body"))
        case "NID": return .notifier(try args.entity("notifier_id"), try args.agreementKey("ntf_server_dh_key"))
        case "NMSG": return .notification(nonce: try args.data("nonce"), meta: try args.data("enc_meta"))
        case "PKEY": return .proxySession(try proxySession(args))
        case "PRES": return .proxyResponse(try args.data("enc"))
        case "RRES": return .relayResponse(try args.data("enc"))
        case "OK": return .ok
        case "END": return .ended
        case "DELD": return .deleted
        case "PONG": return .pong
        case "ERR": return .error(try error(args))
        default: return .queueInfo([])
        }
    }

    private static func queueIDs(_ args: VectorValue) throws -> QueueIDs {
        let mode: QueueMode? =
            switch args["queue_mode"].string {
            case "messaging": .messaging
            case "contact": .contact
            default: nil
            }
        let notifier = try args.entityIfPresent("notifier_id").map {
            QueueIDs.Notifier(id: $0, serverKey: try args.agreementKey("ntf_server_dh_key"))
        }
        return QueueIDs(
            recipientID: try args.entity("recipient_id"), senderID: try args.entity("sender_id"),
            serverKey: try args.agreementKey("server_dh_key"), mode: mode,
            linkID: try args.entityIfPresent("link_id"), serviceID: try args.entityIfPresent("service_id"),
            notifier: notifier)
    }

    private static func proxySession(_ args: VectorValue) throws -> ProxySession {
        let credentials = try Vectors.group("server_credentials")
        let leaf = try Ed25519.PrivateKey(rawRepresentation: credentials.secret("server_private_key_raw"))
        let session = try args["server_session_key"].agreementPair
        let range = args["version_range"].versions
        return ProxySession(
            sessionID: try args.data("session_id"),
            versions: try #require(SMPVersionRange(min: range[0], max: range[1])),
            key: CertifiedKey(
                chain: credentials["cert_chain_der"].items.compactMap(\.bytes),
                signedKey: try SignedKey(.x25519(session.publicKey), signedBy: .ed25519(leaf))))
    }

    private static func error(_ args: VectorValue) throws -> SMPError {
        switch try args.text("error") {
        case "BLOCKED spam": .blocked(.init(reason: "spam"))
        case "BLOCKED content with notice ttl 86400": .blocked(.init(reason: "content", notice: #"{"ttl":86400}"#))
        default: .authentication
        }
    }

    @Test func `any message comes back in any version`() throws {
        var random = SeededGenerator(seed: 18)
        for _ in 0..<3_000 {
            let version = random.version()
            let message = try random.message(version)
            #expect(try BrokerMessage(decoding: message.encoded(version), version: version) == message)
        }
    }

    @Test func `unknown messages, wrong separators and trailing bytes are refused`() {
        let cases: [(String, SMPDecodingError)] = [
            ("", .unknownTag), ("WHAT", .unknownTag), ("OK ", .trailingBytes), ("OKK", .unknownTag),
            ("PONG x", .trailingBytes), ("MSG", .truncated), ("IDS ", .truncated), ("ERR ", .unknownTag),
            ("ERR", .truncated), ("SOK 2", .invalid("optional value")), ("SOKS 1234567", .truncated),
            ("ENDS 123456789", .trailingBytes),
        ]
        for (text, error) in cases {
            #expect(throws: error) { try BrokerMessage(decoding: Array(text.utf8), version: 17) }
        }
    }

    @Test func `only PONG, PKEY and RRES must be without an entity, and IDS and ERR may be`() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<300 {
            let message = try random.message(17)
            switch try String(decoding: message.encoded(17).prefix { $0 != 0x20 }, as: UTF8.self) {
            case "PONG", "PKEY", "RRES": #expect(message.entityRule == .forbidden)
            case "IDS", "ERR": #expect(message.entityRule == .optional)
            default: #expect(message.entityRule == .required)
            }
        }
    }
}
