import SMP

/// What an operator may say of a relay, on the command line or in the file; nil where nothing was said.
package struct Settings: Equatable, Sendable {
    /// Where queues are kept.
    package enum Queues: Equatable, Sendable {
        case folder(String)
        case memory
    }

    package var listen: [ListenAddress]?
    package var host: String?
    package var certificates: String?
    package var queues: Queues?
    package var versions: SMPVersionRange?
    /// A file.
    package var createPassword: String?
    package var allowsCreation: Bool?
    package var quota: Int?
    /// Seconds.
    package var messageTTL: Int?
    /// Seconds.
    package var expiryInterval: Int?
    /// Seconds.
    package var idleTimeout: Int?
    package var maxConnections: Int?
    package var maxConnectionsPerAddress: Int?
    /// MiB.
    package var memory: Int?
    /// MiB.
    package var maxStored: Int?
    /// MiB.
    package var maxStoredPerAddress: Int?
    package var maxQueuesPerAddress: Int?
    package var proxy: Bool?
    package var proxyLocal: Bool?
    package var stun: StunOption?
    package var metrics: ListenAddress?
    package var logLevel: LogLevel?

    /// Settings that say nothing.
    package init() {}

    /// These settings, and those of `other` where these say nothing. Certificates stay in the other's folder of queues
    /// where only the queues are moved to memory.
    package func over(_ other: Settings) -> Settings {
        var settings = self
        settings.listen = listen ?? other.listen
        settings.host = host ?? other.host
        settings.certificates = certificates ?? other.certificates ?? (queues == .memory ? other.folder : nil)
        settings.queues = queues ?? other.queues
        settings.versions = versions ?? other.versions
        settings.createPassword = createPassword ?? other.createPassword
        settings.allowsCreation = allowsCreation ?? other.allowsCreation
        settings.quota = quota ?? other.quota
        settings.messageTTL = messageTTL ?? other.messageTTL
        settings.expiryInterval = expiryInterval ?? other.expiryInterval
        settings.idleTimeout = idleTimeout ?? other.idleTimeout
        settings.maxConnections = maxConnections ?? other.maxConnections
        settings.maxConnectionsPerAddress = maxConnectionsPerAddress ?? other.maxConnectionsPerAddress
        settings.memory = memory ?? other.memory
        settings.maxStored = maxStored ?? other.maxStored
        settings.maxStoredPerAddress = maxStoredPerAddress ?? other.maxStoredPerAddress
        settings.maxQueuesPerAddress = maxQueuesPerAddress ?? other.maxQueuesPerAddress
        settings.proxy = proxy ?? other.proxy
        settings.proxyLocal = proxyLocal ?? other.proxyLocal
        settings.stun = stun ?? other.stun
        settings.metrics = metrics ?? other.metrics
        settings.logLevel = logLevel ?? other.logLevel
        return settings
    }

    /// The folder of queues, if they are in one.
    package var folder: String? { if case .folder(let path) = queues { path } else { nil } }

    /// Looks at the numbers.
    ///
    /// - Throws: the first that is out of range.
    package func check() throws(SettingsError) {
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
}

/// Why settings make no relay; each is one sentence.
package enum SettingsError: Error, Equatable {
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
    package var description: String {
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
