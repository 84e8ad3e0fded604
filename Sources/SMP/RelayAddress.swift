import Cryptography
import Glibc

/// Where a relay is and who it must prove to be (SMP fact sheet §7.4).
public struct RelayAddress: Hashable, Sendable {
    /// SHA-256 of a certificate.
    static let keyHashCount = 32
    /// The port of addresses that name none.
    public static let defaultPort: UInt16 = 5223

    private static let scheme = "smp://"

    /// Alternatives for the same relay, at least one.
    public let hosts: [String]
    /// Nil is the default port.
    public let port: UInt16?
    /// SHA-256 of the relay's identity certificate.
    public let keyHash: [UInt8]
    /// Never part of links; two addresses that differ only here are not equal.
    public var password: RelayPassword?

    /// - Throws: `SMPDecodingError.invalid` for no host, a host with characters that no host has, or a key hash of a wrong
    ///   length.
    public init(hosts: [String], port: UInt16?, keyHash: [UInt8], password: RelayPassword? = nil) throws {
        guard (1...255).contains(hosts.count), hosts.allSatisfy(Self.isHost), port != 0 else {
            throw SMPDecodingError.invalid("relay host")
        }
        guard keyHash.count == Self.keyHashCount else { throw SMPDecodingError.invalid("key hash") }
        self.hosts = hosts
        self.port = port
        self.keyHash = keyHash
        self.password = password
    }

    /// Reads `smp://keyhash[:password]@host[,host…][:port]`.
    ///
    /// - Throws: `SMPDecodingError.invalid`.
    public init(parsing text: String) throws {
        // Only ASCII is searched for characters: in other text that may take time with the square of its length.
        guard text.utf8.allSatisfy({ $0 < 0x80 }), text.hasPrefix(Self.scheme), let at = text.firstIndex(of: "@") else {
            throw SMPDecodingError.invalid("relay address")
        }
        let identity = text[..<at].dropFirst(Self.scheme.count)
            .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let hash = identity.first, let keyHash = try? Base64URL.decode(hash) else {
            throw SMPDecodingError.invalid("key hash")
        }
        let password = try identity.dropFirst().first.map { try RelayPassword(parsing: String($0)) }
        let (hosts, port) = try Self.hostsAndPort(text[text.index(after: at)...])
        try self.init(hosts: hosts, port: port, keyHash: keyHash, password: password)
    }

    /// The text form; the password is part of it.
    public var text: String {
        let secret = password.map { ":" + $0.text } ?? ""
        return Self.scheme + Base64URL.encode(keyHash) + secret + "@" + authority
    }

    /// The port to connect to.
    public var effectivePort: UInt16 { port ?? Self.defaultPort }

    /// The address as links carry it.
    public var withoutPassword: RelayAddress {
        var copy = self
        copy.password = nil
        return copy
    }

    private var authority: String {
        let list = hosts.joined(separator: ",")
        if let port { return "\(list):\(port)" }
        // Without a port the last group of an IPv6 address would be read as one.
        guard let last = hosts.last, last.contains(":") else { return list }
        return (hosts.dropLast() + ["[\(last)]"]).joined(separator: ",")
    }

    private static func hostsAndPort(_ text: Substring) throws -> ([String], UInt16?) {
        var hosts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard let last = hosts.popLast() else { throw SMPDecodingError.invalid("relay host") }
        var host = last
        var port: UInt16?
        if let colon = last.lastIndex(of: ":"), !last.hasSuffix("]"), isHost(unbracketed(String(last[..<colon]))) {
            host = String(last[..<colon])
            let digits = last[last.index(after: colon)...]
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(digits), number > 0 else {
                throw SMPDecodingError.invalid("port")
            }
            port = number
        }
        hosts.append(host)
        return (hosts.map(unbracketed), port)
    }

    private static func unbracketed(_ host: String) -> String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }

    /// A name or IPv4 address of ordinary ASCII characters, or an IPv6 address.
    private static func isHost(_ host: String) -> Bool {
        guard (1...255).contains(host.utf8.count) else { return false }
        if host.contains(":") {
            var address = in6_addr()
            return inet_pton(AF_INET6, host, &address) == 1
        }
        let forbidden = "@,/?#;[]%".utf8
        return host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !forbidden.contains($0) }
    }
}

extension RelayAddress: CustomStringConvertible, CustomDebugStringConvertible {
    /// The address without its password, fit for logs.
    public var description: String { withoutPassword.text }
    public var debugDescription: String { description }
}

extension ByteReader {
    /// A relay address: hosts, port, key hash; a password is never part of it.
    public mutating func relayAddress() throws -> RelayAddress {
        let hosts = try nonempty { try $0.text() }
        return try RelayAddress(hosts: hosts, port: port(), keyHash: keyHash())
    }

    /// The form with a single host, used inside old queue addresses.
    public mutating func legacyRelayAddress() throws -> RelayAddress {
        try RelayAddress(hosts: [text()], port: port(), keyHash: keyHash())
    }

    private mutating func port() throws -> UInt16? {
        let digits = try text()
        if digits.isEmpty { return nil }
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits) else {
            throw SMPDecodingError.invalid("port")
        }
        return port
    }
}

extension ByteWriter {
    /// A relay address without its password.
    public mutating func relayAddress(_ address: RelayAddress) throws {
        try list(address.hosts) { try $0.text($1) }
        try portAndHash(address)
    }

    /// The form with a single host, the first.
    public mutating func legacyRelayAddress(_ address: RelayAddress) throws {
        try text(address.hosts.first ?? "")
        try portAndHash(address)
    }

    private mutating func portAndHash(_ address: RelayAddress) throws {
        try text(address.port.map(String.init) ?? "")
        try bytes(address.keyHash)
    }
}
