import Cryptography
import SMP
import TestSupport

/// Random values of the codec, whole runs of which follow from a seed.
extension SeededGenerator {
    mutating func chance() -> Bool { Bool.random(using: &self) }

    mutating func some(_ range: ClosedRange<Int>) -> [UInt8] { bytes(Int.random(in: range, using: &self)) }

    mutating func optional<Value>(_ value: (inout Self) throws -> Value) rethrows -> Value? {
        chance() ? try value(&self) : nil
    }

    mutating func pick<Value>(_ values: [Value], else other: Value) -> Value {
        values.randomElement(using: &self) ?? other
    }

    mutating func entity() -> EntityID { EntityID(bytes(24)) }

    mutating func version() -> SMPVersion { SMPVersion(rawValue: .random(in: 6...18, using: &self)) }

    mutating func agreementKey() throws -> X25519.PublicKey { try X25519.PublicKey(rawRepresentation: bytes(32)) }

    mutating func authenticationKey() throws -> AuthenticationPublicKey {
        switch Int.random(in: 0...2, using: &self) {
        case 0: .ed25519(try Ed25519.PublicKey(rawRepresentation: bytes(32)))
        case 1: .ed448(try Ed448.PublicKey(rawRepresentation: bytes(57)))
        default: .x25519(try agreementKey())
        }
    }

    mutating func authenticationPair() throws -> AuthenticationPrivateKey {
        switch Int.random(in: 0...2, using: &self) {
        case 0: .ed25519(try Ed25519.PrivateKey(rawRepresentation: SecretBytes(bytes(32))))
        case 1: .ed448(try Ed448.PrivateKey(rawRepresentation: SecretBytes(bytes(57))))
        default: .x25519(try X25519.PrivateKey(rawRepresentation: SecretBytes(bytes(32))))
        }
    }

    mutating func linkData() -> LinkData { LinkData(fixed: some(0...300), user: some(0...600)) }

    mutating func notifierKeys() throws -> NotifierKeys {
        NotifierKeys(authenticationKey: try authenticationKey(), agreementKey: try agreementKey())
    }

    mutating func password() throws -> RelayPassword {
        try RelayPassword(parsing: pick(["x", "pass_word", "!~()"], else: "x"))
    }

    mutating func address() throws -> RelayAddress {
        try RelayAddress(
            hosts: pick([["a.example"], ["127.0.0.1", "b.onion"], ["::1"]], else: ["a.example"]),
            port: optional { .random(in: 1...65535, using: &$0) }, keyHash: bytes(32))
    }

    /// A request all of which `version` can express.
    mutating func queueRequest(_ version: SMPVersion) throws -> QueueRequest {
        QueueRequest(
            recipientKey: try authenticationKey(), agreementKey: try agreementKey(),
            password: try optional { try $0.password() }, subscribes: chance(), link: link(version),
            notifier: version >= 17 ? try optional { try $0.notifierKeys() } : nil)
    }

    private mutating func link(_ version: SMPVersion) -> QueueRequest.Link? {
        if version < 9 { return nil }
        let withData = version >= 15
        if withData && chance() { return nil }
        if chance() {
            return .messaging(
                withData ? optional { .init(senderID: $0.entity(), data: $0.linkData()) } : nil)
        }
        return .contact(
            withData
                ? optional { .init(linkID: $0.entity(), senderID: $0.entity(), data: $0.linkData()) } : nil)
    }

    mutating func command(_ version: SMPVersion) throws -> Command {
        switch pick(CommandTag.allCases, else: .ping) {
        case .new: .new(try queueRequest(version))
        case .subscribe: .subscribe
        case .get: .get
        case .acknowledge: .acknowledge(MessageID(some(0...30)))
        case .setSenderKey: .setSenderKey(try authenticationKey())
        case .setRecipientKeys:
            .setRecipientKeys(try (1...Int.random(in: 1...9, using: &self)).map { _ in try authenticationKey() })
        case .setLinkData: .setLinkData(linkID: entity(), linkData())
        case .deleteLinkData: .deleteLinkData
        case .setNotifier: .setNotifier(try notifierKeys())
        case .deleteNotifier: .deleteNotifier
        case .suspend: .suspend
        case .delete: .delete
        case .queueInfo: .queueInfo
        case .secure: .secure(try authenticationKey())
        case .send: .send(notify: chance(), body: some(0...3_000))
        case .secureAndGetLink: .secureAndGetLink(try authenticationKey())
        case .getLink: .getLink
        case .subscribeNotifier: .subscribeNotifier
        case .ping: .ping
        case .openProxySession:
            .openProxySession(try address(), password: try optional { try $0.password() })
        case .forwardToProxy:
            .forwardToProxy(ProxiedCommand(version: self.version(), key: try agreementKey(), sealed: some(0...900)))
        case .forwardToRelay: .forwardToRelay(some(0...900))
        case .subscribeService: .subscribeService
        case .subscribeNotifierService: .subscribeNotifierService
        }
    }

