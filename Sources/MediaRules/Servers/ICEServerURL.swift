/// A STUN or TURN URI (RFC 7064, RFC 7065), read strictly.
package struct ICEServerURL: Equatable, Sendable {
    /// Longest accepted text, in bytes.
    static let maximumLength = 512

    /// Longest shared secret, in bytes.
    static let longestSecret = 1_024

    package enum Scheme: String, Sendable {
        case stun, stuns, turn, turns

        package var isRelay: Bool { self == .turn || self == .turns }
        var isSecure: Bool { self == .stuns || self == .turns }
        /// RFC 7064 §3.2, RFC 7065 §3.2.
        package var port: UInt16 { isSecure ? 5349 : 3478 }
    }

    package enum Transport: String, Sendable { case udp, tcp }

    package let scheme: Scheme
    /// A name, or an address; an IPv6 address without its brackets.
    package let host: String
    package let port: UInt16
    package let transport: Transport

    /// Reads the text.
    package init(parsing text: String) throws(ICEServerError) {
        guard text.utf8.count <= Self.maximumLength else { throw .host }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let scheme = Scheme(rawValue: parts[0].lowercased()) else { throw .scheme }
        guard !parts[1].hasPrefix("/"), !parts[1].contains("@") else { throw .notThatForm }
        let halves = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.scheme = scheme
        (host, port) = try Self.place(halves.first ?? "", standard: scheme.port)
        transport = try Self.transport(halves.count > 1 ? halves[1] : nil, scheme)
    }

    /// Reads a server's URL and looks whether what has to go with it is there.
    package init(_ server: ICEServer) throws(ICEServerError) {
        try self.init(parsing: server.url)
        guard scheme.isRelay else { return }
        if let secret = server.secret {
            guard (1...Self.longestSecret).contains(secret.utf8.count) else { throw .secret }
        } else {
            guard let user = server.username, !user.isEmpty, let credential = server.credential, !credential.isEmpty
            else { throw .credentials }
        }
    }

    private static func place(
        _ text: Substring, standard: UInt16
    ) throws(ICEServerError) -> (host: String, port: UInt16) {
        var rest = text
        let host: String
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { throw .host }
            host = String(text[text.index(after: text.startIndex)..<end])
            guard host.contains(":"), InternetAddress(literal: host) != nil else { throw .host }
            rest = text[text.index(after: end)...]
        } else {
            host = String(text.prefix { $0 != ":" })
            guard isName(host) else { throw .host }
            rest = text.dropFirst(host.count)
        }
        guard !rest.isEmpty else { return (host, standard) }
        let digits = rest.dropFirst()
        guard rest.hasPrefix(":"), (1...5).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(digits), port > 0
        else { throw .port }
        return (host, port)
    }

    /// An IPv4 address, or labels of letters, digits, hyphens and underlines. What looks like an address is one: `1.2.3`
    /// and `0x7f.1` are names for nobody.
    private static func isName(_ host: String) -> Bool {
        guard (1...253).contains(host.utf8.count) else { return false }
        var labels = host.split(separator: ".", omittingEmptySubsequences: false)
        if labels.count > 1, labels.last == "" { labels.removeLast() }
        for label in labels {
            guard (1...63).contains(label.utf8.count), label.first != "-", label.last != "-",
                label.utf8.allSatisfy({ isAllowed($0) })
            else { return false }
        }
        let isNumber = labels.last?.utf8.first.map { (0x30...0x39).contains($0) } ?? false
        return !isNumber || InternetAddress(literal: host) != nil
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func transport(_ query: Substring?, _ scheme: Scheme) throws(ICEServerError) -> Transport {
        guard let query else { return scheme.isSecure ? .tcp : .udp }
        let words = query.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard scheme.isRelay, words.count == 2, words[0] == "transport",
            let transport = Transport(rawValue: words[1].lowercased())
        else { throw .transport }
        guard !scheme.isSecure || transport == .tcp else { throw .datagramTLS }
        return transport
    }

    /// The host as it stands in a URL.
    var bracketedHost: String { host.contains(":") ? "[\(host)]" : host }

    /// Host and port, for sentences.
    package var place: String { "\(bracketedHost):\(port)" }
}
