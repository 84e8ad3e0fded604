import Cryptography
import TestSupport
import Testing

@testable import SMP

@Suite("Transmissions", .timeLimit(.minutes(5)))
struct TransmissionTests {
    let vectors: [VectorValue]

    init() throws { vectors = try Vectors.group("transmissions").items }

    @Test func `requests are authenticated and encoded as in the vectors, for each version and kind of key`() throws {
        for vector in vectors where !vector["auth"].isNull {
            let version = try vector.version("version")
            let sessionID = try vector.data("session_id")
            let bytes = try vector.data("transmission")
            let read = try Transmission(decoding: bytes, version: version, sessionID: sessionID)
            let command = try Command(decoding: read.command, version: version)
            let algorithm = try vector.text("auth")
            let key = algorithm == "none" ? nil : try vector["auth_key"].authenticationPair(algorithm)
            let server = vector["server_session_key"]
            let serverKey = server.isNull ? nil : try server.agreementPair
            let made = try Transmission(
                command, correlationID: CorrelationID(vector.data("corr_id")), entityID: vector.entity("entity_id"),
                version: version, sessionID: sessionID, key: key, serverKey: serverKey?.publicKey)
            #expect(made == read)
            #expect(made.authenticator == vector["authenticator"].bytes ?? [])
            #expect(try made.encoded(version, sessionID: sessionID) == bytes)
            let signed = try vector.data("authorized_bytes")
            #expect(try made.signedBytes(sessionID: sessionID) == signed)
            #expect(try Batch.encode([bytes]) == (try vector.data("batch_of_one")))
            #expect(try Batch.decode(vector.data("batch_of_one")) == [bytes])
            #expect(command.tag.rawValue == (try vector.text("command")))
            guard let key else { continue }
            #expect(
                Authenticator.verify(
                    read.authenticator, for: signed, correlationID: read.correlationID, key: key.publicKey,
                    sessionKey: serverKey))
        }
    }

    @Test func `responses and events are read and made as in the vectors`() throws {
        for vector in vectors where !vector["direction"].isNull {
            let version = try vector.version("version")
            let bytes = try vector.data("transmission")
            let sessionID = try vector.data("session_id")
            let read = try Transmission(decoding: bytes, version: version, sessionID: sessionID)
            #expect(read.correlationID.bytes == (try vector.data("corr_id")))
            #expect(read.entityID == (try vector.entity("entity_id")))
            let message = try BrokerMessage(decoding: read.command, version: version)
            let made = try Transmission(
                message, correlationID: read.correlationID, entityID: read.entityID, version: version)
            #expect(try made.encoded(version, sessionID: sessionID) == bytes)
        }
    }

    @Test func `batches of several are packed as in the vectors, to the hash of the padded block`() throws {
        for vector in vectors where !vector["batch"].isNull {
            let version = try vector.version("version")
            let sessionID = try vector.data("session_id")
            let batch = try vector.data("batch")
            let read = try Batch.transmissions(batch, version: version, sessionID: sessionID).map { try $0.get() }
            #expect(read.map(\.correlationID.bytes) == vector["corr_ids"].items.compactMap(\.bytes))
            let encoded = try read.map { try $0.encoded(version, sessionID: sessionID) }
            #expect(try Batch.pack(encoded) == [batch])
            var cipher = BlockCipher()
            #expect(Digest.sha256(try cipher.seal(batch)) == (try vector.data("block_payload_sha256")))
        }
    }

    @Test func `any transmission comes back in any version`() throws {
        var random = SeededGenerator(seed: 6)
        for _ in 0..<2_000 {
            let version = random.version()
            let transmission = random.transmission(version)
            let bytes = try transmission.encoded(version, sessionID: counting(32))
            #expect(try Transmission(decoding: bytes, version: version, sessionID: counting(32)) == transmission)
        }
    }

    @Test func `an authenticator of a wrong length is BLOCK with the correlation id`() throws {
        for version: SMPVersion in [9, 16] {
            for count in 0...255 where !Authenticator.lengths.contains(count) {
                let transmission = Transmission(
                    authenticator: counting(count), correlationID: CorrelationID(counting(24)), entityID: .random(),
                    command: Array("PING".utf8))
                let fault = TransmissionFault(error: .block, correlationID: transmission.correlationID)
                #expect(throws: fault) {
                    try Transmission(decoding: transmission.encoded(version), version: version)
                }
            }
        }
    }

    @Test func `what cannot be read at all is BLOCK without correlation id`() throws {
        let unread = TransmissionFault(error: .block, correlationID: .none)
        let bytes = try Transmission(
            authenticator: counting(64), correlationID: CorrelationID(counting(24)), entityID: .random(), command: []
        ).encoded(16)
        for count in bytes.indices {
            #expect(throws: unread) { try Transmission(decoding: Array(bytes.prefix(count)), version: 16) }
        }
        #expect(throws: unread) { try Transmission(decoding: [64] + counting(64) + [0x32], version: 16) }
        #expect(throws: unread) {
            try Transmission(decoding: [64] + counting(64) + [0x31, 2, 1, 2, 0, 0], version: 16)
        }
    }

    @Test func `version 6 sends the session id, and another one is SESSION`() throws {
        let transmission = Transmission(correlationID: .random(), entityID: .none, command: Array("PING".utf8))
        let bytes = try transmission.encoded(6, sessionID: [1, 2])
        #expect(try Transmission(decoding: bytes, version: 6, sessionID: [1, 2]) == transmission)
        #expect(throws: TransmissionFault(error: .session, correlationID: transmission.correlationID)) {
            try Transmission(decoding: bytes, version: 6, sessionID: [3])
        }
    }

    @Test func `the entity's key signs the service's fingerprint first, the service itself leaves it out`() throws {
        let transmission = Transmission(correlationID: .random(), entityID: .random(), command: Array("SUB".utf8))
        let fingerprint = counting(32, from: 100)
        let plain = try transmission.signedBytes(sessionID: counting(32))
        #expect(
            try transmission.signedBytes(sessionID: counting(32), serviceFingerprint: fingerprint)
                == fingerprint + plain)
    }
}
