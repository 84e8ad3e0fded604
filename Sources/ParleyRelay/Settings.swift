import Relay
import RelayRules
import SMP

/// What an operator may say of a relay, on the command line or in the file; nil where nothing was said.
struct Settings: Equatable, Sendable {
    /// Where queues are kept.
    enum Queues: Equatable, Sendable {
        case folder(String)
        case memory
    }

    var listen: [ListenAddress]?
    var host: String?
    var certificates: String?
    var queues: Queues?
    var versions: SMPVersionRange?
    /// A file.
    var createPassword: String?
    var allowsCreation: Bool?
    var quota: Int?
    /// Seconds.
    var messageTTL: Int?
    /// Seconds.
    var expiryInterval: Int?
    /// Seconds.
    var idleTimeout: Int?
    var maxConnections: Int?
    var maxConnectionsPerAddress: Int?
    /// MiB.
    var memory: Int?
    /// MiB.
    var maxStored: Int?
    /// MiB.
    var maxStoredPerAddress: Int?
    var maxQueuesPerAddress: Int?
    var proxy: Bool?
    var proxyLocal: Bool?
    var stun: StunOption?
    var metrics: ListenAddress?
    var logLevel: LogLevel?

    /// These settings, and those of `other` where these say nothing. Certificates stay in the other's folder of queues
    /// where only the queues are moved to memory.
    func over(_ other: Settings) -> Settings {
        Settings(
            listen: listen ?? other.listen, host: host ?? other.host,
            certificates: certificates ?? other.certificates ?? (queues == .memory ? other.folder : nil),
            queues: queues ?? other.queues, versions: versions ?? other.versions,
            createPassword: createPassword ?? other.createPassword,
            allowsCreation: allowsCreation ?? other.allowsCreation, quota: quota ?? other.quota,
            messageTTL: messageTTL ?? other.messageTTL,
            expiryInterval: expiryInterval ?? other.expiryInterval, idleTimeout: idleTimeout ?? other.idleTimeout,
            maxConnections: maxConnections ?? other.maxConnections,
            maxConnectionsPerAddress: maxConnectionsPerAddress ?? other.maxConnectionsPerAddress,
            memory: memory ?? other.memory, maxStored: maxStored ?? other.maxStored,
            maxStoredPerAddress: maxStoredPerAddress ?? other.maxStoredPerAddress,
            maxQueuesPerAddress: maxQueuesPerAddress ?? other.maxQueuesPerAddress, proxy: proxy ?? other.proxy,
            proxyLocal: proxyLocal ?? other.proxyLocal, stun: stun ?? other.stun, metrics: metrics ?? other.metrics,
            logLevel: logLevel ?? other.logLevel)
    }

    /// The folder of queues, if they are in one.
    private var folder: String? { if case .folder(let path) = queues { path } else { nil } }

    /// Looks at the numbers.
    ///
    /// - Throws: the first that is out of range.
    func check() throws(SettingsError) {
        let limits: [(name: String, value: Int?, range: ClosedRange<Int>)] = [
            ("quota", quota, 1...1_000_000), ("message-ttl", messageTTL, 1...3_153_600_000),
            ("expiry-interval", expiryInterval, 1...3_153_600_000), ("idle-timeout", idleTimeout, 1...3_153_600_000),
            ("max-connections", maxConnections, 1...1_000_000),
            ("max-connections-per-address", maxConnectionsPerAddress, 1...1_000_000),
            ("memory", memory, 64...1_048_576), ("max-stored", maxStored, 1...1_073_741_824),
            ("max-stored-per-address", maxStoredPerAddress, 1...1_073_741_824),
            ("max-queues-per-address", maxQueuesPerAddress, 1...1_000_000_000),
        ]
        for (name, value, range) in limits {
            if let value, !range.contains(value) { throw .outOfRange(name, range) }
        }
        if listen?.isEmpty == true { throw .nowhereToListen }
    }

    /// The relay that is meant.
    ///
    /// - Parameters:
    ///   - password: the content of the password file, if one is named.
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

/// Why settings make no relay; each is one sentence.
enum SettingsError: Error, Equatable {
    case noQueues
    case noCertificates
    case memoryAndState
    case nowhereToListen
    case outOfRange(String, ClosedRange<Int>)
    /// A file can't be read, with the system's reason.
    case unreadable(String, String)
    /// The configuration file is no TOML.
    case malformed(file: String, line: Int, String)
    case unknownKey(file: String, String)
    case wrongType(file: String, String, wanted: String, found: String)
    case wrongValue(file: String, String, wanted: String)
    case badPassword(String)
    case shortPassword(String, Int)
    /// A fault of the file that the command line could have too.
    indirect case inFile(String, SettingsError)
}

extension SettingsError: CustomStringConvertible {
    var description: String {
        switch self {
        case .noQueues: "Say where queues are kept, with --state DIR, or use --in-memory."
        case .noCertificates:
            "Say where certificates are kept, with --certificates DIR: queues in memory have no folder."
        case .memoryAndState: "Queues are kept either in a folder (state) or in memory (in-memory), not both."
        case .nowhereToListen: "There must be at least one address to listen on."
        case .outOfRange(let name, let range):
            "\(name) must be a number from \(range.lowerBound) to \(range.upperBound)."
        case .unreadable(let file, let reason): "The file \(file) can't be read: \(reason)."
        case .malformed(let file, let line, let reason): "The file \(file) is wrong at line \(line): \(reason)."
        case .unknownKey(let file, let key): "The file \(file) has a setting that does not exist: \(key)."
        case .wrongType(let file, let key, let wanted, let found):
            "The file \(file) must give \(key) as \(wanted), not as \(found)."
        case .wrongValue(let file, let key, let wanted): "The file \(file) must give \(key) as \(wanted)."
        case .badPassword(let file):
            "The file \(file) must hold one password: letters, digits and signs without blanks, @, : and /."
        case .shortPassword(let file, let least):
            "The password in the file \(file) must have at least \(least) characters, such as openssl rand -hex 16 makes."
        case .inFile(let file, let error): "In the file \(file): \(error)"
        }
    }
}
