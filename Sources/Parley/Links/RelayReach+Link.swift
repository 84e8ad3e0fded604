import AgentProtocol
import SMP
import SMPTransport

/// From where a relay, or a link whose mailbox is on it, can be reached, by what the address says.
public typealias RelayReach = SMPTransport.RelayReach

// From where links of the person can be opened.
extension RelayReach {
    /// From where a link can be opened that a person has made or was sent; nil for what is no link, or names its relay only by a name
    /// that other programs know.
    public init?(link text: String) {
        guard let reach = Self.relays(ofLink: text).map(\.reach).max() else { return nil }
        self = reach
    }

    /// The relays that a link names.
    static func relays(ofLink text: String) -> [RelayAddress] {
        switch try? AnyLink(parsing: text) {
        case .full(let link): link.queues.map(\.address.relay)
        case .short(let link): link.relay.map { [$0] } ?? []
        case nil: []
        }
    }
}

extension Account {
    /// From where a link could be opened that is made now. What reaches no further than this machine is of no use to others.
    public var linkReach: RelayReach { relays.map(\.reach).min() ?? .thisMachine }
}
