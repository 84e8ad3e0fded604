import Cryptography
import SMP

@testable import AgentProtocol

extension FuzzTarget {
    /// Links, and what two agents send each other.
    static let agent: [FuzzTarget] = [
        FuzzTarget(name: "link", run: link),
        FuzzTarget(name: "connection-link", run: connectionLink),
        FuzzTarget(name: "link-data", run: linkData),
        FuzzTarget(name: "queue-uri", run: queueURI),
        FuzzTarget(name: "queue-info", run: queueInfo),
        FuzzTarget(name: "queue-envelope", run: queueEnvelope),
        FuzzTarget(name: "agent-envelope", run: agentEnvelope),
        FuzzTarget(name: "agent-message", run: agentMessage),
        FuzzTarget(name: "ratchet-header", run: ratchetHeader),
        FuzzTarget(name: "ratchet-state", run: ratchetState),
        FuzzTarget(name: "ratchet-conversation", run: ratchetConversation),
    ]

    private static func link(_ input: [UInt8]) throws {
        try roundTrip(String(decoding: input, as: UTF8.self), "a link", normalises: true, read: AnyLink.init(parsing:))
        {
            link in
            switch link {
            case .full(let link): link.text()
            case .short(let link): link.text()
            }
        }
    }

    private static func connectionLink(_ input: [UInt8]) throws {
        try roundTrip(input, "a link in bytes", normalises: true, read: ConnectionLink.init(decoding:)) {
            try $0.encoded()
        }
    }

    /// The data of a short link, as a relay may give it and, behind the first byte, as a peer may have made it.
    private static func linkData(_ input: [UInt8]) throws {
        try roundTrip(input, "a link's fixed data", normalises: true, read: LinkFixedData.init(decoding:)) {
            try $0.encoded()
        }
        try roundTrip(input, "a link's data", read: LinkUserData.init(decoding:)) { try $0.encoded() }
        var input = FuzzInput(input)
        let isContact = input.choice(2) == 0
        let fixed = input.bytes(input.word16())
        let user = input.tail()
        let rootKey = try Ed25519.PrivateKey(rawRepresentation: SecretBytes([UInt8](repeating: 6, count: 32)))
        let relay = try RelayAddress(hosts: ["a.example"], port: nil, keyHash: [UInt8](repeating: 1, count: 32))
        let kind = isContact ? ShortLink.Kind.contact : .invitation(linkID: [UInt8](repeating: 2, count: 24))
        let link = ShortLink(kind: kind, relay: relay, linkKey: Digest.sha3_256(fixed))
        let address = QueueAddress(relay: relay, senderID: EntityID([UInt8](repeating: 3, count: 24)))
        _ = try? ShortLinkData(opening: LinkData(fixed: fixed, user: user), link: link, at: address)
        guard
            let sealedFixed = try? LinkBlob.seal(
                fixed, rootKey: rootKey, dataKey: link.dataKey, paddedTo: LinkBlob.fixedCount),
            let sealedUser = try? LinkBlob.seal(
                user, rootKey: rootKey, dataKey: link.dataKey, paddedTo: LinkBlob.userCount)
        else { return }
        _ = try? ShortLinkData(opening: LinkData(fixed: sealedFixed, user: sealedUser), link: link, at: address)
    }

    private static func queueURI(_ input: [UInt8]) throws {
        let text = String(decoding: input, as: UTF8.self)
        try roundTrip(text, "a queue's address", normalises: true, read: { try QueueURI(parsing: $0) }, write: \.text)
        try roundTrip(input, "a queue's address in bytes", normalises: true) {
            try decodeAll($0) { try QueueURI(from: &$0) }
        } write: { queue in
            var writer = ByteWriter()
            try queue.encode(to: &writer)
            return writer.written
        }
    }

    private static func queueInfo(_ input: [UInt8]) throws {
        try roundTrip(input, "a queue's description", normalises: true, read: QueueInfo.init(decoding:)) {
            try $0.encoded()
        }
    }

