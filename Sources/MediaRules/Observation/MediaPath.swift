/// Which path the packets of a call take: of what kind both ends are. Holds no address.
public struct MediaPath: Sendable, Hashable, Codable {
    /// What one end of the path is (RFC 8445 §5.1.1).
    public enum End: String, Sendable, Codable, CaseIterable {
        /// An address of the machine itself.
        case host
        /// An address that a router gave it, as a STUN server saw it.
        case serverReflexive
        /// An address that the other end saw first.
        case peerReflexive
        /// An address of a TURN server.
        case relayed
    }

    /// What the packets go by from this machine.
    public enum Transport: String, Sendable, Codable, CaseIterable {
        /// UDP.
        case udp
        /// TCP, also with TLS around it: the way to a TURN server of this side.
        case tcp
    }

    /// The version of the Internet Protocol.
    public enum Version: String, Sendable, Codable, CaseIterable {
        case ipv4, ipv6
    }

    /// This side's end.
    public var local: End
    /// The peer's end, as this side sees it.
    public var remote: End
    /// What the packets go by from this machine; nil where ICE does not say how it reaches the TURN server.
    public var transport: Transport?

    /// The version that the packets go by from this machine; nil where that is not known, as with a TURN server of this side.
    public var version: Version?

    /// A path.
    public init(local: End, remote: End, transport: Transport? = .udp, version: Version? = nil) {
        (self.local, self.remote, self.transport, self.version) = (local, remote, transport, version)
    }

    /// Whether the packets go through a TURN server that this side knows of: its own, or the peer's if it announced it.
    public var isRelayed: Bool { local == .relayed || remote == .relayed }

    /// From the words of candidates (RFC 8839 §5.1) and the kinds of transport; `relay` is what goes to this side's TURN server, where there
    /// is one; `address` is this side's. Nil for ends that are none.
    package init?(
        local: String, remote: String, protocol name: String, relay: String? = nil, address: String? = nil
    ) {
        guard let local = CandidateLine.Kind(rawValue: local), let remote = CandidateLine.Kind(rawValue: remote) else {
            return nil
        }
        let word = local == .relay ? relay ?? "" : name
        let transport: Transport? =
            switch word.lowercased() {
            case "udp": .udp
            case "tcp", "tls": .tcp
            default: nil
            }
        let version = local == .relay ? nil : address.map { $0.utf8.contains(0x3A) ? Version.ipv6 : .ipv4 }
        self.init(local: End(local), remote: End(remote), transport: transport, version: version)
    }
}

extension MediaPath.End {
    init(_ kind: CandidateLine.Kind) {
        self =
            switch kind {
            case .host: .host
            case .srflx: .serverReflexive
            case .prflx: .peerReflexive
            case .relay: .relayed
            }
    }
}
