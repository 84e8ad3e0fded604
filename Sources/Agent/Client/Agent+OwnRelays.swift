import SMP

// The relays on which own queues are made.
extension Agent {
    /// Makes new queues on these relays from now on, connects to them, and leaves relays that nothing is on any more. Queues
    /// that are elsewhere stay there.
    ///
    /// - Throws: `AgentError.noRelay` when there are none.
    public func setRelays(_ relays: [RelayAddress]) async throws {
        try ensureOpen()
        guard !relays.isEmpty else { throw AgentError.noRelay }
        configuration.relays = relays
        guard phase == .running else { return }
        for relay in relays { _ = line(to: relay) }
        relaysChanged()
        await leaveUnneededRelays()
    }

    /// Ends the lines to relays that nothing is on any more.
    func leaveUnneededRelays() async {
        for relay in lines.keys where !isNeeded(relay) {
            guard let line = lines.removeValue(forKey: relay) else { continue }
            line.reader.cancel()
            await line.client.stop()
        }
    }

    private func isNeeded(_ relay: RelayAddress) -> Bool {
        configuration.relays.contains(relay) || places.keys.contains { $0.relay == relay }
            || notes.queue?.relay == relay
            || runtimes.values.contains { $0.sendRelay == relay }
    }
}
