import SMP
import SMPTransport

// Trying a relay before it is used.
extension Account {
    /// Connects to a relay as the account would, makes nothing there, and says what it found: the same as the doctor.
    public func test(relay address: String) async -> Finding {
        var configuration = TransportConfiguration()
        configuration.locator = networkRelays
        return await RelayCheck(address, configuration: configuration).finding()
    }

    /// The relay on which somebody's link waits, where the own ones are of no use to whoever is not at this machine: the mailbox for
    /// them can be made there, too, once the person agrees. It then sees both. Nil where there is no need, or the link does not say.
    public func relayToShare(with link: String) -> String? {
        guard linkReach == .thisMachine, let relay = RelayReach.relays(ofLink: link).first, relay.reach > .thisMachine
        else { return nil }
        return relay.text
    }
}
