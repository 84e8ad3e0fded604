import SMP

/// Finds relays of the local network where the system's own look-up does not know them: names that end with `.local`, and relays whose
/// host has another name or address by now.
///
/// It says only where to knock. Who answers has to prove the fingerprint, as everywhere.
public protocol RelayLocator: Sendable {
    /// Addresses at which a host of the relay's address is to be tried, in this order, before the system is asked; none as a rule.
    func places(of host: String, for relay: RelayAddress) async -> [RelayPlace]
    /// Where the relay of this fingerprint says that it is, when none of its hosts led there.
    func places(ofRelay keyHash: [UInt8]) async -> [RelayPlace]
}

/// Where a relay may be.
public struct RelayPlace: Hashable, Sendable {
    /// An address, or a name that the system knows.
    public var host: String
    public var port: UInt16

    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }
}
