import Cryptography

extension BrokerMessage {
    /// The message as a transmission of `version` carries it.
    ///
    /// - Throws: `SMPEncodingError`.
    public func encoded(_ version: SMPVersion) throws -> [UInt8] {
        try ByteWriter.build { try write(&$0, version) }
    }

    /// Reads a message.
    ///
    /// - Throws: `SMPDecodingError`.
    public init(decoding bytes: [UInt8], version: SMPVersion) throws {
        self = try ByteReader.all(of: bytes) { reader in
            let tag = String(decoding: reader.word(), as: UTF8.self)
            if let message = Self.plain[tag] { return message }
            guard let read = Self.readers[tag] else { throw SMPDecodingError.unknownTag }
            try reader.space()
            return try read(&reader, version)
        }
    }

    private func write(_ writer: inout ByteWriter, _ version: SMPVersion) throws {
        switch self {
        case .ok: writer.raw("OK")
        case .pong: writer.raw("PONG")
        case .ended: writer.raw("END")
        case .deleted: writer.raw(version >= .deletedEvent ? "DELD" : "END")
        case .subscribed(let serviceID):
            guard version >= .services else { return writer.raw("OK") }
            writer.raw("SOK ")
            try writer.maybe(serviceID) { try $0.entityID($1) }
        case .servicesSubscribed(let count):
            writer.raw("SOKS ")
            writer.int64(count)
        case .servicesEnded(let count):
            writer.raw("ENDS ")
            writer.int64(count)
        case .queueInfo(let json):
            writer.raw("INFO ")
            writer.raw(json)
        case .proxyResponse(let sealed):
            writer.raw("PRES ")
            writer.raw(sealed)
        case .relayResponse(let sealed):
            writer.raw("RRES ")
            writer.raw(sealed)
        case .error(let error):
            writer.raw("ERR ")
            try writer.error(error, version)
        case .queue, .message, .link, .notifier, .notification, .proxySession:
            try writeFields(&writer, version)
        }
    }

    private func writeFields(_ writer: inout ByteWriter, _ version: SMPVersion) throws {
        switch self {
        case .queue(let ids):
            writer.raw("IDS ")
            try writer.queueIDs(ids, version)
        case .message(let id, let body):
            writer.raw("MSG ")
            try writer.bytes(id.bytes)
            writer.raw(body)
        case .link(let senderID, let data):
            writer.raw("LNK ")
            try writer.entityID(senderID)
            try writer.linkData(data)
        case .notifier(let id, let key):
            writer.raw("NID ")
            try writer.entityID(id)
            try writer.key(key)
        case .notification(let nonce, let meta):
            guard nonce.count == CryptoBox.nonceCount else { throw SMPEncodingError.invalid("nonce") }
            writer.raw("NMSG ")
            writer.raw(nonce)
            try writer.bytes(meta)
        case .proxySession(let session):
            writer.raw("PKEY ")
            try writer.bytes(session.sessionID)
            writer.versionRange(session.versions)
            try writer.certifiedKey(session.key)
        case .ok, .pong, .ended, .deleted, .subscribed, .servicesSubscribed, .servicesEnded, .queueInfo,
            .proxyResponse, .relayResponse, .error:
            break
        }
    }

    private static let plain: [String: BrokerMessage] = [
        "OK": .ok, "PONG": .pong, "END": .ended, "DELD": .deleted,
    ]

    private typealias Read = @Sendable (inout ByteReader, SMPVersion) throws -> BrokerMessage

    private static let readers: [String: Read] = [
        "IDS": { .queue(try $0.queueIDs($1)) },
        "SOK": { reader, _ in .subscribed(serviceID: try reader.maybe { try $0.entityID() }) },
        "SOKS": { reader, _ in .servicesSubscribed(try reader.int64()) },
        "ENDS": { reader, _ in .servicesEnded(try reader.int64()) },
        "MSG": { reader, _ in .message(MessageID(try reader.bytes()), body: reader.tail()) },
        "LNK": { reader, _ in .link(senderID: try reader.entityID(), try reader.linkData()) },
        "NID": { reader, _ in .notifier(try reader.entityID(), try reader.agreementKey()) },
        "NMSG": { reader, _ in
            .notification(nonce: try reader.raw(CryptoBox.nonceCount), meta: try reader.bytes())
        },
        "INFO": { reader, _ in .queueInfo(reader.tail()) },
        "PKEY": { reader, _ in
            .proxySession(
                ProxySession(
                    sessionID: try reader.bytes(), versions: try reader.versionRange(), key: try reader.certifiedKey()))
        },
        "PRES": { reader, _ in .proxyResponse(reader.tail()) },
        "RRES": { reader, _ in .relayResponse(reader.tail()) },
        "ERR": { reader, _ in .error(try reader.error()) },
    ]
}

extension ByteReader {
    fileprivate mutating func queueIDs(_ version: SMPVersion) throws -> QueueIDs {
        var ids = QueueIDs(
            recipientID: try entityID(), senderID: try entityID(), serverKey: try agreementKey(), mode: nil)
        if version >= .shortLinks {
            ids.mode = try maybe { try $0.queueMode() }
            ids.linkID = try maybe { try $0.entityID() }
        } else if version >= .senderSecures {
            ids.mode = try bool() ? .messaging : .contact
        }
        if version >= .services { ids.serviceID = try maybe { try $0.entityID() } }
        if version >= .notifierInNew {
            ids.notifier = try maybe { .init(id: try $0.entityID(), serverKey: try $0.agreementKey()) }
        }
        return ids
    }
}

extension ByteWriter {
    fileprivate mutating func queueIDs(_ ids: QueueIDs, _ version: SMPVersion) throws {
        try entityID(ids.recipientID)
        try entityID(ids.senderID)
        try key(ids.serverKey)
        if version >= .shortLinks {
            maybe(ids.mode) { $0.byte($1.rawValue) }
            try maybe(ids.linkID) { try $0.entityID($1) }
        } else if version >= .senderSecures {
            bool(ids.mode == .messaging)
        }
        if version >= .services { try maybe(ids.serviceID) { try $0.entityID($1) } }
        guard version >= .notifierInNew else { return }
        try maybe(ids.notifier) { writer, notifier in
            try writer.entityID(notifier.id)
            try writer.key(notifier.serverKey)
        }
    }
}
