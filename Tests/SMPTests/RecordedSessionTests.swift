import Cryptography
import TestSupport
import Testing

@testable import SMP

/// Whole conversations of the reference client with the reference relay, replayed with pure code.
@Suite("Recorded sessions")
struct RecordedSessionTests {
    /// One connection of a recording.
    struct Connection {
        let version: SMPVersion
        let sessionID: [UInt8]
        let blocks: [VectorValue]
        let clientKey: X25519.PrivateKey
        let session: VectorValue
        /// The private keys that may have authenticated the client's commands.
        let keys: [AuthenticationPrivateKey]

        var serverKey: X25519.PublicKey? {
            get throws {
                try session["server_session_public_key"].bytes.map { try X25519.PublicKey(rawRepresentation: $0) }
            }
        }
    }

    static func connections() throws -> [Connection] {
        try Vectors.group("recorded_sessions").items.flatMap { recording in
            let algorithm = try recording.text("auth_algorithm")
            let keys = try ["recipient_auth_key", "sender_auth_key"].map {
                try recording[$0].authenticationPair(algorithm)
            }
            return try ["receiver", "sender"].map { side in
                Connection(
                    version: try recording.version("smp_version"),
                    sessionID: try recording["\(side)_session"].data("session_id"),
                    blocks: recording["\(side)_blocks"].items,
                    clientKey: try recording["\(side)_client_session_key"].agreementPair,
                    session: recording["\(side)_session"], keys: keys)
            }
        }
    }

    @Test func `the hellos are read, and made again alike`() throws {
        for connection in try Self.connections() {
            let serverPayload = try connection.blocks[0].data("payload")
            let server = try ServerHello(decoding: serverPayload)
            #expect(try server.encoded() == serverPayload)
            #expect(server.sessionID == connection.sessionID)
            let clientPayload = try connection.blocks[1].data("payload")
            let client = try ClientHello(decoding: clientPayload)
            #expect(try client.encoded() == clientPayload)
            #expect(client.version == connection.version)
            #expect(server.versions.contains(client.version))
            guard connection.version >= .authenticatedCommands else { continue }
            #expect(client.sessionKey == connection.clientKey.publicKey)
            let key = try #require(server.key).agreementKey(keyHash: client.keyHash)
            #expect(key == (try connection.serverKey))
            #expect(
                try connection.clientKey.sharedSecret(with: key) == (try connection.session.secret("session_secret")))
        }
    }

    @Test func `every block on the wire is sealed alike, and opens to its payload`() throws {
        for connection in try Self.connections() {
            var plain = BlockCipher()
            for block in connection.blocks.prefix(2) {
                #expect(Digest.sha256(try plain.seal(block.data("payload"))) == (try block.data("wire_sha256")))
            }
            var client = BlockCipher()
            var server = BlockCipher()
            if connection.version >= .blockEncryption {
                let secret = try connection.session.secret("session_secret")
                client = try BlockCipher(sessionID: connection.sessionID, secret: secret, side: .client)
                server = try BlockCipher(sessionID: connection.sessionID, secret: secret, side: .server)
            }
            for block in connection.blocks.dropFirst(2) {
                let payload = try block.data("payload")
                let fromServer = try block.text("direction") == "server_to_client"
                let wire = fromServer ? try server.seal(payload) : try client.seal(payload)
                #expect(Digest.sha256(wire) == (try block.data("wire_sha256")))
                if let expected = block["wire"].bytes { #expect(wire == expected) }
                #expect(try (fromServer ? client.open(wire) : server.open(wire)) == payload)
            }
        }
    }

    @Test func `every transmission is read and made again byte by byte, authenticators included`() throws {
        for connection in try Self.connections() {
            for block in connection.blocks.dropFirst(2) {
                let payload = try block.data("payload")
                let read = try Batch.transmissions(
                    payload, version: connection.version, sessionID: connection.sessionID
                ).map { try $0.get() }
                let fromServer = try block.text("direction") == "server_to_client"
                let made = try read.map {
                    try fromServer ? Self.answered($0, connection) : Self.requested($0, connection)
                }
                #expect(made == read)
                let encoded = try made.map {
                    try $0.encoded(connection.version, sessionID: connection.sessionID)
                }
                #expect(try Batch.encode(encoded) == payload)
            }
        }
    }

    private static func answered(_ read: Transmission, _ connection: Connection) throws -> Transmission {
        let message = try BrokerMessage(decoding: read.command, version: connection.version)
        switch message.entityRule {
        case .required: #expect(!read.entityID.isEmpty)
        case .forbidden: #expect(read.entityID.isEmpty)
        case .optional: break
        }
        return try Transmission(
            message, correlationID: read.correlationID, entityID: read.entityID, version: connection.version)
    }

    /// The request made again with the private key whose authenticator it carries.
    private static func requested(_ read: Transmission, _ connection: Connection) throws -> Transmission {
        let command = try Command(decoding: read.command, version: connection.version)
        #expect(read.credentialError(for: command.tag) == nil)
        func made(_ key: AuthenticationPrivateKey?) throws -> Transmission {
            try Transmission(
                command, correlationID: read.correlationID, entityID: read.entityID, version: connection.version,
                sessionID: connection.sessionID, key: key, serverKey: connection.serverKey)
        }
        if read.authenticator.isEmpty { return try made(nil) }
        for key in connection.keys {
            let attempt = try made(key)
            if attempt == read { return attempt }
        }
        return try made(connection.keys.first)
    }

    @Test func `every delivered message opens with the recipient's key to what was recorded`() throws {
        for recording in try Vectors.group("recorded_sessions").items {
            let version = try recording.version("smp_version")
            let sessionID = try recording["receiver_session"].data("session_id")
            let serverKey = try X25519.PublicKey(rawRepresentation: recording.data("server_dh_public"))
            let secret = try recording["recipient_dh_key"].agreementPair.sharedSecret(with: serverKey)
            #expect(secret == (try recording.secret("recipient_dh_secret")))
            var opened: [MessageID: [UInt8]] = [:]
            for block in recording["receiver_blocks"].items.dropFirst(2)
            where try block.text("direction") == "server_to_client" {
                for read in try Batch.transmissions(block.data("payload"), version: version, sessionID: sessionID) {
                    let message = try BrokerMessage(decoding: read.get().command, version: version)
                    guard case .message(let id, let body) = message else { continue }
                    opened[id] = try MessageBody(opening: body, secret: secret, id: id).plain
                }
            }
            let expected = try recording["messages"].items.map {
                (MessageID(try $0.data("msg_id")), try $0.data("decrypted_body"))
            }
            #expect(opened == Dictionary(uniqueKeysWithValues: expected))
        }
    }

    @Test func `the steps of a recording are the commands and answers in its blocks`() throws {
        for recording in try Vectors.group("recorded_sessions").items {
            let version = try recording.version("smp_version")
            for side in ["receiver", "sender"] {
                let sessionID = try recording["\(side)_session"].data("session_id")
                var found: [[UInt8]] = []
                for block in recording["\(side)_blocks"].items.dropFirst(2)
                where try block.text("direction") == "server_to_client" {
                    let read = try Batch.transmissions(block.data("payload"), version: version, sessionID: sessionID)
                    found += try read.map { try $0.get().command }
                }
                let expected = recording["steps"].items.filter { $0["connection"].string == side }.compactMap {
                    $0["response_encoded"].bytes ?? $0["event_encoded"].bytes
                }
                #expect(found == expected)
            }
        }
    }
}
