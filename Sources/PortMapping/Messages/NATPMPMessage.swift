/// What is asked of a router by NAT-PMP (RFC 6886), which PCP came from.
enum NATPMPRequest: Equatable, Sendable {
    /// Which address it has outside (RFC 6886 §3.2).
    case address
    /// To forward TCP (RFC 6886 §3.3); a lifetime of 0 seconds ends it.
    case map(internalPort: UInt16, externalPort: UInt16, lifetime: UInt32)

    static let version: UInt8 = 0

    /// Reads a request whole, as a server does; nil for what is none.
    init?(decoding bytes: [UInt8]) {
        guard bytes.count >= 2, bytes[0] == Self.version else { return nil }
        switch bytes[1] {
        case NATPMPOperation.address.rawValue where bytes.count == 2: self = .address
        case NATPMPOperation.mapTCP.rawValue where bytes.count == 12:
            self = .map(
                internalPort: bytes.number16(at: 4), externalPort: bytes.number16(at: 6),
                lifetime: bytes.number32(at: 8))
        default: return nil
        }
    }

    /// The bytes on the wire.
    func encoded() -> [UInt8] {
        switch self {
        case .address: [Self.version, NATPMPOperation.address.rawValue]
        case .map(let internalPort, let externalPort, let lifetime):
            [Self.version, NATPMPOperation.mapTCP.rawValue, 0, 0] + bigEndian(internalPort) + bigEndian(externalPort)
                + bigEndian(lifetime)
        }
    }
}

/// RFC 6886 §3.2, §3.3.
enum NATPMPOperation: UInt8, Sendable {
    case address = 0
    case mapTCP = 2
}

/// RFC 6886 §3.5.
enum NATPMPResult: UInt16, Sendable, CaseIterable {
    case success = 0
    case unsupportedVersion, notAuthorized, networkFailure, noResources, unsupportedOperation
}

/// What a router answers.
struct NATPMPResponse: Equatable, Sendable {
    /// What an answer of success says.
    enum Content: Equatable, Sendable {
        case address(IPv4Address)
        /// The lifetime is in seconds.
        case mapping(internalPort: UInt16, externalPort: UInt16, lifetime: UInt32)
    }

    /// 0 for success; numbers that ``NATPMPResult`` does not know are errors, too.
    let result: UInt16
    /// The operation that it answers, as the request had it; to a request of another version routers answer with that one's.
    let operation: UInt8
    /// Seconds since the router lost what it had mapped.
    let epoch: UInt32
    /// Nil with an error.
    let content: Content?

    /// Reads a response whole; nil for what is none.
    init?(decoding bytes: [UInt8]) {
        guard bytes.count >= 8, bytes.count <= 16, bytes[0] == NATPMPRequest.version, bytes[1] & 0x80 != 0 else {
            return nil
        }
        let (result, operation) = (bytes.number16(at: 2), bytes[1] & 0x7F)
        var content: Content?
        if result == 0 {
            switch operation {
            case NATPMPOperation.address.rawValue where bytes.count == 12:
                guard let address = IPv4Address(bytes[8..<12]) else { return nil }
                content = .address(address)
            case NATPMPOperation.mapTCP.rawValue where bytes.count == 16:
                content = .mapping(
                    internalPort: bytes.number16(at: 8), externalPort: bytes.number16(at: 10),
                    lifetime: bytes.number32(at: 12))
            default: return nil
            }
        }
        self.init(result: result, operation: operation, epoch: bytes.number32(at: 4), content: content)
    }

    init(result: UInt16, operation: UInt8, epoch: UInt32, content: Content? = nil) {
        (self.result, self.operation, self.epoch, self.content) = (result, operation, epoch, content)
    }

    /// The bytes on the wire, as a server sends them.
    func encoded() -> [UInt8] {
        let header = [NATPMPRequest.version, operation | 0x80] + bigEndian(result) + bigEndian(epoch)
        return switch content {
        case .address(let address): header + address.bytes
        case .mapping(let internalPort, let externalPort, let lifetime):
            header + bigEndian(internalPort) + bigEndian(externalPort) + bigEndian(lifetime)
        case nil: header
        }
    }
}
