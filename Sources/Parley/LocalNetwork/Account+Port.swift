import PortMapping
import SMP

// The port of the relay inside the program in the router.
extension Account {
    /// What is known of the port in the router; nil while it is not to be open.
    public var portOpenness: PortOpenness? { get async { await presence?.port.openness } }

    /// What is known of the port, if it is to be open, and each change.
    public var portChanges: AsyncStream<PortOpenness?> {
        get async { await presence?.port.changes ?? AsyncStream { $0.finish() } }
    }

    /// Has the router forward the port of the relay inside the program, so that people elsewhere reach it, or no more, now and after the next
    /// start. Open, the relay is also open to this network. It does not wait for the router: see ``portSettled()``.
    /// - Throws: `AccountError.noRelay` without a relay inside the program, `.embeddedRelay`, `.folder`.
    public func setPortOpen(_ isOpen: Bool) async throws(AccountError) {
        guard let presence else { throw .noRelay }
        if isOpen {
            if await networkOpenness == .closed { try await setOpenToNetwork(true) }
            await openPort()
        } else {
            await presence.port.close()
            try await useOwnRelay()
        }
        var settings = try settings()
        try settings.rememberPort(opens: isOpen)
    }

    /// Waits until the router has answered, or nobody does, and the port was tried from outside if that can be.
    /// - Returns: What is known then; nil when the port is not to be open.
    public func portSettled() async -> PortOpenness? {
        guard await portOpenness != nil else { return nil }
        for await openness in await portChanges where openness?.isSettled != false { return openness }
        return await portOpenness
    }

    /// Opens it as it was before the program's end, without waiting.
    func reopenPort() async {
        guard await networkOpenness != .closed, (try? StoredSettings(directory).opensPort) == true else { return }
        await openPort()
    }

    private func openPort() async {
        await presence?.port.open { [weak self] address in
            await self?.trial(of: address) ?? .none
        } change: { [weak self] in
            try? await self?.useOwnRelay()
        }
    }

    private func trial(of address: RelayAddress) async -> PortOpenness.Trial {
        await OutsideProbe(relaysElsewhere(besides: address)).trial(of: address)
    }

    /// The relays that are connected now and elsewhere, be they the person's or a contact's: they see this machine's address already.
    private func relaysElsewhere(besides own: RelayAddress) async -> [RelayAddress] {
        let connected = ((try? await relayStatuses()) ?? []).filter { $0.smpVersion != nil }
        let addresses = connected.compactMap { try? RelayAddress(parsing: $0.address) }
            .filter { $0.reach == .everywhere && $0.keyHash != own.keyHash }
        // The own ones are configured with their passwords.
        return addresses.map { address in relays.first { $0.withoutPassword == address } ?? address }
    }

    /// A relay has been connected: it may be the first that can try the port.
    func relayIsUp() async { await presence?.port.tryFromOutside() }
}
