import Cryptography

/// How a link starts.
public enum LinkScheme: Hashable, Sendable {
    /// `simplex:`
    case simplex
    /// `https://` and a host that shows a page about the application.
    case web(host: String)

    /// The host the existing apps use.
    public static let defaultWeb = LinkScheme.web(host: "simplex.chat")

    var prefix: String {
        switch self {
        case .simplex: "simplex:"
        case .web(let host): "https://\(host)"
        }
    }

    /// Splits a link into its scheme and the rest, which starts with `/`.
    static func split(_ text: String) throws(AgentDecodingError) -> (scheme: LinkScheme, rest: Substring) {
        let simplex = "simplex:"
        let web = "https://"
        if text.hasPrefix(simplex) { return (.simplex, text.dropFirst(simplex.count)) }
        guard text.hasPrefix(web) else { throw .notALink }
        let rest = text.dropFirst(web.count)
        guard let slash = rest.firstIndex(of: "/"), slash > rest.startIndex else { throw .notALink }
        return (.web(host: String(rest[..<slash])), rest[slash...])
    }

    /// Splits what follows the scheme into the path without slash at the end, and what follows `#`.
    static func splitPath(_ rest: Substring) throws(AgentDecodingError) -> (path: Substring, fragment: Substring) {
        guard let hash = rest.firstIndex(of: "#") else { throw .notALink }
        var path = rest[..<hash]
        if path.hasSuffix("/") { path = path.dropLast() }
        return (path, rest[rest.index(after: hash)...])
    }
}

extension ConnectionLink {
    /// The link as people pass it on.
    public func text(_ scheme: LinkScheme = .simplex) -> String {
        var query = [
            ("v", agentVersions.text),
            ("smp", queues.map(\.text).joined(separator: ";")),
        ]
        let path: String
        switch kind {
        case .invitation(let offer):
            path = "/invitation"
            query.append(("e2e", offer.text))
        case .contact: path = "/contact"
        }
        if let applicationData { query.append(("data", applicationData)) }
        return "\(scheme.prefix)\(path)#/?\(QueryString.encode(query))"
    }

    /// Reads a link with any scheme.
    ///
    /// - Throws: `AgentDecodingError`; `.notALink` when it does not even look like one.
    public init(text: String) throws(AgentDecodingError) {
        let (path, fragment) = try LinkScheme.splitPath(LinkScheme.split(text).rest)
        guard path == "/invitation" || path == "/contact" else { throw .notALink }
        let start = fragment.hasPrefix("/") ? fragment.dropFirst() : fragment
        guard start.hasPrefix("?") else { throw .malformed }
        let query = try QueryString(decoding: start.dropFirst())
        let kind: Kind =
            path == "/contact" ? .contact : .invitation(try RatchetOffer(text: query.required("e2e")))
        var queues: [QueueURI] = []
        for queue in try query.required("smp").split(separator: ";") { queues.append(try QueueURI(text: queue)) }
        try self.init(
            kind: kind, versions: VersionRange(text: query.required("v")), queues: queues,
            applicationData: query["data"])
    }
}

extension RatchetOffer {
    /// `v=…&x3dh=key,key[&kem_key=…][&kem_ct=…]`, before it is percent-encoded as a whole.
    var text: String {
        let keys = [firstKey, secondKey].map { Base64URL.encode($0.derRepresentation) }.joined(separator: ",")
        let base = "v=\(versions.text)&x3dh=\(keys)"
        switch kem {
        case .proposed(let key): return base + "&kem_key=\(Base64URL.encode(key))"
        case .accepted(let ciphertext, let key):
            return base + "&kem_ct=\(Base64URL.encode(ciphertext))&kem_key=\(Base64URL.encode(key))"
        case nil: return base
        }
    }

    init(text: String) throws(AgentDecodingError) {
        do {
            let query = try QueryString(decoding: text)
            let keys = try query.required("x3dh").split(separator: ",", omittingEmptySubsequences: false)
            guard keys.count == 2 else { throw AgentDecodingError.malformed }
            self.init(
                versions: try VersionRange(text: query.required("v")),
                firstKey: try .init(der: Base64URL.decode(keys[0])),
                secondKey: try .init(der: Base64URL.decode(keys[1])),
                kem: try Self.kem(key: query["kem_key"], ciphertext: query["kem_ct"]))
        } catch let error as AgentDecodingError {
            throw error
        } catch {
            throw .malformed
        }
    }

    private static func kem(key: String?, ciphertext: String?) throws -> KEMParameters? {
        guard let key = try key.map({ try Base64URL.decode($0) }) else { return nil }
        guard key.count == KEMParameters.keyCount else { throw AgentDecodingError.malformed }
        guard let ciphertext = try ciphertext.map({ try Base64URL.decode($0) }) else { return .proposed(key: key) }
        guard ciphertext.count == KEMParameters.ciphertextCount else { throw AgentDecodingError.malformed }
        return .accepted(ciphertext: ciphertext, key: key)
    }
}
