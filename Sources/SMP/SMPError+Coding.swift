extension SMPError {
    /// The text after `ERR `.
    ///
    /// - Throws: `SMPEncodingError` for a part of more than 255 bytes.
    public func encoded(_ version: SMPVersion) throws -> [UInt8] {
        try ByteWriter.build { try $0.error(self, version) }
    }

    /// Reads the text after `ERR `.
    ///
    /// - Throws: `SMPDecodingError`.
    public init(decoding bytes: [UInt8]) throws {
        self = try ByteReader.all(of: bytes) { try $0.error() }
    }

    /// Errors that are one word.
    fileprivate static let words: [String: SMPError] = [
        "BLOCK": .block, "SESSION": .session, "AUTH": .authentication, "SERVICE": .service, "CRYPTO": .crypto,
        "QUOTA": .quota, "NO_MSG": .noMessage, "LARGE_MSG": .largeMessage, "EXPIRED": .expired,
        "INTERNAL": .internalError, "DUPLICATE_": .duplicate,
    ]

    fileprivate static let wordOf = Dictionary(uniqueKeysWithValues: words.map { ($1, $0) })
}

extension ByteReader {
    /// An error; `depth` bounds how often a proxy's error may wrap another.
    mutating func error(depth: Int = 0) throws -> SMPError {
        let tag = keyword()
        if let error = SMPError.words[tag] { return error }
        switch tag {
        case "CMD":
            try space()
            return .command(try commandError())
        case "BLOCKED":
            try space()
            return .blocked(try blockingInfo())
        case "STORE":
            try space()
            return .store(String(decoding: tail(), as: UTF8.self))
        case "PROXY":
            try space()
            guard depth < 4 else { throw SMPDecodingError.invalid("nested error") }
            return .proxy(try proxyError(depth: depth))
        default: throw SMPDecodingError.unknownTag
        }
    }

    mutating func transportError() throws -> RelayTransportError {
        var tag = keyword()
        if tag == "HANDSHAKE" {
            try space()
            tag += " " + keyword()
        }
        guard let error = RelayTransportError(rawValue: tag) else { throw SMPDecodingError.unknownTag }
        return error
    }

    private mutating func keyword() -> String { String(decoding: word(), as: UTF8.self) }

    private mutating func commandError() throws -> SMPError.CommandError {
        let tag = keyword()
        // The name older relays use for the same fault.
        if tag == "NO_QUEUE" { return .noEntity }
        guard let error = SMPError.CommandError(rawValue: tag) else { throw SMPDecodingError.unknownTag }
        return error
    }

    private mutating func blockingInfo() throws -> SMPError.BlockingInfo {
        guard skip("reason=".utf8) else { throw SMPDecodingError.invalid("blocking reason") }
        let reason = String(decoding: word(upTo: UInt8(ascii: ",")), as: UTF8.self)
        if isAtEnd { return .init(reason: reason) }
        guard skip(",notice=".utf8) else { throw SMPDecodingError.invalid("blocking notice") }
        return .init(reason: reason, notice: String(decoding: tail(), as: UTF8.self))
    }

    private mutating func proxyError(depth: Int) throws -> SMPError.ProxyError {
        switch keyword() {
        case "PROTOCOL":
            try space()
            return .relay(try error(depth: depth + 1))
        case "BROKER":
            try space()
            return .broker(try brokerError())
        case "BASIC_AUTH": return .basicAuthentication
        case "NO_SESSION": return .noSession
        default: throw SMPDecodingError.unknownTag
        }
    }

    private mutating func brokerError() throws -> SMPError.BrokerError {
        switch keyword() {
        case "RESPONSE": return .response(try detail())
        case "UNEXPECTED": return .unexpected(try detail())
        case "NETWORK": return .network(isAtEnd ? nil : try networkError())
        case "TIMEOUT": return .timeout
        case "HOST": return .host
        case "NO_SERVICE": return .noService
        case "TRANSPORT":
            try space()
            return .transport(try transportError())
        default: throw SMPDecodingError.unknownTag
        }
    }

    private mutating func networkError() throws -> SMPError.NetworkError {
        try space()
        switch keyword() {
        case "CONNECT": return .connect(try detail())
        case "TLS": return .tls(try detail())
        case "UNKNOWNCA": return .unknownAuthority
        case "FAILED": return .failed
        case "TIMEOUT": return .timeout
        case "SUBSCRIBE": return .subscribe(try detail())
        default: throw SMPDecodingError.unknownTag
        }
    }

    /// A space and a short string, of which nothing but display is made.
    private mutating func detail() throws -> String {
        try space()
        return String(decoding: try bytes(), as: UTF8.self)
    }
}

extension ByteWriter {
    mutating func error(_ error: SMPError, _ version: SMPVersion) throws {
        switch error {
        case .command(let error): raw("CMD " + error.rawValue)
        case .blocked(let info) where version >= .blockedError:
            raw("BLOCKED reason=" + info.reason)
            if version >= .blockedNotice, let notice = info.notice { raw(",notice=" + notice) }
        case .blocked: raw("AUTH")
        case .store(let text): raw("STORE " + text)
        case .proxy(let error):
            raw("PROXY ")
            try proxyError(error, version)
        case .block, .session, .authentication, .service, .crypto, .quota, .noMessage, .largeMessage, .expired,
            .internalError, .duplicate:
            raw(SMPError.wordOf[error] ?? "INTERNAL")
        }
    }

    mutating func transportError(_ error: RelayTransportError) { raw(error.rawValue) }

    private mutating func proxyError(_ error: SMPError.ProxyError, _ version: SMPVersion) throws {
        switch error {
        case .relay(let error):
            raw("PROTOCOL ")
            try self.error(error, version)
        case .broker(let error):
            raw("BROKER ")
            try brokerError(error)
        case .basicAuthentication: raw("BASIC_AUTH")
        case .noSession: raw("NO_SESSION")
        }
    }

    private mutating func brokerError(_ error: SMPError.BrokerError) throws {
        switch error {
        case .response(let text): try detail("RESPONSE ", text)
        case .unexpected(let text): try detail("UNEXPECTED ", text)
        case .network(nil): raw("NETWORK")
        case .network(.some(let error)):
            raw("NETWORK ")
            try networkError(error)
        case .timeout: raw("TIMEOUT")
        case .host: raw("HOST")
        case .noService: raw("NO_SERVICE")
        case .transport(let error):
            raw("TRANSPORT ")
            transportError(error)
        }
    }

    private mutating func networkError(_ error: SMPError.NetworkError) throws {
        switch error {
        case .connect(let text): try detail("CONNECT ", text)
        case .tls(let text): try detail("TLS ", text)
        case .unknownAuthority: raw("UNKNOWNCA")
        case .failed: raw("FAILED")
        case .timeout: raw("TIMEOUT")
        case .subscribe(let text): try detail("SUBSCRIBE ", text)
        }
    }

    private mutating func detail(_ tag: String, _ text: String) throws {
        raw(tag)
        try self.text(text)
    }
}
