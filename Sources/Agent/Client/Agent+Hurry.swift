import SMPTransport

extension Agent {
    /// For a while, lets all relays be watched closely: a connection that died is noticed within seconds, made anew without
    /// long pauses, and what waits is sent. For calls whose path is broken, and when the machine's addresses have changed.
    public func hurry(for duration: Duration) async {
        guard phase == .running else { return }
        for line in lines.values { await line.client.hurry(for: duration) }
    }

    /// Tries everything again now that waits for a relay, because the person asks for it: relays that are out of reach are dialled,
    /// those that seem well are asked whether they are, and messages and steps that wait are sent.
    public func retryNow() async {
        guard phase == .running else { return }
        await hurry(for: Self.hurryOfRetry)
        for connection in runtimes.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            perform(runtimes[connection]?.delivery.reachable() ?? [], of: connection)
            retryRelayStep(of: connection)
        }
    }

    /// As long as an attempt to connect takes.
    private static let hurryOfRetry = Duration.seconds(10)

    /// Relays need not be watched any longer.
    public func calm() async { await hurry(for: .zero) }
}
