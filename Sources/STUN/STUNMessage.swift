import COpenSSL

/// A message of STUN (RFC 8489 §5), as far as a server that tells addresses and who tests a STUN or TURN server need it.
package struct STUNMessage: Equatable, Sendable {
    /// What is asked for (RFC 8489 §18.2, RFC 8656 §17).
    package enum Method: UInt16, Sendable {
        case binding = 0x001
        case allocate = 0x003
        case refresh = 0x004
    }

    /// RFC 8489 §5: the two class bits of the message type.
    package enum Kind: UInt16, Sendable {
        case request = 0x000
        case indication = 0x010
        case success = 0x100
        case error = 0x110
    }

    /// RFC 8489 §18.3, RFC 8656 §18.
    package enum Attribute: UInt16, Sendable {
        case mappedAddress = 0x0001
        case username = 0x0006
        case integrity = 0x0008
        case errorCode = 0x0009
        case unknownAttributes = 0x000A
        case lifetime = 0x000D
        case relayedAddress = 0x0016
        case requestedTransport = 0x0019
        case realm = 0x0014
        case nonce = 0x0015
        case xorMappedAddress = 0x0020
        case integritySHA256 = 0x001C
        case fingerprint = 0x8028

        /// Whether a message with an attribute of this type that is not known can't be understood (RFC 8489 §14).
        static func isRequired(_ type: UInt16) -> Bool { type < 0x8000 }
    }

    /// RFC 8489 §5.
    static let cookie: [UInt8] = [0x21, 0x12, 0xA4, 0x42]
    package static let headerLength = 20
    /// Longest message that is read, in bytes; a server has no reason for more.
    package static let maximumLength = 2_048

    package let method: Method
    package let kind: Kind
    /// 12 random bytes, the same in the answer.
    package let transaction: [UInt8]
    /// Whether there is a fingerprint, and it is that of another message (RFC 8489 §14.7).
    package private(set) var isDamaged = false
    private var attributes: [(type: UInt16, value: [UInt8])] = []
    /// The bytes before the integrity attribute that was read, and its value.
    private var signed: (prefix: [UInt8], code: [UInt8])?

    package static func == (one: STUNMessage, other: STUNMessage) -> Bool { one.encoded() == other.encoded() }

    package init(_ method: Method, _ kind: Kind = .request, transaction: [UInt8]) {
        (self.method, self.kind, self.transaction) = (method, kind, transaction)
    }

    /// Reads a whole message; nil when it is none, or of a method that is not used here.
    package init?(decoding bytes: [UInt8]) {
        guard let length = Self.length(bytes), bytes.count == length, bytes[0] & 0xC0 == 0 else { return nil }
        let type = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
        guard let kind = Kind(rawValue: type & 0x110), let method = Method(rawValue: type & ~0x110) else { return nil }
        self.init(method, kind, transaction: Array(bytes[8..<20]))
        var position = Self.headerLength
        while position < bytes.count {
            guard position + 4 <= bytes.count else { return nil }
            let type = UInt16(bytes[position]) << 8 | UInt16(bytes[position + 1])
            let count = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
            let end = position + 4 + count
            guard end <= bytes.count else { return nil }
            let value = Array(bytes[position + 4..<end])
            if type == Attribute.fingerprint.rawValue {
                // It is the last one.
                isDamaged = end != bytes.count || value != Self.fingerprint(Array(bytes[..<position]))
                return
            }
            // What follows the integrity is not covered by it (RFC 8489 §14.5); only the fingerprint may.
            if signed == nil {
                if type == Attribute.integrity.rawValue {
                    signed = (Array(bytes[..<position]), value)
                } else {
                    attributes.append((type, value))
                }
            }
            position = end + (4 - count % 4) % 4
        }
    }

    /// The types of attributes that have to be understood and are not known here, in their order, each once.
    package var unknownAttributes: [UInt16] {
        var unknown: [UInt16] = []
        for (type, _) in attributes
        where Attribute.isRequired(type) && Attribute(rawValue: type) == nil && !unknown.contains(type) {
            unknown.append(type)
        }
        return unknown
    }

    /// The length of the message that begins here, in bytes; nil before it is known or when this is no message.
    package static func length(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= headerLength, Array(bytes[4..<8]) == cookie else { return nil }
        let length = headerLength + (Int(bytes[2]) << 8 | Int(bytes[3]))
        return length % 4 == 0 && length <= maximumLength ? length : nil
    }

    /// The first attribute of a type.
    package subscript(type: Attribute) -> [UInt8]? { attributes.first { $0.type == type.rawValue }?.value }

    package mutating func add(_ type: Attribute, _ value: [UInt8]) { attributes.append((type.rawValue, value)) }

    /// The bytes on the wire, with an integrity attribute where there is a key (RFC 8489 §9.2.2).
    package func encoded(key: [UInt8]? = nil) -> [UInt8] {
        var body: [UInt8] = []
        for (type, value) in attributes { Self.append(type, value, to: &body) }
        let message = header(bodyLength: body.count + (key == nil ? 0 : 24)) + body
        guard let key, let code = Self.code(message, key) else { return message }
        var whole = message
        Self.append(Attribute.integrity.rawValue, code, to: &whole)
        return whole
    }

    /// The bytes on the wire, with a fingerprint at the end (RFC 8489 §14.7).
    package func encodedWithFingerprint() -> [UInt8] {
        var whole = encoded()
        let length = whole.count - Self.headerLength + 8
        (whole[2], whole[3]) = (UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length))
        Self.append(Attribute.fingerprint.rawValue, Self.fingerprint(whole), to: &whole)
        return whole
    }

    /// Whether who wrote the message has the key.
    package func isSigned(with key: [UInt8]) -> Bool {
        guard let signed else { return false }
        var prefix = signed.prefix
        // The length counts up to the integrity and no further (RFC 8489 §14.5).
        let length = prefix.count - Self.headerLength + 24
        (prefix[2], prefix[3]) = (UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length))
        return Self.code(prefix, key) == signed.code
    }

    /// The key of long-term credentials (RFC 8489 §9.2.2).
    package static func longTermKey(username: String, realm: [UInt8], password: String) -> [UInt8]? {
        digest(Array(username.utf8) + [0x3A] + realm + [0x3A] + Array(password.utf8))
    }

    private func header(bodyLength: Int) -> [UInt8] {
        let type = method.rawValue | kind.rawValue
        return [
            UInt8(truncatingIfNeeded: type >> 8), UInt8(truncatingIfNeeded: type),
            UInt8(truncatingIfNeeded: bodyLength >> 8), UInt8(truncatingIfNeeded: bodyLength),
        ] + Self.cookie + transaction
    }

    private static func append(_ type: UInt16, _ value: [UInt8], to bytes: inout [UInt8]) {
        bytes += [UInt8(truncatingIfNeeded: type >> 8), UInt8(truncatingIfNeeded: type)]
        bytes += [UInt8(truncatingIfNeeded: value.count >> 8), UInt8(truncatingIfNeeded: value.count)]
        bytes += value + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
    }

    private static func code(_ bytes: [UInt8], _ key: [UInt8]) -> [UInt8]? {
        var code = [UInt8](repeating: 0, count: 20)
        var count: UInt32 = 0
        let made = HMAC(EVP_sha1(), key, Int32(key.count), bytes, bytes.count, &code, &count)
        return made != nil && count == 20 ? code : nil
    }

    /// The fingerprint of what stands before it: its CRC-32, as in ISO 3309 and Ethernet, mixed with the text `STUN`.
    private static func fingerprint(_ bytes: [UInt8]) -> [UInt8] {
        var remainder = UInt32.max
        for byte in bytes {
            remainder ^= UInt32(byte)
            for _ in 0..<8 { remainder = remainder & 1 == 1 ? remainder >> 1 ^ 0xEDB8_8320 : remainder >> 1 }
        }
        let mixed = ~remainder ^ 0x5354_554E
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: mixed >> $0) }
    }

    private static func digest(_ bytes: [UInt8]) -> [UInt8]? {
        var digest = [UInt8](repeating: 0, count: 16)
        var count: UInt32 = 0
        return EVP_Digest(bytes, bytes.count, &digest, &count, EVP_md5(), nil) == 1 && count == 16 ? digest : nil
    }
}
