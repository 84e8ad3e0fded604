/// The parts of a candidate attribute (RFC 8839 §5.1) that we look at. Reading it never contacts or resolves anything.
struct CandidateLine: Equatable, Sendable {
    /// Longest accepted text, in bytes; real ones stay below 200.
    static let maximumLength = 512

    enum Transport: Sendable { case udp, tcp }
    enum Kind: String, Sendable { case host, srflx, prflx, relay }

    /// Why a candidate is not used.
    enum Rejection: Error, Equatable, Sendable {
        case tooLong, malformed
        /// The address is a name (mDNS or DNS): it is never resolved.
        case nameNotAddress
        /// The address can belong to no peer: unspecified, multicast, broadcast, or of a link without saying which.
        case unusableAddress
    }

    /// Where packets would go.
    struct Endpoint: Hashable, Sendable {
        let address: InternetAddress
        let port: UInt16
    }

    let foundation: String
    let component: Int
    let transport: Transport
    let priority: UInt32
    /// In the one form that the address has, whatever the peer's was.
    let address: String
    let port: UInt16
    let kind: Kind
    let isLoopback: Bool
    let endpoint: Endpoint

    /// Reads `candidate:…`, with or without `a=` in front.
    init(parsing text: String) throws(Rejection) {
        guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { throw .malformed }
        var body = text[...]
        if body.hasPrefix("a=") { body.removeFirst(2) }
        guard body.hasPrefix("candidate:") else { throw .malformed }
        body.removeFirst("candidate:".count)
        let fields = body.split(separator: " ", omittingEmptySubsequences: false)
        // foundation component transport priority address port "typ" kind …
        guard fields.count >= 8, fields[6] == "typ", (1...32).contains(fields[0].utf8.count),
            fields[0].utf8.allSatisfy(\.isICECharacter), let component = UInt16(digits: fields[1]),
            (1...256).contains(component), let priority = UInt32(digits: fields[3]),
            let port = UInt16(digits: fields[5]), let kind = Kind(rawValue: String(fields[7]))
        else { throw .malformed }
        switch fields[2].lowercased() {
        case "udp": transport = .udp
        case "tcp": transport = .tcp
        default: throw .malformed
        }
        foundation = String(fields[0])
        self.component = Int(component)
        self.priority = priority
        self.port = port
        self.kind = kind
        guard let parsed = InternetAddress(literal: String(fields[4])) else { throw .nameNotAddress }
        address = parsed.text
        guard parsed.isUnicast, port > 0 else { throw .unusableAddress }
        isLoopback = parsed.isLoopback
        endpoint = Endpoint(address: parsed, port: port)
    }

    /// The candidate in our own words, for the media engine: what a connectivity check needs (RFC 8445 §7.2).
    var text: String {
        let transport = transport == .udp ? "udp" : "tcp"
        return "candidate:\(foundation) \(component) \(transport) \(priority) \(address) \(port) typ \(kind.rawValue)"
    }

    /// The text with the related address and port of a server-reflexive or relayed candidate blanked, as browsers do for
    /// relay-only calls: libnice writes the local address there.
    static func withoutRelatedAddress(_ text: String) -> String {
        var fields = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        for index in fields.indices.dropLast() {
            if fields[index] == "raddr" { fields[index + 1] = fields[index + 1].contains(":") ? "::" : "0.0.0.0" }
            if fields[index] == "rport" { fields[index + 1] = "0" }
        }
        return fields.joined(separator: " ")
    }
}
