import Glibc

// What attributes say.
extension STUNMessage {
    /// The address that the server saw, as `192.0.2.1:3478` or `[2001:db8::1]:3478`.
    package var seenAddress: String? {
        self[.xorMappedAddress].flatMap(exclusiveOr).flatMap(Self.address) ?? self[.mappedAddress].flatMap(Self.address)
    }

    /// The address that the server relays at.
    package var relayedAddress: String? { self[.relayedAddress].flatMap(exclusiveOr).flatMap(Self.address) }

    /// Number and reason of a refusal (RFC 8489 §14.8). The reason is the server's own text.
    package var refusal: (code: Int, reason: String)? {
        guard let value = self[.errorCode], value.count >= 4 else { return nil }
        let code = Int(value[2] & 0x07) * 100 + Int(value[3])
        return (code, String(decoding: value.dropFirst(4).prefix(128), as: UTF8.self))
    }

    /// Says which address and port a request came from (RFC 8489 §14.2).
    /// - Parameter address: the 4 or 16 bytes of an address of IPv4 or IPv6; nothing is added for other lengths.
    package mutating func add(seen address: [UInt8], port: UInt16) {
        guard address.count == 4 || address.count == 16 else { return }
        let plain =
            [0, address.count == 4 ? 1 : 2, UInt8(truncatingIfNeeded: port >> 8), UInt8(truncatingIfNeeded: port)]
            + address
        if let mixed = exclusiveOr(plain) { add(.xorMappedAddress, mixed) }
    }

    /// Says why a request is refused: a number of 300 to 699, without a text (RFC 8489 §14.8).
    package mutating func add(refusal code: Int) {
        add(.errorCode, [0, 0, UInt8(truncatingIfNeeded: code / 100), UInt8(truncatingIfNeeded: code % 100)])
    }

    /// An address attribute mixed with the cookie and the transaction, which undoes it, too (RFC 8489 §14.2).
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
