import AgentProtocol
import Cryptography
import SMP

/// The chains of both directions of a connection, as stored.
struct Chains: Equatable, Sendable {
    var sent = IntegrityChain()
    var received = IntegrityChain()
    /// Hashes of the peer's ratchet-key messages since its last numbered one: it has counted them, nobody can tell from
    /// their bytes (Agent fact sheet §8). Empty for a message of a repair that could not be decrypted.
    var uncounted: [[UInt8]] = []

    /// Two new chains.
    init() {}

    /// Reads what `encoded` wrote.
    init(decoding bytes: [UInt8]) throws {
        do {
            var reader = ByteReader(bytes)
            sent = IntegrityChain(lastID: try reader.int64(), lastHash: try reader.bytes())
            received = IntegrityChain(lastID: try reader.int64(), lastHash: try reader.bytes())
            while !reader.isAtEnd { uncounted.append(try reader.bytes()) }
        } catch {
            throw StoreError.damaged("connection.chains")
        }
    }

    /// Judges a numbered message that came in.
    mutating func receive(id: Int64, previousHash: [UInt8], plaintext: [UInt8]) -> MessageIntegrity {
        let missing = Int64(uncounted.count)
        let follows = missing > 0 && received.lastID < .max - missing - 1 && id == received.lastID + missing + 1
        // Of one that could not be decrypted the hash isn't known.
        let named = uncounted.last.map { $0.isEmpty || constantTimeEqual($0, previousHash) } ?? false
        let verdict = received.receive(id: id, previousHash: previousHash, plaintext: plaintext)
        if verdict != .duplicate { uncounted = [] }
        return follows && named ? .ok : verdict
    }

    /// For the store.
    func encoded() throws -> [UInt8] {
        try ByteWriter.build { writer in
            for chain in [sent, received] {
                writer.int64(chain.lastID)
                try writer.bytes(chain.lastHash)
            }
            for hash in uncounted { try writer.bytes(hash) }
        }
    }
}
