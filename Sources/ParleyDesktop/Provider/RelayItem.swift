/// A relay as the window shows it.
struct RelayItem: Sendable, Hashable, Identifiable {
    /// Whether it can be used now.
    enum State: Sendable, Hashable {
        case connecting
        case connected
        /// It can't, for this reason: one sentence.
        case unreachable(String)
    }

    /// `smp://FINGERPRINT@HOST:PORT`.
    let address: String
    /// Whether it runs inside this program.
    var isEmbedded = false
    /// Whether the person chose it for new mailboxes; otherwise old ones are still there.
    var isChosen = true
    var state = State.connecting

    var id: String { address }

    /// Host and port.
    var host: String { address.split(separator: "@").last.map(String.init) ?? address }
}
