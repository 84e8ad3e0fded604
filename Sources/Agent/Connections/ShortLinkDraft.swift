import AgentProtocol
import Cryptography
import SMP

/// A queue that is about to be made together with the data behind its short link: what both have to know of each other
/// is chosen before the relay is asked (SMP fact sheet §7.1).
struct ShortLinkDraft {
    let queueKey: X25519.PrivateKey
    let rootKey: Ed25519.PrivateKey
    /// Of the NEW; the sender id follows from it.
    let correlationID: CorrelationID
    let senderID: EntityID
    /// What NEW asks for.
    let request: QueueRequest.Link
    private let relay: RelayAddress
    private let linkKey: [UInt8]

    /// - Parameters:
    ///   - keys: of an invitation; nil for a contact address.
    ///   - data: what the application shows to whoever opens the link.
    /// - Throws: `ShortLinkError.malformed` when the data is too long.
    init(on relay: RelayAddress, keys: RatchetKeyPairs?, data: [UInt8]) throws {
        self.relay = relay.withoutPassword
        queueKey = X25519.PrivateKey()
        rootKey = Ed25519.PrivateKey()
        correlationID = .random()
        senderID = EntityID(Array(Digest.sha3_384(correlationID.bytes).prefix(24)))
        let uri = QueueURI(
            versions: QueueVersions.supported, address: QueueAddress(relay: relay, senderID: senderID),
            key: queueKey.publicKey, mode: keys == nil ? .contact : .messaging)
        let link = ConnectionLink(kind: keys.map { .invitation($0.offer()) } ?? .contact, queue: uri)
        let versions = AgentVersions.supported
        let content = ShortLinkData(
            fixed: LinkFixedData(agentVersions: versions, rootKey: rootKey.publicKey, link: link),
            user: keys == nil
                ? .contact(agentVersions: versions, isDirect: true, owners: [], data: data)
                : .invitation(agentVersions: versions, data: data))
        linkKey = try content.linkKey()
        let sealed = try content.sealed(rootKey: rootKey)
        if keys == nil {
            let linkID = EntityID(ShortLinkKeys.contact(linkKey: linkKey).linkID)
            request = .contact(.init(linkID: linkID, senderID: senderID, data: sealed))
        } else {
            request = .messaging(.init(senderID: senderID, data: sealed))
        }
    }

    /// The link as people pass it on.
    ///
    /// - Parameter linkID: from the relay's answer; an invitation is nothing without it.
    func text(linkID: EntityID?) -> String? {
        switch request {
        case .contact: ShortLink(kind: .contact, relay: relay, linkKey: linkKey).text()
        case .messaging:
            linkID.map { ShortLink(kind: .invitation(linkID: $0.bytes), relay: relay, linkKey: linkKey).text() }
        }
    }
}
