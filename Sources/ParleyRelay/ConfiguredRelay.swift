import Relay
import RelayRules
import RelaySettings
import SMP

extension Settings {
    /// The relay that is meant.
    ///
    /// - Parameter password: the content of the password file, if one is named.
    /// - Throws: `SettingsError.noQueues` or `.noCertificates`.
    func configuration(password: RelayPassword?) throws(SettingsError) -> RelayConfiguration {
        guard let queues else { throw .noQueues }
        guard let certificates = certificates ?? folder else { throw .noCertificates }
        let addresses = listen ?? [.standard]
        let first = addresses.first ?? .standard
        var configuration = RelayConfiguration(
            host: first.host, port: first.port, announcedHost: host, stateDirectory: folder ?? certificates,
            storage: queues == .memory ? .memory : .disk)
        configuration.furtherEndpoints = addresses.dropFirst().map(\.endpoint)
        configuration.certificatesDirectory = certificates
        configuration.creation = QueueCreation(isAllowed: allowsCreation ?? true, password: password)
        configuration.proxy = proxy == true ? ProxyConfiguration() : nil
        configuration.proxy?.reachesLocalNetworks = proxyLocal ?? false
        configuration.metrics = metrics?.endpoint
        configuration.addressAnswers = StunOption.answers(stun)
        if let versions { configuration.versions = versions }
        if let quota { configuration.quota = quota }
        if let messageTTL { configuration.messageLifetime = .seconds(messageTTL) }
        if let expiryInterval { configuration.expiryInterval = .seconds(expiryInterval) }
        if let idleTimeout { configuration.idleTimeout = .seconds(idleTimeout) }
        configuration.isControlled = true
        configuration.bound(memory: (memory ?? 1_024) << 20)
        if let maxStored { configuration.storeLimits.storedBytes = maxStored << 20 }
        if let maxStoredPerAddress { configuration.storeLimits.storedBytesPerAddress = maxStoredPerAddress << 20 }
        if let maxQueuesPerAddress { configuration.storeLimits.queuesPerAddress = maxQueuesPerAddress }
        if let maxConnections { configuration.limits.total = maxConnections }
        if let maxConnectionsPerAddress { configuration.limits.perAddress = maxConnectionsPerAddress }
        return configuration
    }
}
