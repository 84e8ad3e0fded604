import GLibKit
import Wording

/// What the windows say of relays.
enum RelayPresentation {
    /// A relay's name in a list.
    static func title(_ relay: RelayItem) -> String {
        relay.isEmbedded ? tr("Inside this program") : relay.host
    }

    /// How it fares.
    static func subtitle(_ relay: RelayItem) -> String {
        let state =
            switch relay.state {
            case .connecting: tr("Connecting…")
            case .connected: tr("Connected")
            case .unreachable(let reason): reason
            }
        return relay.isChosen ? state : tr("Old mailboxes only") + " · " + state
    }

    /// Whether there is something to try again: a chosen relay is out of reach.
    static func canRetry(_ relays: [RelayItem]) -> Bool {
        relays.contains { if case .unreachable = $0.state { $0.isChosen } else { false } }
    }

    /// The line under the window's title: the worst of the chosen relays; nil when all is well.
    static func line(_ relays: [RelayItem]) -> String? {
        let chosen = relays.filter(\.isChosen)
        let lost = chosen.first { if case .unreachable = $0.state { true } else { false } }
        if let lost { return tr("The relay %s can’t be reached", lost.host) }
        return chosen.contains { $0.state == .connecting } ? tr("Connecting to the relay…") : nil
    }
}
