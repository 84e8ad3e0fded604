import Cryptography
import SMP

extension FuzzTarget {
    /// The wire of SMP relays. In those with a version the first byte is the version.
    static let smp: [FuzzTarget] = [
        FuzzTarget(name: "block", run: block),
        FuzzTarget(name: "server-hello", run: serverHello),
        FuzzTarget(name: "client-hello", run: clientHello),
        FuzzTarget(name: "signed-key", run: signedKey),
        FuzzTarget(name: "batch", run: batch),
        FuzzTarget(name: "transmission", run: transmission),
        FuzzTarget(name: "command", run: command),
        FuzzTarget(name: "broker-message", run: brokerMessage),
        FuzzTarget(name: "relay-address", run: relayAddress),
        FuzzTarget(name: "message-body", run: messageBody),
        FuzzTarget(name: "proxy-layers", run: proxyLayers),
    ]

    private static func version(_ byte: UInt8) -> SMPVersion { SMPVersion(rawValue: 6 + UInt16(byte) % 13) }

    private static func block(_ input: [UInt8]) throws {
        let whole = Array((input + [UInt8](repeating: 0x23, count: SMPLimits.block)).prefix(SMPLimits.block))
        var plain = BlockCipher()
        _ = try? plain.open(input)
        if let payload = try? plain.open(whole) {
            try require(payload.count <= plain.payloadLimit, "a payload is longer than a block")
            _ = try? Batch.transmissions(payload, version: .shortLinks)
        }
        let secret = SecretBytes([UInt8](repeating: 7, count: 32))
        var client = try BlockCipher(sessionID: [1], secret: secret, side: .client)
        var server = try BlockCipher(sessionID: [1], secret: secret, side: .server)
        try require((try? server.open(whole)) == nil, "a block that nobody sealed was opened")
        _ = try? client.seal([])
        if input.count <= client.payloadLimit {
            let sealed = try mustSucceed("a payload that fits is sealed") { try client.seal(input) }
            try require(sealed.count == SMPLimits.block, "a sealed block has another size")
            try require((try? server.open(sealed)) == input, "a block that was refused moved the keys")
        }
    }

    private static func serverHello(_ input: [UInt8]) throws {
        guard let hello = try? ServerHello(decoding: input) else { return }
        _ = try? hello.key?.agreementKey(keyHash: hello.key?.keyHash ?? [])
        try roundTrip(input, "a relay's hello", read: ServerHello.init(decoding:)) { try $0.encoded() }
    }

    private static func clientHello(_ input: [UInt8]) throws {
        _ = try? ServiceReply(decoding: input)
        try roundTrip(input, "a client's hello", read: ClientHello.init(decoding:)) { try $0.encoded() }
        try roundTrip(input, "a reply to a service", read: ServiceReply.init(decoding:)) { try $0.encoded() }
    }

    private static func signedKey(_ input: [UInt8]) throws {
        guard let key = try? SignedKey(decoding: input) else { return }
        try require(key.encoded == input, "a signed key has two forms")
        _ = key.isSigned(by: key.key)
    }

    private static func batch(_ input: [UInt8]) throws {
        let version = version(input.first ?? 0)
        let payload = Array(input.dropFirst())
        guard let parts = try? Batch.decode(payload) else { return }
        try require(Batch.encode(parts) == payload, "a batch has two forms")
        for case .success(let transmission) in try Batch.transmissions(payload, version: version) {
            _ = try? Command(decoding: transmission.command, version: version)
            _ = try? BrokerMessage(decoding: transmission.command, version: version)
        }
    }

    private static func transmission(_ input: [UInt8]) throws {
        let version = version(input.first ?? 0)
        let bytes = Array(input.dropFirst())
        do {
            let transmission = try Transmission(decoding: bytes, version: version)
            try require(transmission.encoded(version) == bytes, "a transmission has two forms")
            for tag in CommandTag.allCases { _ = transmission.credentialError(for: tag) }
        } catch let violation as FuzzViolation {
            throw violation
        } catch {
            try require(error is TransmissionFault, "a transmission is refused with \(error)")
        }
    }

    private static func command(_ input: [UInt8]) throws {
        let version = version(input.first ?? 0)
        try roundTrip(Array(input.dropFirst()), "a command") {
            try Command(decoding: $0, version: version)
        } write: {
            try $0.encoded(version)
        }
    }

    private static func brokerMessage(_ input: [UInt8]) throws {
        let version = version(input.first ?? 0)
        let bytes = Array(input.dropFirst())
        _ = try? SMPError(decoding: bytes)
        guard let message = try? BrokerMessage(decoding: bytes, version: version) else { return }
        if case .error(let error) = message { _ = "\(error)" }
        if case .proxySession(let session) = message {
            _ = try? session.key.agreementKey(keyHash: session.key.keyHash ?? [])
        }
        _ = try? message.encoded(version)
    }

    private static func relayAddress(_ input: [UInt8]) throws {
        let text = String(decoding: input, as: UTF8.self)
        try roundTrip(text, "a relay's address", read: RelayAddress.init(parsing:), write: \.text)
        try roundTrip(input, "a relay's address in bytes") {
            try ByteReader.all(of: $0) { try $0.relayAddress() }
        } write: { address in
            try ByteWriter.build { try $0.relayAddress(address) }
        }
        // Addresses of peers are kept as texts.
        if let address = try? ByteReader.all(of: input, { try $0.relayAddress() }) {
            try require((try? RelayAddress(parsing: address.text)) == address, "a relay's address has no text")
        }
        _ = try? ByteReader.all(of: input) { try $0.legacyRelayAddress() }
        _ = try? RelayPassword(parsing: text)
    }

    private static func messageBody(_ input: [UInt8]) throws {
        if let body = try? MessageBody(decoding: input) {
            try require(MessageBody(decoding: body.plain) == body, "a message body is another one after writing")
        }
        let secret = SecretBytes([UInt8](repeating: 7, count: 32))
        let id = MessageID([UInt8](repeating: 9, count: MessageID.count))
        _ = try? MessageBody(opening: input, secret: secret, id: id)
        // As a peer of the relay would: sealed with the right secret, with any content.
        let sealed = CryptoBox.seal(input, secret: secret, nonce: id.bytes)
        _ = try? MessageBody(opening: sealed, secret: secret, id: id)
        _ = try? NotificationMeta(opening: sealed, secret: secret, nonce: id.bytes)
    }

    private static func proxyLayers(_ input: [UInt8]) throws {
        let secret = SecretBytes([UInt8](repeating: 7, count: 32))
        let id = CorrelationID([UInt8](repeating: 9, count: CorrelationID.count))
        for direction in [ProxyLayers.Direction.request, .response] {
            _ = try? ProxyLayers.openOuter(input, secret: secret, correlationID: id, direction)
            _ = try? ProxyLayers.openInner(input, secret: secret, correlationID: id, direction)
            let outer = ProxyLayers.sealOuter(input, secret: secret, correlationID: id, direction)
            _ = try? ProxyLayers.openInner(outer, secret: secret, correlationID: id, direction)
        }
        try roundTrip(input, "a forwarded command", read: ForwardedCommand.init(decoding:)) { try $0.encoded() }
        try roundTrip(input, "a forwarded response", read: ForwardedResponse.init(decoding:)) { try $0.encoded() }
    }
}
