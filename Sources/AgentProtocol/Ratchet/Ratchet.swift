import Cryptography

/// The double ratchet with header encryption over X448 (Agent fact sheet §6), as a value: the caller stores `encoded`
/// after every change, in one transaction with what it sent or received.
package struct Ratchet: Sendable, Equatable {
    /// The chain messages are sent with.
    struct SendingChain: Sendable, Equatable {
        var peerKey: X448.PublicKey
        var chainKey: SecretBytes
        var headerKey: SecretBytes
    }

    /// The chain messages are received with.
    struct ReceivingChain: Sendable, Equatable {
        var chainKey: SecretBytes
        var headerKey: SecretBytes
    }

    /// Raw first keys of joiner and initiator, 112 bytes.
    package let associatedData: [UInt8]
    /// The agreed version; rises when the peer's maximum does.
    package internal(set) var version: UInt16
    /// The highest version this side says it knows.
    let maximumVersion: UInt16
    /// "DHRs": this side's current key.
    var ownKey: X448.PrivateKey
    /// "RK".
    var rootKey: SecretBytes
    /// Nil before the initiator has received anything.
    var sending: SendingChain?
    /// Nil before the joiner has received anything.
    var receiving: ReceivingChain?
    /// "Ns": messages sent in the sending chain.
    var sentCount: UInt32 = 0
    /// "Nr": number of the next message in the receiving chain.
    var receivedCount: UInt32 = 0
    /// "PN": messages sent in the sending chain before.
    var previousSentCount: UInt32 = 0
    /// "NHKs".
    var nextSendingHeaderKey: SecretBytes
    /// "NHKr".
    var nextReceivingHeaderKey: SecretBytes
    /// Keys of messages that have not come yet.
    package internal(set) var skipped = SkippedKeys()

    /// Whether this side can send: the initiator cannot before the first message came.
    package var canSend: Bool { sending != nil }

    /// What two people compare to know that nobody sits between them.
    package var securityCode: SecurityCode { SecurityCode(associatedData: associatedData) }

    /// The joiner's ratchet, which sends first.
    ///
    /// - Parameters:
    ///   - keys: this side's pairs.
    ///   - peer: the keys of the link, with the chosen version.
    ///   - maximumVersion: what this side says it knows.
    ///   - freshKey: the first ratchet key; a test may give it.
    /// - Throws: `RatchetError.invalidKey`, `.incompatibleVersion`.
    package init(
        joiner keys: RatchetKeyPairs, peer: RatchetParameters,
        maximumVersion: UInt16 = RatchetVersions.advertised.maximum, freshKey: X448.PrivateKey = X448.PrivateKey()
    ) throws(RatchetError) {
        try Self.check(peer.version, maximumVersion: maximumVersion)
        let secrets = try X3DH.joiner(keys: keys, initiator: peer)
        let step: RatchetKDF.RootStep
        do {
            step = try RatchetKDF.root(secrets.rootKey, sharedSecret: freshKey.sharedSecret(with: peer.secondKey))
        } catch {
            throw .invalidKey
        }
        associatedData = secrets.associatedData
        version = peer.version
        self.maximumVersion = maximumVersion
        ownKey = freshKey
        rootKey = step.rootKey
        sending = SendingChain(peerKey: peer.secondKey, chainKey: step.chainKey, headerKey: secrets.headerKey)
        nextSendingHeaderKey = step.nextHeaderKey
        nextReceivingHeaderKey = secrets.nextHeaderKey
    }

    /// The initiator's ratchet, which receives first.
    ///
    /// - Parameters:
    ///   - keys: the pairs whose public halves are in the link.
    ///   - peer: the keys of the confirmation.
    ///   - maximumVersion: what this side says it knows.
    /// - Throws: `RatchetError.invalidKey`, `.incompatibleVersion`, `.postQuantumRequired`.
    package init(
        initiator keys: RatchetKeyPairs, peer: RatchetParameters,
        maximumVersion: UInt16 = RatchetVersions.advertised.maximum
    ) throws(RatchetError) {
        try Self.check(peer.version, maximumVersion: maximumVersion)
        let secrets = try X3DH.initiator(keys: keys, joiner: peer)
        associatedData = secrets.associatedData
        version = peer.version
        self.maximumVersion = maximumVersion
        ownKey = keys.second
        rootKey = secrets.rootKey
        nextSendingHeaderKey = secrets.nextHeaderKey
        nextReceivingHeaderKey = secrets.headerKey
    }

    private static func check(_ version: UInt16, maximumVersion: UInt16) throws(RatchetError) {
        guard RatchetVersions.supported.contains(version), version <= maximumVersion else {
            throw .incompatibleVersion
        }
    }
}
