import AgentProtocol
import SMP

/// What somebody's link says of itself. Nobody is asked for it.
public struct LinkFacts: Sendable, Hashable {
    /// The most relays that are named; a link may have more.
    static let maximumRelays = 4

    /// What it leads to.
    public let kind: LinkKind
    /// The relays that are contacted when it is opened, as HOST or HOST:PORT, each once.
    public let relays: [String]
    /// From where it can be opened; nil where only its maker's program knows more of the relay than a name.
    public let reach: RelayReach?

    /// Nil for what is no link that can be opened here.
    public init?(link text: String) {
        guard let kind = LinkKind(link: text), let link = try? AnyLink(parsing: text) else { return nil }
        var relays: [String] = []
        for relay in Self.relays(of: link) where !relays.contains(relay) && relays.count < Self.maximumRelays {
            relays.append(relay)
        }
        guard !relays.isEmpty else { return nil }
        self.kind = kind
        self.relays = relays
        reach = RelayReach(link: text)
    }

    private static func relays(of link: AnyLink) -> [String] {
        switch link {
        case .full(let link): link.queues.map { text(of: $0.address.relay) }
        case .short(let link):
            // Who the relay must be does not matter for its name, which a link of a well-known one has alone.
            [try? RelayAddress(hosts: link.hosts, port: link.port, keyHash: [UInt8](repeating: 0, count: 32))]
                .compactMap { $0.map(text) }
        }
    }

    private static func text(of relay: RelayAddress) -> String {
        let host = relay.hosts[0]
        guard let port = relay.port, port != RelayAddress.defaultPort else { return host }
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

extension Account {
    /// Whether a link is one that was made here, in whatever form it comes.
    public func isOwn(link text: String) async -> Bool {
        guard let link = try? AnyLink(parsing: text) else { return false }
        let address = (try? await contactAddress()) ?? nil
        let made = book.records.compactMap(\.invitation) + [address].compactMap(\.self)
        return made.contains { (try? AnyLink(parsing: $0)) == link }
    }
}