    private static func queueEnvelope(_ input: [UInt8]) throws {
        let secret = SecretBytes([UInt8](repeating: 7, count: 32))
        try roundTrip(input, "a client message", read: ClientMessage.init(decoding:)) { try $0.encoded() }
        try roundTrip(input, "an envelope", read: QueueEnvelope.init(decoding:)) { try $0.encoded() }
        if let envelope = try? QueueEnvelope(decoding: input) { _ = try? envelope.open(secret: secret) }
        // As a peer would, sealed with the right secret around any content.
        let nonce = [UInt8](repeating: 9, count: CryptoBox.nonceCount)
        let envelope = [0, 4, UInt8(ascii: "0")] + nonce + CryptoBox.seal(input, secret: secret, nonce: nonce)
        _ = try? QueueEnvelope(decoding: envelope).open(secret: secret)
    }

    private static func agentEnvelope(_ input: [UInt8]) throws {
        try roundTrip(input, "an agent's envelope", normalises: true, read: AgentEnvelope.init(decoding:)) {
            try $0.encoded()
        }
        guard let envelope = try? AgentEnvelope(decoding: input) else { return }
        let keys = FuzzRatchets.keys
        switch envelope.content {
        case .confirmation(let parameters?, _), .ratchetKey(let parameters, _):
            _ = try? Ratchet(initiator: keys, peer: parameters)
        case .invitation(let link, _):
            if let offer = link.ratchetOffer, let parameters = try? offer.parameters() {
                _ = try? Ratchet(joiner: keys, peer: parameters)
            }
        case .confirmation, .message: break
        }
    }

    private static func agentMessage(_ input: [UInt8]) throws {
        // The layout does not tell a queue's mode from information that begins with the letter of one (Agent fact sheet
        // §2.2); such a message may be read differently once it was written.
        if case .connectionInformationReply(let queues, let information)? = try? AgentMessage(decoding: input),
            queues.last?.mode == nil, let first = information.first, "MCTF".utf8.contains(first)
        {
            return
        }
        try roundTrip(input, "an agent's message", normalises: true, read: AgentMessage.init(decoding:)) {
            try $0.encoded()
        }
        guard case .message(let id, let hash, _) = try? AgentMessage(decoding: input) else { return }
        var chain = IntegrityChain()
        for _ in 0..<2 { _ = chain.receive(id: id, previousHash: hash, plaintext: input) }
        chain.record(input)
        _ = try? chain.send(.hello)
    }

    private static func ratchetHeader(_ input: [UInt8]) throws {
        for version in RatchetVersions.supported { _ = try? RatchetHeader(decoding: input, version: version) }
        if let message = try? RatchetMessage(decoding: input) { _ = try? EncryptedHeader(decoding: message.header) }
        if let header = try? EncryptedHeader(decoding: input) {
            try require(
                (try? EncryptedHeader(decoding: header.encoded())) == header, "a header is another one after writing")
        }
        // As a peer would: any header under the right key, before any body.
        guard var ratchet = try? FuzzRatchets.pair().receiver, let key = FuzzRatchets.headerKey(of: ratchet) else {
            return
        }
        let iv = [UInt8](repeating: 1, count: RatchetKDF.ivCount)
        for version in RatchetVersions.supported {
            let sealed = try AESGCM.seal(input, key: key, iv: iv, authenticatedData: ratchet.associatedData)
            var header = ByteWriter()
            header.word16(version)
            header.raw(iv)
            header.raw(sealed.tag)
            guard (try? header.versionedLength(sealed.ciphertext, version: version)) != nil,
                let message = try? RatchetMessage(
                    header: header.written, tag: sealed.tag, body: Array(input.prefix(40))
                ).encoded(version: version)
            else { continue }
            _ = try? ratchet.decrypt(message) { FuzzRatchets.keys.first }
            try require(ratchet.skipped.count <= SkippedKeys.maximumCount, "too many keys are kept")
        }
    }

    private static func ratchetState(_ input: [UInt8]) throws {
        try roundTrip(input, "a stored ratchet", read: Ratchet.init(decoding:)) { $0.encoded }
        try roundTrip(input, "a stored sending key", read: SendingKey.init(decoding:)) { $0.encoded }
        try roundTrip(input, "stored ratchet keys", read: RatchetKeyPairs.init(decoding:)) { $0.encoded }
        guard var ratchet = try? Ratchet(decoding: input) else { return }
        _ = try? ratchet.encrypt([1], paddedTo: 64)
        _ = try? ratchet.decrypt([UInt8](repeating: 2, count: 300))
    }

