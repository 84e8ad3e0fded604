/// What is asked of a router by the Port Control Protocol (RFC 6887).
enum PCPRequest: Equatable, Sendable {
    /// Whether it is there, and since when (RFC 6887 §14.1).
    case announce(client: IPv4Address)
    /// To forward TCP (RFC 6887 §11.1).
    case map(PCPMapping, client: IPv4Address, lifetime: UInt32)

    static let version: UInt8 = 2
    static let headerLength = 24
    static let mapLength = 60
    static let nonceLength = 12

    /// Reads a request whole, as a server does; nil for what is none.
    init?(decoding bytes: [UInt8]) {
        guard bytes.count >= Self.headerLength, bytes[0] == Self.version,
            let client = Self.address(Array(bytes[8..<24]))
        else { return nil }
        switch bytes[1] {
        case PCPOperation.announce.rawValue where bytes.count == Self.headerLength: self = .announce(client: client)
        case PCPOperation.map.rawValue where bytes.count == Self.mapLength:
            guard let mapping = PCPMapping(decoding: Array(bytes[Self.headerLength...])) else { return nil }
            self = .map(mapping, client: client, lifetime: bytes.number32(at: 4))
        default: return nil
        }
    }

    /// The bytes on the wire (RFC 6887 §7.1).
    func encoded() -> [UInt8] {
        switch self {
        case .announce(let client): Self.header(.announce, lifetime: 0, client)
        case .map(let mapping, let client, let lifetime):
            Self.header(.map, lifetime: lifetime, client) + mapping.encoded()
        }
    }

    private static func header(_ operation: PCPOperation, lifetime: UInt32, _ client: IPv4Address) -> [UInt8] {
        [version, operation.rawValue, 0, 0] + bigEndian(lifetime) + mapped(client)
    }

    /// An address of IPv4 as one of IPv6 (RFC 6887 §5).
    static func mapped(_ address: IPv4Address) -> [UInt8] {
        [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + address.bytes
    }

    /// The reverse; nil for an address of IPv6.
    static func address(_ bytes: [UInt8]) -> IPv4Address? {
        guard bytes.count == 16, bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF else {
            return nil
        }
        return IPv4Address(bytes[12...])
    }
}

/// RFC 6887 §19.3.
enum PCPOperation: UInt8, Sendable {
    case announce = 0
    case map = 1
}

/// What is mapped (RFC 6887 §11.1).
struct PCPMapping: Equatable, Sendable {
    /// IANA's number of TCP.
    static let tcp: UInt8 = 6

    /// 12 random bytes: only who has them may change the mapping.
    var nonce: [UInt8]
    var internalPort: UInt16
    /// 0 for any.
    var externalPort: UInt16
    /// 0.0.0.0 for any.
    var externalAddress: IPv4Address

    init(nonce: [UInt8], internalPort: UInt16, externalPort: UInt16, externalAddress: IPv4Address) {
        (self.nonce, self.internalPort) = (nonce, internalPort)
        (self.externalPort, self.externalAddress) = (externalPort, externalAddress)
    }

    /// Nil for one that is not of TCP or of IPv4.
    init?(decoding bytes: [UInt8]) {
        guard bytes.count == 36, bytes[12] == Self.tcp, let address = PCPRequest.address(Array(bytes[20..<36])) else {
            return nil
        }
        self.init(
            nonce: Array(bytes[..<12]), internalPort: bytes.number16(at: 16), externalPort: bytes.number16(at: 18),
            externalAddress: address)
    }

    func encoded() -> [UInt8] {
        nonce + [Self.tcp, 0, 0, 0] + bigEndian(internalPort) + bigEndian(externalPort)
            + PCPRequest.mapped(externalAddress)
    }
}

/// RFC 6887 §7.4.
enum PCPResult: UInt8, Sendable, CaseIterable {
    case success = 0
    case unsupportedVersion, notAuthorized, malformedRequest, unsupportedOperation, unsupportedOption, malformedOption
    case networkFailure, noResources, unsupportedProtocol, quotaExceeded, cannotProvideExternal, addressMismatch
    case excessiveRemotePeers
}

/// What a router answers (RFC 6887 §7.2).
struct PCPResponse: Equatable, Sendable {
    /// Longest message (RFC 6887 §7).
    static let maximumLength = 1_100

    let operation: PCPOperation
    /// 0 for success; numbers that ``PCPResult`` does not know are errors, too.
    let result: UInt8
    /// Seconds: of the mapping, or for how long the same error is to be expected.
    let lifetime: UInt32
    /// Seconds since the router lost what it had mapped.
    let epoch: UInt32
    /// Nil for an announcement, and where an error has none.
    let mapping: PCPMapping?

    /// Reads a response whole; nil for what is none (RFC 6887 §8.3). Options behind it are left alone.
    init?(decoding bytes: [UInt8]) {
        guard bytes.count >= PCPRequest.headerLength, bytes.count <= Self.maximumLength, bytes.count % 4 == 0,
            bytes[0] == PCPRequest.version, bytes[1] & 0x80 != 0,
            let operation = PCPOperation(rawValue: bytes[1] & 0x7F)
        else { return nil }
        let hasMapping = operation == .map && bytes.count >= PCPRequest.mapLength
        let mapping =
            hasMapping ? PCPMapping(decoding: Array(bytes[PCPRequest.headerLength..<PCPRequest.mapLength])) : nil
        if operation == .map, bytes[3] == 0, mapping == nil { return nil }
        self.init(
            operation, result: bytes[3], lifetime: bytes.number32(at: 4), epoch: bytes.number32(at: 8), mapping: mapping
        )
    }

    init(_ operation: PCPOperation, result: UInt8, lifetime: UInt32, epoch: UInt32, mapping: PCPMapping? = nil) {
        (self.operation, self.result, self.lifetime) = (operation, result, lifetime)
        (self.epoch, self.mapping) = (epoch, mapping)
    }

    /// The bytes on the wire, as a server sends them.
    func encoded() -> [UInt8] {
        [PCPRequest.version, operation.rawValue | 0x80, 0, result] + bigEndian(lifetime) + bigEndian(epoch)
            + [UInt8](repeating: 0, count: 12) + (mapping?.encoded() ?? [])
    }
}
