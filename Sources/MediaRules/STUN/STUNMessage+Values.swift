import Glibc

// What attributes say.
extension STUNMessage {
    /// The address that the server saw, as `192.0.2.1:3478` or `[2001:db8::1]:3478`.
    var seenAddress: String? {
        self[.xorMappedAddress].flatMap(exclusiveOr).flatMap(Self.address) ?? self[.mappedAddress].flatMap(Self.address)
    }

    /// The address that the server relays at.
    var relayedAddress: String? { self[.relayedAddress].flatMap(exclusiveOr).flatMap(Self.address) }

    /// Number and reason of a refusal (RFC 8489 §14.8). The reason is the server's own text.
    var refusal: (code: Int, reason: String)? {
        guard let value = self[.errorCode], value.count >= 4 else { return nil }
        let code = Int(value[2] & 0x07) * 100 + Int(value[3])
        return (code, String(decoding: value.dropFirst(4).prefix(128), as: UTF8.self))
    }

    /// An address attribute without what it was mixed with (RFC 8489 §14.2).
    private func exclusiveOr(_ value: [UInt8]) -> [UInt8]? {
        guard value.count == 8 || value.count == 20 else { return nil }
        let mask = [0, 0] + Self.cookie[..<2] + Self.cookie + transaction
        return zip(value, mask).map { $0 ^ $1 }
    }

    /// RFC 8489 §14.1.
    private static func address(_ value: [UInt8]) -> String? {
        let isIPv6 = value.count == 20 && value[1] == 2
        guard isIPv6 || (value.count == 8 && value[1] == 1) else { return nil }
        let port = UInt16(value[2]) << 8 | UInt16(value[3])
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(isIPv6 ? AF_INET6 : AF_INET, Array(value[4...]), &text, socklen_t(text.count)) != nil else {
            return nil
        }
        let host = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
