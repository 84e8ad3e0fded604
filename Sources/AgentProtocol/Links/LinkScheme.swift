/// How a link starts.
public enum LinkScheme: Hashable, Sendable {
    /// `simplex:`
    case simplex
    /// `https://` and a host that shows a page about the application.
    case web(host: String)

    /// The host the existing apps use.
    static let defaultWeb = LinkScheme.web(host: "simplex.chat")

    var prefix: String {
        switch self {
        case .simplex: "simplex:"
        case .web(let host): "https://\(host)"
        }
    }

    /// The longest link that is looked at, in bytes: longer ones fit into no message.
    static let maximumCount = 65_536

    /// Splits a link into its scheme and the rest, which starts with `/`.
    ///
    /// Links are ASCII (RFC 3986 §2). Other text is refused first: finding characters in some of it, such as rows of
    /// flags, takes time that grows with the square of its length.
    static func split(_ text: String) throws(AgentDecodingError) -> (scheme: LinkScheme, rest: Substring) {
        guard text.utf8.count <= maximumCount, text.utf8.allSatisfy({ $0 < 0x80 }) else { throw .notALink }
        let simplex = "simplex:"
        let web = "https://"
        if text.hasPrefix(simplex) {
            let rest = text.dropFirst(simplex.count)
            // Programs that pass links as GFile, where gvfs is installed: `simplex:///invitation%23?v=…`.
            return (.simplex, rest.hasPrefix("///") ? rest.dropFirst(2) : rest)
        }
        guard text.hasPrefix(web) else { throw .notALink }
        let rest = text.dropFirst(web.count)
        guard let slash = rest.firstIndex(of: "/"), slash > rest.startIndex else { throw .notALink }
        return (.web(host: String(rest[..<slash])), rest[slash...])
    }

    /// Splits what follows the scheme into the path without slash at the end, and what follows `#`, also where that was escaped.
    static func splitPath(_ rest: Substring) throws(AgentDecodingError) -> (path: Substring, fragment: Substring) {
        let mark = rest.firstIndex(of: "#").map { $0..<rest.index(after: $0) } ?? rest.firstRange(of: "%23")
        guard let mark else { throw .notALink }
        var path = rest[..<mark.lowerBound]
        if path.hasSuffix("/") { path = path.dropLast() }
        return (path, rest[mark.upperBound...])
    }
}