    /// Two ratchets talk as the input says: send, deliver in any order and twice, damage, store and restore.
    private static func ratchetConversation(_ input: [UInt8]) throws {
        var input = FuzzInput(input)
        var talk = try RatchetTalk()
        for _ in 0..<64 where !input.isAtEnd { try talk.step(&input) }
        try talk.finish()
    }
}

/// Ratchets for the targets.
enum FuzzRatchets {
    static let keys = pairs(1)

    private static func pairs(_ seed: UInt8) -> RatchetKeyPairs {
        do {
            return try RatchetKeyPairs(
                decoding: [UInt8](repeating: seed, count: 56) + [UInt8](repeating: seed + 1, count: 56))
        } catch {
            preconditionFailure("every 112 bytes are keys: \(error)")
        }
    }

    /// The joiner's ratchet, which sends first, and the initiator's.
    static func pair() throws -> (sender: Ratchet, receiver: Ratchet) {
        let (joiner, initiator) = (pairs(1), pairs(3))
        return (
            try Ratchet(
                joiner: joiner, peer: initiator.parameters(version: 2), maximumVersion: 3, freshKey: keys.first),
            try Ratchet(initiator: initiator, peer: joiner.parameters(version: 2), maximumVersion: 3)
        )
    }

    /// The key a peer's next header is expected under.
    static func headerKey(of ratchet: Ratchet) -> SecretBytes? {
        ratchet.receiving?.headerKey ?? ratchet.nextReceivingHeaderKey
    }
}

/// A conversation of two ratchets over a network that may do anything.
struct RatchetTalk {
    private struct Letter {
        var bytes: [UInt8]
        let body: [UInt8]
        let to: Int
        var isRead = false
    }

    private var sides: [Ratchet]
    private var letters: [Letter] = []
    private var count: UInt8 = 0

    init() throws {
        let pair = try FuzzRatchets.pair()
        sides = [pair.sender, pair.receiver]
    }

    mutating func step(_ input: inout FuzzInput) throws {
        let side = input.choice(2)
        switch input.choice(6) {
        case 0, 1: try send(from: side)
        case 2:
            guard !letters.isEmpty else { return }
            try deliver(input.choice(letters.count))
        case 3: if !letters.isEmpty { try damage(input.choice(letters.count), &input) }
        case 4:
            let stored = sides[side].encoded
            sides[side] = try mustSucceed("a ratchet is restored") { try Ratchet(decoding: stored) }
        default:
            let bytes = input.bytes(Int(input.byte()))
            try require((try? sides[side].decrypt(bytes)) == nil, "a message nobody sent was read")
        }
    }

    private mutating func send(from side: Int) throws {
        guard sides[side].canSend else { return }
        count &+= 1
        let body = [count]
        let bytes = try mustSucceed("a message is encrypted") { try sides[side].encrypt(body, paddedTo: 32) }
        letters.append(Letter(bytes: bytes, body: body, to: 1 - side))
    }

    private mutating func deliver(_ index: Int) throws {
        let letter = letters[index]
        do {
            let body = try sides[letter.to].decrypt(letter.bytes)
            try require(!letter.isRead, "a message was read twice")
            try require(body == letter.body, "a message was read as another one")
            letters[index].isRead = true
        } catch let violation as FuzzViolation {
            throw violation
        } catch {
            try require(letter.isRead, "a message can't be read: \(error)")
        }
    }

    /// A damaged copy must not be readable, nor keep the true one from being read unless its header was the true one.
    private mutating func damage(_ index: Int, _ input: inout FuzzInput) throws {
        var bytes = letters[index].bytes
        let position = input.word16() % bytes.count
        bytes[position] ^= input.byte() | 1
        var side = sides[letters[index].to]
        try require((try? side.decrypt(bytes)) == nil, "a damaged message was read")
    }

    /// Everything that was sent can still be read.
    mutating func finish() throws {
        for index in letters.indices where !letters[index].isRead { try deliver(index) }
    }
}