    mutating func queueIDs(_ version: SMPVersion) throws -> QueueIDs {
        let mode: QueueMode = chance() ? .messaging : .contact
        return QueueIDs(
            recipientID: entity(), senderID: entity(), serverKey: try agreementKey(),
            mode: version < 9 ? nil : version < 15 ? mode : optional { _ in mode },
            linkID: version >= 15 ? optional { $0.entity() } : nil,
            serviceID: version >= 16 ? optional { $0.entity() } : nil,
            notifier: version >= 17
                ? try optional { .init(id: $0.entity(), serverKey: try $0.agreementKey()) } : nil)
    }

    mutating func certifiedKey() throws -> CertifiedKey {
        let signer = Ed25519.PrivateKey()
        return CertifiedKey(
            chain: (0...Int.random(in: 0...3, using: &self)).map { _ in some(1...700) },
            signedKey: try SignedKey(.x25519(agreementKey()), signedBy: .ed25519(signer)))
    }

    mutating func message(_ version: SMPVersion) throws -> BrokerMessage {
        switch Int.random(in: 0...16, using: &self) {
        case 0: .queue(try queueIDs(version))
        case 1: .ok
        case 2: version >= 16 ? .subscribed(serviceID: optional { $0.entity() }) : .ok
        case 3: .servicesSubscribed(.random(in: .min ... .max, using: &self))
        case 4: .message(MessageID(bytes(24)), body: some(0...3_000))
        case 5: .link(senderID: entity(), linkData())
        case 6: .notifier(entity(), try agreementKey())
        case 7: .notification(nonce: bytes(24), meta: some(0...255))
        case 8: .queueInfo(some(0...400))
        case 9:
            .proxySession(
                ProxySession(sessionID: bytes(32), versions: SMPVersionRange(8...17), key: try certifiedKey()))
        case 10: .proxyResponse(some(0...900))
        case 11: .relayResponse(some(0...900))
        case 12: .ended
        case 13: .servicesEnded(.random(in: .min ... .max, using: &self))
        case 14: version >= 10 ? .deleted : .ended
        case 15: .pong
        default: .error(error(version))
        }
    }

    mutating func error(_ version: SMPVersion) -> SMPError {
        let details: [String] = ["", "bad", "connection refused", "é"]
        let text = pick(details, else: "")
        let network: [SMPError.NetworkError?] = [
            nil, .connect(text), .tls(text), .unknownAuthority, .failed, .timeout, .subscribe(text),
        ]
        let broker: [SMPError.BrokerError] = [
            .response(text), .unexpected(text), .network(pick(network, else: nil)), .timeout, .host, .noService,
            .transport(pick(RelayTransportError.allCases, else: .block)),
        ]
        var errors: [SMPError] = [
            .block, .session, .authentication, .service, .crypto, .quota, .store(text), .noMessage, .largeMessage,
            .expired, .internalError, .duplicate, .command(pick(SMPError.CommandError.allCases, else: .syntax)),
            .proxy(.basicAuthentication), .proxy(.noSession), .proxy(.broker(pick(broker, else: .host))),
            .proxy(.relay(.proxy(.relay(.quota)))),
        ]
        if version >= 12 {
            errors.append(.blocked(.init(reason: "spam", notice: version >= 18 ? "{\"ttl\":1}" : nil)))
        }
        return pick(errors, else: .block)
    }

    /// A transmission all of which `version` can express.
    mutating func transmission(_ version: SMPVersion) -> Transmission {
        let authenticator = bytes(pick([0, 64, 80, 114], else: 0))
        let signature = version >= 16 && !authenticator.isEmpty ? optional { $0.bytes(64) } : nil
        return Transmission(
            authenticator: authenticator, serviceSignature: signature,
            correlationID: CorrelationID(pick([[], bytes(24)], else: [])),
            entityID: EntityID(pick([[], bytes(24)], else: [])), command: some(0...500))
    }

    /// The bytes with some changed, inserted, dropped or cut.
    mutating func mutated(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        for _ in 0...Int.random(in: 0...2, using: &self) {
            guard let index = bytes.indices.randomElement(using: &self) else { return some(0...5) }
            switch Int.random(in: 0...4, using: &self) {
            case 0: bytes[index] = .random(in: 0...255, using: &self)
            case 1: bytes.insert(.random(in: 0...255, using: &self), at: index)
            case 2: bytes.remove(at: index)
            case 3: bytes = Array(bytes.prefix(index))
            default: bytes += some(1...4)
            }
        }
        return bytes
    }
}
