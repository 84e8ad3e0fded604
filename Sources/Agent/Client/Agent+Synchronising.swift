// Repairing the encryption of a connection.
extension Agent {
    /// Replaces the ratchet of a connection by a new one together with the peer (Agent fact sheet §10). Messages wait
    /// meanwhile; the security code changes.
    ///
    /// - Parameter force: also when nothing seems wrong, or in place of a repair that is under way.
    /// - Throws: `AgentError.unknownConnection`, `.notReady` when nothing is wrong or a repair is under way, `.stopped`,
    ///   `.store`.
    public func resynchronise(_ connection: ConnectionID, force: Bool = false) async throws {
        try ensureRunning()
        let (_, effects) = try step(connection) { try $0.startSynchronisation(force: force) }
        apply(effects, to: connection)
    }

    /// The ratchet can't go on: repairs it at once where the application has left that to the agent.
    func repairByItself(_ connection: ConnectionID) {
        guard configuration.repairsRatchets, phase == .running else { return }
        insist(.repair(connection), "repairing a ratchet", connection) {
            do {
                let (_, effects) = try step(connection) { try $0.startSynchronisation(force: false) }
                apply(effects, to: connection)
            } catch AgentError.notReady {
                return
            }
        }
    }
}
