import Calling
import Signaling

// What the account does when the way to others is broken or another: relays are reached again within seconds, so that a
// call can agree on a new path.
extension Account {
    /// How long relays are watched closely for one broken call; longer than calls take to reconnect.
    private static let hurryOfCall = Duration.seconds(60)
    /// The same after a change of addresses.
    private static let hurryOfChange = Duration.seconds(10)

    /// Another network, another address, one less, or none left.
    func handle(_ news: NetworkMonitor.News) async {
        switch news {
        case .lost:
            logger.info("There is no network")
            listeners.send(.network(false))
        case .changed(let change):
            listeners.send(.network(true))
            await handle(change)
        }
    }

    private func handle(_ change: AddressChange) async {
        logger.info("Addresses changed", metadata: ["lost": "\(change.hasLostAddress)"])
        if reconnecting.isEmpty { await agent.hurry(for: Self.hurryOfChange) } else { await hurry() }
        await tellCalls(of: change)
        await presence?.port.networkChanged()
    }

    /// Tries everything again now that waits for a relay, because the person asks for it.
    public func retryNow() async { await agent.retryNow() }

    /// Watches the relays closely as long as a call looks for its way, or its invitation for a relay.
    func followPath(of update: CallUpdate) async {
        await followPath(of: update.callID, isBroken: update.phase == .reconnecting || update.isWaitingForRelay)
    }

    /// The same of a call of several in which nobody is heard any more, or an invitation waits.
    func followPath(of snapshot: GroupCallSnapshot) async {
        let update = snapshot.update
        let waits = update.stage != .ended && update.members.contains { $0.stage == .unreachable }
        await followPath(of: snapshot.callID, isBroken: update.stage == .acceptedReturning || waits)
    }

    private func followPath(of id: CallID, isBroken: Bool) async {
        let wasReconnecting = !reconnecting.isEmpty
        if isBroken {
            guard reconnecting.insert(id).inserted else { return }
            await hurry()
        } else if reconnecting.remove(id) != nil, wasReconnecting, reconnecting.isEmpty {
            await agent.calm()
        }
    }

    private func hurry() async { await agent.hurry(for: Self.hurryOfCall) }
}
