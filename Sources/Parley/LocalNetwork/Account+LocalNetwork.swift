import LocalNetwork

// The relay inside the program, for others in this network.
extension Account {
    /// Whether others in this network reach the relay inside the program.
    public var networkOpenness: NetworkOpenness { get async { await presence?.openness ?? .closed } }

    /// Has others in this network reach the relay inside the program, or nobody else, now and after the next start. Who is in the network
    /// can recognise this machine by it then. Without other relays new links lead there.
    /// - Throws: `AccountError.noRelay` without a relay inside the program, `.embeddedRelay`, `.folder`.
    public func setOpenToNetwork(_ isOpen: Bool) async throws(AccountError) {
        guard let presence else { throw .noRelay }
        if isOpen {
            try await presence.open(as: await NetworkPresence.hostName(networkRelays))
        } else {
            try await presence.close()
        }
        var settings = try settings()
        try settings.rememberOpenness(isOpen)
        // It was closed with it.
        if !isOpen, settings.opensPort { try settings.rememberPort(opens: false) }
        try await useOwnRelay()
    }

    /// Has new links lead to the relay inside the program, as it is reached now, where there are no others.
    func useOwnRelay() async throws(AccountError) {
        guard let presence, try settings().keptRelays().isEmpty, relays != [presence.embedded.address] else {
            return
        }
        try await useRelays([presence.embedded.address])
    }
}
