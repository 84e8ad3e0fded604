import SMP

extension Agent {
    /// Lets happen what a committed step of a connection decided.
    func apply(_ effects: ConnectionEffects, to connection: ConnectionID) {
        defer { if effects.needsSynchronisation { repairByItself(connection) } }
        for event in effects.events { tell(event) }
        for action in effects.relaySteps { startRelayStep(action, of: connection) }
        for action in effects.rotationSteps { startRotationStep(action, of: connection) }
        guard runtimes[connection] != nil else { return }
        if let relay = effects.newSendRelay { runtimes[connection]?.sendRelay = relay }
        if effects.endsDelivery { runtimes[connection]?.delivery.close() }
        for entry in effects.entries {
            perform(runtimes[connection]?.delivery.enqueue(entry) ?? [], of: connection)
        }
        perform(runtimes[connection]?.delivery.setGate(effects.gate) ?? [], of: connection)
        if effects.isContinued {
            perform(runtimes[connection]?.delivery.continued() ?? [], of: connection)
        }
    }
}
