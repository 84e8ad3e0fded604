#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Where a call server takes WebSockets: `wss://HOST[:PORT][/PATH]`, or `ws://…` on this machine alone.
///
/// Reading one looks nothing up.
public struct SFUAddress: Sendable, Hashable, CustomStringConvertible {
    /// The most bytes of the text.
    public static let maximumLength = 512

    /// Whether TLS goes around it.
    public let isSecure: Bool
    /// A name in lower case, or an IP address in its shortest form, without brackets.
    public let host: String
    /// From 1 to 65535.
    public let port: Int
    /// With the leading slash, and with a query if there is one.
    public let path: String

    /// Reads an address.
    /// - Throws: ``SFUError/invalidAddress``; ``SFUError/unsafeAddress`` for `ws` to anything but loopback.
    public init(parsing text: String) throws(SFUError) {
        guard text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let colon = text.range(of: "://")
        else { throw .invalidAddress }
        switch text[..<colon.lowerBound].lowercased() {
        case "wss": isSecure = true
        case "ws": isSecure = false
        default: throw .invalidAddress
        }
        let rest = text[colon.upperBound...]
        let slash = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        (host, port) = try Self.place(rest[..<slash], standard: isSecure ? 443 : 80)
        let tail = rest[slash...]
        path = tail.hasPrefix("/") ? String(tail) : "/" + tail
        guard !path.contains(where: { $0 == "#" || $0 == "\\" }) else { throw .invalidAddress }
        guard isSecure || isLoopback else { throw .unsafeAddress }
    }

    /// The address in its shortest form.
    public var text: String {
        let standard = isSecure ? 443 : 80
        return "\(isSecure ? "wss" : "ws")://\(place)\(port == standard ? "" : ":\(port)")\(path)"
    }

    public var description: String { text }

    /// The host as an HTTP request names it, without the port.
    package var place: String { host.contains(":") ? "[\(host)]" : host }

    /// Whether the host is an IP address.
    package var isLiteral: Bool { Self.bytes(host) != nil }

    /// What is to be dialled: `localhost` is this machine, whatever a name server says (RFC 6761 §6.3).
    package var dialledHost: String { host == "localhost" ? "127.0.0.1" : host }

    /// Whether it can only be this machine.
    var isLoopback: Bool {
        if host == "localhost" { return true }
        guard let bytes = Self.bytes(host) else { return false }
        return bytes.count == 4 ? bytes[0] == 127 : bytes == Array(repeating: 0, count: 15) + [1]
    }

    private static func place(_ text: Substring, standard: Int) throws(SFUError) -> (String, Int) {
        var rest = text
        let host: String
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { throw .invalidAddress }
            let literal = text[text.index(after: text.startIndex)..<end].lowercased()
            guard literal.contains(":"), let bytes = bytes(literal) else { throw .invalidAddress }
            host = written(bytes)
            rest = text[text.index(after: end)...]
        } else {
            host = text.prefix { $0 != ":" }.lowercased()
            guard isName(host) else { throw .invalidAddress }
            rest = text.dropFirst(host.count)
        }
        guard !rest.isEmpty else { return (host, standard) }
        let digits = rest.dropFirst()
        guard rest.hasPrefix(":"), (1...5).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(digits), (1...65_535).contains(port)
        else { throw .invalidAddress }
        return (host, port)
    }

    /// An IPv4 address, or labels of letters, digits and hyphens. What looks like an address is one: `1.2.3` is nobody's name.
    private static func isName(_ host: String) -> Bool {
        guard (1...253).contains(host.utf8.count) else { return false }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        for label in labels {
            guard (1...63).contains(label.utf8.count), !label.hasPrefix("-"), !label.hasSuffix("-"),
                label.utf8.allSatisfy({
                    (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
                })
            else { return false }
        }
        let isNumeric = labels.last?.utf8.first.map { (0x30...0x39).contains($0) } ?? true
        return !isNumeric || bytes(host)?.count == 4
    }

    /// An IPv6 address in its shortest form (RFC 5952).
    private static func written(_ bytes: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: 64)
        _ = inet_ntop(AF_INET6, bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The bytes of an IP address in its usual form.
    private static func bytes(_ host: String) -> [UInt8]? {
        var v4 = in_addr()
        if inet_pton(AF_INET, host, &v4) == 1 { return withUnsafeBytes(of: v4) { Array($0) } }
        var v6 = in6_addr()
        if inet_pton(AF_INET6, host, &v6) == 1 { return withUnsafeBytes(of: v6) { Array($0) } }
        return nil
    }
}

extension String {
    fileprivate func range(of part: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(part) { return start..<index(start, offsetBy: part.count) }
            start = index(after: start)
        }
        return nil
    }
}
