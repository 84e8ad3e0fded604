import Cryptography
import SMP

extension Ratchet {
    /// Takes header and key for the next message and advances the chain.
    ///
    /// The first half of sending (Agent fact sheet §11.3): stored together with the message, so that every attempt to
    /// send it has the same number and key.
    ///
    /// - Throws: `RatchetError.noSendingChain`, `.exhausted`.
    mutating func takeSendingKey() throws(RatchetError) -> SendingKey {
        guard var chain = sending else { throw .noSendingChain }
        guard sentCount < .max else { throw .exhausted }
        do {
            let step = try RatchetKDF.chain(chain.chainKey)
            let header = RatchetHeader(
                maximumVersion: maximumVersion, publicKey: ownKey.publicKey, previousCount: previousSentCount,
                number: sentCount)
            let sealed = try EncryptedHeader(
                sealing: header, version: version, key: chain.headerKey, iv: step.headerIV,
                associatedData: associatedData)
            let key = try SendingKey(
                version: version, encryptedHeader: sealed.encoded(), messageKey: step.message,
                associatedData: associatedData)
            chain.chainKey = step.chainKey
            sending = chain
            sentCount += 1
            return key
        } catch {
            throw .invalidState
        }
    }

    /// Both halves at once.
    ///
    /// - Throws: `RatchetError.noSendingChain`, `.exhausted`, `.messageTooLarge` (checked before anything changes).
    package mutating func encrypt(_ body: [UInt8], paddedTo count: Int) throws(RatchetError) -> [UInt8] {
        guard body.count <= count - 2 else { throw .messageTooLarge }
        return try takeSendingKey().encrypt(body, paddedTo: count)
    }
}
