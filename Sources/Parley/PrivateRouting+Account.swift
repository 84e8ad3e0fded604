import Agent
import SMP

extension AccountConfiguration.Relays {
    /// The agent's setting. A relay inside this program has this machine's address, so that it hides nothing.
    func routing(_ wanted: PrivateRoutingMode?) -> PrivateRouting.Mode {
        switch wanted {
        case .never: .never
        case .unknown: .unknownRelays
        case .always: .always
        case nil: if case .embedded = self { .never } else { .unknownRelays }
        }
    }
}

extension RoutingNotice {
    /// One sentence for a person.
    func sentence(_ host: String) -> String {
        switch self {
        case .directForWantOfSupport:
            "The relay \(host) can't be reached through your own relays, so it sees this machine's address."
        case .directForWantOfProxy:
            "Your own relays don't forward messages, so the relay \(host) sees this machine's address."
        case .distrusted(let proxy):
            "The relay \(proxy) showed a wrong key or a forged answer for the relay \(host); it was not believed."
        }
    }
}

extension Account {
    /// How messages to contacts have left since the account was opened.
    public func routingCounts() async -> RoutingCounts { await agent.routingCounts }
}
