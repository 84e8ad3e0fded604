import SMPTransport

extension Agent {
    /// For a while, lets all relays be watched closely: a connection that died is noticed within seconds, made anew without
    /// long pauses, and what waits is sent. For calls whose path is broken, and when the machine's addresses have changed.
    public func hurry(for duration: Duration) async {
        guard phase == .running else { return }
        for line in lines.values { await line.client.hurry(for: duration) }
    }

    /// Relays need not be watched any longer.
    public func calm() async { await hurry(for: .zero) }
}
