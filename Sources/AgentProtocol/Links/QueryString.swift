/// The query part of links: `name=value` joined by `&`, percent-encoded (RFC 3986 §2).
struct QueryString {
    private let pairs: [(name: String, value: String)]

    /// - Throws: `AgentDecodingError.malformed` for a broken escape or text that is not UTF-8.
    init(decoding text: some StringProtocol) throws(AgentDecodingError) {
        var pairs: [(name: String, value: String)] = []
        for part in text.split(separator: "&") {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try PercentEncoding.decode(sides[0])
            let value = sides.count > 1 ? try PercentEncoding.decode(sides[1]) : ""
            pairs.append((name: name, value: value))
        }
        self.pairs = pairs
    }

    /// The first value of a name.
    subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    /// - Throws: `AgentDecodingError.malformed` when it is absent.
    func required(_ name: String) throws(AgentDecodingError) -> String {
        guard let value = self[name] else { throw .malformed }
        return value
    }

    static func encode(_ pairs: [(String, String)]) -> String {
        pairs.map { "\($0.0)=\(PercentEncoding.encode($0.1))" }.joined(separator: "&")
    }
}
