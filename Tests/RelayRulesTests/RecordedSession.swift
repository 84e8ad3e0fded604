import Cryptography
import SMP
import SMPSession
import Synchronization
import TestSupport

@testable import RelayRules

/// A recorded conversation of a client and a server of another implementation, over two connections.
struct RecordedSession {
    struct Block {
        let fromServer: Bool
        let payload: [UInt8]
        /// SHA-256 of the 16,384 bytes on the wire.
        let wireHash: [UInt8]
    }

    struct Connection {
        let sessionID: [UInt8]
        let serverKey: X25519.PublicKey
        let secret: SecretBytes
        let clientKey: X25519.PrivateKey
        let blocks: [Block]
    }

    struct Step {
        let connection: String
        let isCommand: Bool
        /// Response or event.
        let expected: [UInt8]
    }

    let version: SMPVersion
    let vector: VectorValue
    let connections: [String: Connection]
    let steps: [Step]
    let recipientKey: AuthenticationPrivateKey
    let senderKey: AuthenticationPrivateKey

    init(version: SMPVersion) throws {
        let vectors = try Vectors.group("recorded_sessions").items
        guard let vector = vectors.first(where: { $0["smp_version"].integer == Int(version.rawValue) }) else {
            throw MissingVector()
        }
        self.version = version
        self.vector = vector
        connections = [
            "receiver": try Self.connection("receiver", vector), "sender": try Self.connection("sender", vector),
        ]
        steps = vector["steps"].items.map { step in
            let isCommand = !step["command"].isNull
            return Step(
                connection: step["connection"].string ?? "", isCommand: isCommand,
                expected: step[isCommand ? "response_encoded" : "event_encoded"].bytes ?? [])
        }
        recipientKey = try Self.key(vector, "recipient_auth_key")
        senderKey = try Self.key(vector, "sender_auth_key")
    }

    struct MissingVector: Error {}

    private static func connection(_ name: String, _ vector: VectorValue) throws -> Connection {
        let session = vector["\(name)_session"]
        guard let sessionID = session["session_id"].bytes, let secret = session["session_secret"].bytes,
            let serverKey = session["server_session_public_key"].bytes,
            let clientKey = vector["\(name)_client_session_key"]["private"].bytes
        else { throw MissingVector() }
        return Connection(
            sessionID: sessionID, serverKey: try .init(rawRepresentation: serverKey), secret: SecretBytes(secret),
            clientKey: try .init(rawRepresentation: SecretBytes(clientKey)),
            blocks: vector["\(name)_blocks"].items.map { block in
                Block(
                    fromServer: block["direction"].string == "server_to_client", payload: block["payload"].bytes ?? [],
                    wireHash: block["wire_sha256"].bytes ?? [])
            })
    }

    private static func key(_ vector: VectorValue, _ name: String) throws -> AuthenticationPrivateKey {
        guard let seed = vector[name]["private"].bytes else { throw MissingVector() }
        return vector["auth_algorithm"].string == "x25519"
            ? .x25519(try .init(rawRepresentation: SecretBytes(seed)))
            : .ed25519(try .init(rawRepresentation: SecretBytes(seed)))
    }

    /// The relay's hello of a connection.
    func serverHello(_ name: String) throws -> ServerHello {
        guard let block = connections[name]?.blocks.first else { throw MissingVector() }
        return try ServerHello(decoding: block.payload)
    }

    /// A session key whose private half nobody knows, but whose secrets were recorded or follow from the clients' keys.
    func sessionKey(_ name: String) throws -> SessionKey {
        guard let connection = connections[name] else { throw MissingVector() }
        var secrets = [connection.clientKey.publicKey: connection.secret]
        for key in [recipientKey, senderKey] {
            guard case .x25519(let key) = key else { continue }
            secrets[key.publicKey] = try key.sharedSecret(with: connection.serverKey)
        }
        let known = secrets
        return SessionKey(publicKey: connection.serverKey) { key in
            guard let secret = known[key] else { throw CryptographyError.invalidKey }
            return secret
        }
    }

    /// What the recorded server drew at random, in the order the relay asks for it, and its clock.
    func entropy() throws -> (RelayEntropy, clock: @Sendable () -> Int64) {
        var ids: [EntityID] = []
        var keys: [X25519.PublicKey] = []
        for step in steps where step.isCommand {
            switch try BrokerMessage(decoding: step.expected, version: version) {
            case .queue(let queue):
                // A sender id that follows from the correlation id is not drawn.
                ids.append(queue.recipientID)
                if queue.linkID == nil { ids.append(queue.senderID) }
                keys.append(queue.serverKey)
            case .notifier(let id, let key):
                ids.append(id)
                keys.append(key)
            default: continue
            }
        }
        let messages = vector["messages"].items
        let times = try messages.map { message -> Int64 in
            guard case .message(let time, _, _) = try MessageBody(decoding: message["decrypted_body"].bytes ?? [])
            else {
                throw MissingVector()
            }
            return time
        }
        let source = RecordedEntropy(
            ids: ids, keys: keys, messages: messages.compactMap { $0["msg_id"].bytes.map { MessageID($0) } },
            times: times)
        let secret = SecretBytes(vector["recipient_dh_secret"].bytes ?? [])
        let entropy = RelayEntropy(
            entityID: { source.nextID() }, messageID: { source.nextMessage() },
            agreement: { _ in QueueAgreement(publicKey: try source.nextKey(), secret: secret) })
        return (entropy, { source.time })
    }
}

/// Recorded values, handed out one after the other.
private final class RecordedEntropy: Sendable {
    private struct State {
        var ids: [EntityID]
        var keys: [X25519.PublicKey]
        var messages: [MessageID]
        var times: [Int64]
    }

    private let state: Mutex<State>

    init(ids: [EntityID], keys: [X25519.PublicKey], messages: [MessageID], times: [Int64]) {
        state = Mutex(State(ids: ids, keys: keys, messages: messages, times: times))
    }

    func nextID() -> EntityID { state.withLock { $0.ids.isEmpty ? .random() : $0.ids.removeFirst() } }

    func nextKey() throws -> X25519.PublicKey {
        try state.withLock { state in
            guard !state.keys.isEmpty else { throw CryptographyError.invalidKey }
            return state.keys.removeFirst()
        }
    }

    func nextMessage() -> MessageID {
        state.withLock { state in
            _ = state.times.isEmpty ? nil : state.times.removeFirst()
            return state.messages.isEmpty ? .random() : state.messages.removeFirst()
        }
    }

    var time: Int64 { state.withLock { $0.times.first ?? 0 } }
}
