import Cryptography
import SMP

/// What is inside a per-queue box ("clientMessage", Agent fact sheet §3).
package struct ClientMessage: Hashable, Sendable {
    /// The key the recipient shall secure the queue with (`K`); nil (`_`) where the sender secures it, and in all later
    /// messages.
    package let authenticationKey: AuthenticationPublicKey?
    /// An encoded `AgentEnvelope`.
    package let body: [UInt8]

    package init(authenticationKey: AuthenticationPublicKey? = nil, body: [UInt8]) {
        self.authenticationKey = authenticationKey
        self.body = body
    }

    /// - Throws: `AgentDecodingError`.
    package init(decoding bytes: [UInt8]) throws(AgentDecodingError) {
        self = try decodeAll(bytes) { reader in
            switch try reader.byte() {
            case UInt8(ascii: "_"): return ClientMessage(body: reader.tail())
            case UInt8(ascii: "K"):
                let key = try AuthenticationPublicKey(der: reader.bytes())
                return ClientMessage(authenticationKey: key, body: reader.tail())
            default: throw AgentDecodingError.unknownTag
            }
        }
    }

    package func encoded() throws -> [UInt8] {
        var writer = ByteWriter()
        if let authenticationKey {
            writer.raw("K")
            try writer.bytes(authenticationKey.derRepresentation)
        } else {
            writer.raw("_")
        }
        writer.raw(body)
        return writer.written
    }
}
