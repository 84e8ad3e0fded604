import Cryptography

extension Command {
    /// The command as a transmission of `version` carries it.
    ///
    /// - Throws: `SMPEncodingError`.
    public func encoded(_ version: SMPVersion) throws -> [UInt8] {
        try ByteWriter.build { writer in
            writer.raw(tag.rawValue)
            try writeParameters(&writer, version)
        }
    }

    /// Reads a command.
    ///
    /// - Throws: `SMPDecodingError`; its `commandError` is what a relay answers (`CMD UNKNOWN` or `CMD SYNTAX`).
    public init(decoding bytes: [UInt8], version: SMPVersion) throws {
        self = try ByteReader.all(of: bytes) { reader in
            guard let tag = CommandTag(rawValue: String(decoding: reader.word(), as: UTF8.self)) else {
                throw SMPDecodingError.unknownTag
            }
            return try Self.read(tag, from: &reader, version)
        }
    }

    private func writeParameters(_ writer: inout ByteWriter, _ version: SMPVersion) throws {
        switch self {
        case .subscribe, .get, .deleteLinkData, .deleteNotifier, .suspend, .delete, .queueInfo, .getLink,
            .subscribeNotifier, .ping, .subscribeService, .subscribeNotifierService:
            return
        case .new, .acknowledge, .setSenderKey, .setRecipientKeys, .setLinkData, .setNotifier, .secure, .send,
            .secureAndGetLink, .openProxySession, .forwardToProxy, .forwardToRelay:
            writer.raw(" ")
        }
        switch self {
        case .new(let request): try writer.queueRequest(request, version)
        case .acknowledge(let id): try writer.bytes(id.bytes)
        case .setSenderKey(let key), .secure(let key), .secureAndGetLink(let key): try writer.key(key)
        case .setRecipientKeys(let keys): try writer.recipientKeys(keys)
        case .setLinkData(let linkID, let data):
            try writer.entityID(linkID)
            try writer.linkData(data)
        case .setNotifier(let keys): try writer.notifierKeys(keys)
        case .send(let notify, let body):
            writer.bool(notify)
            writer.raw(" ")
            writer.raw(body)
        case .openProxySession(let address, let password):
            try writer.relayAddress(address)
            try writer.maybe(password) { try $0.password($1) }
        case .forwardToProxy(let command): try writer.proxiedCommand(command)
        case .forwardToRelay(let sealed): writer.raw(sealed)
        case .subscribe, .get, .deleteLinkData, .deleteNotifier, .suspend, .delete, .queueInfo, .getLink,
            .subscribeNotifier, .ping, .subscribeService, .subscribeNotifierService:
            break
        }
    }

    private static func read(
        _ tag: CommandTag, from reader: inout ByteReader, _ version: SMPVersion
    ) throws -> Command {
        switch tag {
        case .subscribe: return .subscribe
        case .get: return .get
        case .deleteLinkData: return .deleteLinkData
        case .deleteNotifier: return .deleteNotifier
        case .suspend: return .suspend
        case .delete: return .delete
        case .queueInfo: return .queueInfo
        case .getLink: return .getLink
        case .subscribeNotifier: return .subscribeNotifier
        case .ping: return .ping
        case .subscribeService: return .subscribeService
        case .subscribeNotifierService: return .subscribeNotifierService
        case .new, .acknowledge, .setSenderKey, .setRecipientKeys, .setLinkData, .setNotifier, .secure, .send,
            .secureAndGetLink, .openProxySession, .forwardToProxy, .forwardToRelay:
            try reader.space()
            return try readParameters(tag, from: &reader, version)
        }
    }

    private static func readParameters(
        _ tag: CommandTag, from reader: inout ByteReader, _ version: SMPVersion
    ) throws -> Command {
        switch tag {
        case .new: .new(try reader.queueRequest(version))
        case .acknowledge: .acknowledge(MessageID(try reader.bytes()))
        case .setSenderKey: .setSenderKey(try reader.authenticationKey())
        case .secure: .secure(try reader.authenticationKey())
        case .secureAndGetLink: .secureAndGetLink(try reader.authenticationKey())
        case .setRecipientKeys: .setRecipientKeys(try reader.nonempty { try $0.authenticationKey() })
        case .setLinkData: .setLinkData(linkID: try reader.entityID(), try reader.linkData())
        case .setNotifier: .setNotifier(try reader.notifierKeys())
        case .send: .send(notify: try reader.messageFlags(), body: try reader.messageBody())
        case .openProxySession:
            .openProxySession(try reader.relayAddress(), password: try reader.maybe { try $0.password() })
        case .forwardToProxy: .forwardToProxy(try reader.proxiedCommand())
        case .forwardToRelay: .forwardToRelay(reader.tail())
        case .subscribe, .get, .deleteLinkData, .deleteNotifier, .suspend, .delete, .queueInfo, .getLink,
            .subscribeNotifier, .ping, .subscribeService, .subscribeNotifierService:
            throw SMPDecodingError.trailingBytes
        }
    }
}

extension ByteReader {
    /// `T` or `F`; what later versions may add up to the next space is ignored.
    mutating func messageFlags() throws -> Bool {
        let notify = try bool()
        _ = word()
        return notify
    }

    mutating func messageBody() throws -> [UInt8] {
        try space()
        return tail()
    }

    mutating func proxiedCommand() throws -> ProxiedCommand {
        ProxiedCommand(version: try version(), key: try agreementKey(), sealed: tail())
    }
}

extension ByteWriter {
    mutating func proxiedCommand(_ command: ProxiedCommand) throws {
        version(command.version)
        try key(command.key)
        raw(command.sealed)
    }

    fileprivate mutating func recipientKeys(_ keys: [AuthenticationPublicKey]) throws {
        guard !keys.isEmpty else { throw SMPEncodingError.invalid("recipient keys") }
        try list(keys) { try $0.key($1) }
    }
}
