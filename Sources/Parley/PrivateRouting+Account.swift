import Agent

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
