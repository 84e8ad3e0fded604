import Cryptography
import SMP

extension Ratchet {
    /// Decrypts a message and changes the ratchet, in the order of the Agent fact sheet §6.
    ///
    /// The ratchet may change even when this throws (`.authenticationFailed`, or `.duplicateMessage` and the like in a
    /// new chain): the caller stores it in any case. It does not change for `.header` and `.malformed`.
    ///
    /// - Parameters:
    ///   - message: header, tag and body.
    ///   - freshKey: makes the new key of a ratchet step; a test may give one.
    /// - Returns: the body without padding.
    /// - Throws: `RatchetError`.
    package mutating func decrypt(
        _ message: [UInt8], freshKey: () -> X448.PrivateKey = { X448.PrivateKey() }
    ) throws(RatchetError) -> [UInt8] {
        let message = try RatchetMessage(decoding: message)
        let encryptedHeader = try EncryptedHeader(decoding: message.header)
        let (header, source) = try findHeader(encryptedHeader)
        switch source {
        case .skipped(let headerKey):
            guard let key = skipped.take(number: header.number, headerKey: headerKey) else { throw .header }
            return try open(message, key: key)
        case .currentChain:
            raiseVersion(to: header.maximumVersion)
        case .nextChain:
            try step(to: header, freshKey: freshKey())
        }
        return try open(message, key: receivingKey(number: header.number))
    }

    /// Which of the ratchet's header keys opened a header.
    private enum HeaderSource {
        /// The key of a chain with a stored key for this number.
        case skipped(headerKey: SecretBytes)
        case currentChain
        case nextChain
    }

    private func findHeader(_ encrypted: EncryptedHeader) throws(RatchetError) -> (RatchetHeader, HeaderSource) {
        for chain in skipped.chains {
            guard let header = try encrypted.open(key: chain.headerKey, associatedData: associatedData) else {
                continue
            }
            if chain.keys[header.number] != nil { return (header, .skipped(headerKey: chain.headerKey)) }
            if chain.headerKey == receiving?.headerKey { return (header, .currentChain) }
            if chain.headerKey == nextReceivingHeaderKey { return (header, .nextChain) }
            throw .header
        }
        if let receiving, let header = try encrypted.open(key: receiving.headerKey, associatedData: associatedData) {
            return (header, .currentChain)
        }
        if let header = try encrypted.open(key: nextReceivingHeaderKey, associatedData: associatedData) {
            return (header, .nextChain)
        }
        throw .header
    }

    /// The ratchet step: the peer has answered with a new key.
    private mutating func step(to header: RatchetHeader, freshKey: X448.PrivateKey) throws(RatchetError) {
        if case .accepted = header.kem { throw .postQuantumRequired }
        var next = self
        next.raiseVersion(to: header.maximumVersion)
        try next.skip(to: header.previousCount)
        let received: RatchetKDF.RootStep
        let sent: RatchetKDF.RootStep
        do {
            received = try RatchetKDF.root(
                rootKey, sharedSecret: ownKey.sharedSecret(with: header.publicKey))
            sent = try RatchetKDF.root(
                received.rootKey, sharedSecret: freshKey.sharedSecret(with: header.publicKey))
        } catch {
            throw .invalidKey
        }
        next.ownKey = freshKey
        next.rootKey = sent.rootKey
        next.receiving = ReceivingChain(chainKey: received.chainKey, headerKey: nextReceivingHeaderKey)
        next.sending = SendingChain(
            peerKey: header.publicKey, chainKey: sent.chainKey, headerKey: nextSendingHeaderKey)
        next.previousSentCount = sentCount
        next.sentCount = 0
        next.receivedCount = 0
        next.nextReceivingHeaderKey = received.nextHeaderKey
        next.nextSendingHeaderKey = sent.nextHeaderKey
        self = next
    }

    /// Skips to the message and takes its key out of the receiving chain.
    private mutating func receivingKey(number: UInt32) throws(RatchetError) -> MessageKey {
        try skip(to: number)
        return try advanceReceivingChain()
    }

    /// Keeps the keys of all messages before `number` in the receiving chain.
    private mutating func skip(to number: UInt32) throws(RatchetError) {
        guard let chain = receiving else { return }
        if number < receivedCount {
            let distance = receivedCount - number
            throw distance == 1 ? .duplicateMessage : .earlierMessage(distance)
        }
        guard number - receivedCount <= SkippedKeys.maximumGap else {
            throw .tooManySkipped(number - receivedCount)
        }
        while receivedCount < number {
            let skippedNumber = receivedCount
            skipped.insert(try advanceReceivingChain(), number: skippedNumber, headerKey: chain.headerKey)
        }
    }

    private mutating func advanceReceivingChain() throws(RatchetError) -> MessageKey {
        guard var chain = receiving else { throw .invalidState }
        guard receivedCount < .max else { throw .exhausted }
        do {
            let step = try RatchetKDF.chain(chain.chainKey)
            chain.chainKey = step.chainKey
            receiving = chain
            receivedCount += 1
            return step.message
        } catch {
            throw .invalidState
        }
    }

    private mutating func raiseVersion(to peerMaximum: UInt16) {
        version = max(version, min(peerMaximum, maximumVersion))
    }

    private func open(_ message: RatchetMessage, key: MessageKey) throws(RatchetError) -> [UInt8] {
        do {
            var padded = try AESGCM.open(
                message.body, key: key.key, iv: key.iv, authenticatedData: associatedData + message.header,
                tag: message.tag)
            defer { wipe(&padded) }
            return try Padding.unpad(padded)
        } catch {
            throw .authenticationFailed
        }
    }
}
