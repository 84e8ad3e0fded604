/// A relay as the window shows it.
package struct RelayItem: Sendable, Hashable, Identifiable {
    /// Whether it can be used now.
    package enum State: Sendable, Hashable {
        case connecting
        case connected
        /// It can't, for this reason: one sentence.
        case unreachable(String)
    }

    /// `smp://FINGERPRINT@HOST:PORT`.
    package let address: String
    /// Whether it runs inside this program.
    package var isEmbedded: Bool
    /// Whether the person chose it for new mailboxes; otherwise old ones are still there.
    var isChosen: Bool
    package var state: State

    /// A relay at this address.
    package init(address: String, isEmbedded: Bool = false, isChosen: Bool = true, state: State = .connecting) {
        self.address = address
        self.isEmbedded = isEmbedded
        self.isChosen = isChosen
        self.state = state
    }

    package var id: String { address }

    /// Host and port.
    package var host: String { address.split(separator: "@").last.map(String.init) ?? address }
}
