import Cryptography
import SMP

// The store's form of a ratchet. It starts with the version of this layout, so that a later one can read it.

extension Ratchet {
    private static let layout: UInt8 = 1

    /// Everything the ratchet knows, for the store; holds secrets.
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.byte(Self.layout)
        writer.raw(associatedData)
        writer.word16(version)
        writer.word16(maximumVersion)
        writer.secret(ownKey.rawRepresentation)
        writer.secret(rootKey)
        writer.word32(sentCount)
        writer.word32(receivedCount)
        writer.word32(previousSentCount)
        writer.secret(nextSendingHeaderKey)
        writer.secret(nextReceivingHeaderKey)
        writer.maybe(sending) { writer, chain in
            writer.raw(chain.peerKey.rawRepresentation)
            writer.secret(chain.chainKey)
            writer.secret(chain.headerKey)
        }
        writer.maybe(receiving) { writer, chain in
            writer.secret(chain.chainKey)
            writer.secret(chain.headerKey)
        }
        skipped.encode(to: &writer)
        return writer.written
    }

    /// Reads what `encoded` wrote.
    ///
    /// - Throws: `RatchetError.invalidState`.
    package init(decoding bytes: [UInt8]) throws(RatchetError) {
        do {
            var reader = ByteReader(bytes)
            guard try reader.byte() == Self.layout else { throw RatchetError.invalidState }
            associatedData = try reader.raw(X3DH.associatedDataCount)
            version = try reader.word16()
            maximumVersion = try reader.word16()
            ownKey = try X448.PrivateKey(rawRepresentation: reader.secret(56))
            rootKey = try reader.secret()
            sentCount = try reader.word32()
            receivedCount = try reader.word32()
            previousSentCount = try reader.word32()
            nextSendingHeaderKey = try reader.secret()
            nextReceivingHeaderKey = try reader.secret()
            sending = try reader.maybe { reader in
                SendingChain(
                    peerKey: try X448.PublicKey(rawRepresentation: reader.raw(56)),
                    chainKey: try reader.secret(), headerKey: try reader.secret())
            }
            receiving = try reader.maybe { reader in
                ReceivingChain(chainKey: try reader.secret(), headerKey: try reader.secret())
            }
            skipped = try SkippedKeys(from: &reader)
            guard reader.isAtEnd, RatchetVersions.supported.contains(version) else { throw RatchetError.invalidState }
        } catch {
            throw .invalidState
        }
    }
}

extension SkippedKeys {
    fileprivate func encode(to writer: inout ByteWriter) {
        writer.word16(UInt16(chains.count))
        for chain in chains {
            writer.secret(chain.headerKey)
            writer.word16(UInt16(chain.keys.count))
            for (number, key) in chain.keys.sorted(by: { $0.key < $1.key }) {
                writer.word32(number)
                writer.secret(key.key)
                writer.raw(key.iv)
            }
        }
    }

    fileprivate init(from reader: inout ByteReader) throws {
        self.init()
        for _ in 0..<(try reader.word16()) {
            let headerKey = try reader.secret()
            for _ in 0..<(try reader.word16()) {
                let number = try reader.word32()
                let key = MessageKey(key: try reader.secret(), iv: try reader.raw(RatchetKDF.ivCount))
                insert(key, number: number, headerKey: headerKey)
            }
        }
    }
}

extension ByteReader {
    fileprivate mutating func secret(_ count: Int = RatchetKDF.keyCount) throws -> SecretBytes {
        var bytes = try raw(count)
        defer { wipe(&bytes) }
        return SecretBytes(bytes)
    }
}

extension ByteWriter {
    fileprivate mutating func secret(_ secret: SecretBytes) {
        secret.withBytes { raw($0) }
    }
}
