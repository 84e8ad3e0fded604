import Cryptography
import SMP

extension ShortLink {
    /// The link as people pass it on.
    ///
    /// - Parameter web: start with `https://` and the relay's first host instead of `simplex:`.
    public func text(web: Bool = false) -> String {
        let parts = identifiers.map { Base64URL.encode($0, padded: false) }.joined(separator: "/")
        let prefix = web ? "https://\(hosts[0])" : "simplex:"
        let namedHosts = web ? Array(hosts.dropFirst()) : hosts
        var query: [(String, String)] = []
        if !namedHosts.isEmpty { query.append(("h", namedHosts.joined(separator: ","))) }
        if let port { query.append(("p", "\(port)")) }
        if let keyHash { query.append(("c", Base64URL.encode(keyHash, padded: false))) }
        return "\(prefix)/\(letter)#\(parts)" + (query.isEmpty ? "" : "?\(QueryString.encode(query))")
    }

    /// Reads a short link with any scheme.
    ///
    /// - Throws: `AgentDecodingError`; `.notALink` when it does not even look like one.
    public init(parsing text: String) throws(AgentDecodingError) {
        let (scheme, rest) = try LinkScheme.split(text)
        let (path, fragment) = try LinkScheme.splitPath(rest)
        let (identifiers, query) = try Self.parts(of: fragment)
        guard let key = identifiers.last, key.count == Self.linkKeyCount else { throw .malformed }
        linkKey = key
        kind = try Self.kind(path: path, identifiers: identifiers)
        var hosts = query["h"].map { $0.split(separator: ",").map(String.init) } ?? []
        if case .web(let host) = scheme { hosts.insert(host, at: 0) }
        guard !hosts.isEmpty else { throw .malformed }
        self.hosts = hosts
        port = try query["p"].map { (text: String) throws(AgentDecodingError) in
            guard let port = UInt16(text) else { throw .malformed }
            return port
        }
        keyHash = try query["c"].map { (text: String) throws(AgentDecodingError) in
            guard let hash = try? Base64URL.decode(text), hash.count == 32 else { throw .malformed }
            return hash
        }
    }

    /// The unpadded parts between slashes, and the query.
    private static func parts(of fragment: Substring) throws(AgentDecodingError) -> ([[UInt8]], QueryString) {
        let sides = fragment.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = try QueryString(decoding: sides.count > 1 ? sides[1] : "")
        var identifiers: [[UInt8]] = []
        for part in (sides.first ?? "").split(separator: "/") {
            guard let bytes = try? Base64URL.decode(part) else { throw .malformed }
            identifiers.append(bytes)
        }
        return (identifiers, query)
    }

    private static func kind(path: Substring, identifiers: [[UInt8]]) throws(AgentDecodingError) -> Kind {
        if path == "/i" {
            guard identifiers.count == 2, identifiers[0].count == linkIDCount else { throw .malformed }
            return .invitation(linkID: identifiers[0])
        }
        let kind: Kind
        switch path {
        case "/a": kind = .contact
        case "/c": kind = .channel
        case "/g": kind = .group
        case "/r": kind = .relay
        default: throw .notALink
        }
        guard identifiers.count == 1 else { throw .malformed }
        return kind
    }

    private var identifiers: [[UInt8]] {
        if case .invitation(let id) = kind { [id, linkKey] } else { [linkKey] }
    }

    private var letter: String {
        switch kind {
        case .invitation: "i"
        case .contact: "a"
        case .channel: "c"
        case .group: "g"
        case .relay: "r"
        }
    }
}
