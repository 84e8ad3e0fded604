import ArgumentParser
import Relay
import RelaySettings
import SMP

/// The command line. Everything is optional, so that what is not said here can come from the configuration file.
struct Arguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where to take connections, such as 0.0.0.0:5223 or [::]:5223; port 0 is any free port. May be repeated.",
            valueName: "addr:port"))
    var listen: [ListenAddress] = []

    @Option(help: ArgumentHelp("Host in the address that is printed, if it differs.", valueName: "name"))
    var host: String?

    @Option(
        help: ArgumentHelp(
            "Folder of ca.crt, server.crt and server.key, which are made at the first start; otherwise that of --state.",
            valueName: "dir"))
    var certificates: String?

    @Option(help: ArgumentHelp("Folder where queues and messages are kept.", valueName: "dir"))
    var state: String?

    @Flag(help: "Keep queues and messages in memory; they end with the relay.")
    var inMemory = false

    @Option(help: ArgumentHelp("Protocol versions to offer, within 9-17.", valueName: "min-max"))
    var versions: VersionsOption?

    @Option(help: ArgumentHelp("File with the password that making a queue needs.", valueName: "file"))
    var createPassword: String?

    @Flag(inversion: .prefixedNo, help: "Whether clients may make new queues.")
    var create: Bool?

    @Option(help: ArgumentHelp("Messages a queue holds. (default: 128)", valueName: "n"))
    var quota: Int?

    @Option(help: ArgumentHelp("Age at which messages are dropped. (default: 1814400, 21 days)", valueName: "seconds"))
    var messageTTL: Int?

    @Option(
        help: ArgumentHelp("How often messages that are too old are looked for. (default: 7200)", valueName: "seconds"))
    var expiryInterval: Int?

    @Option(
        help: ArgumentHelp(
            "Silence after which a session without subscriptions is closed. (default: 21600)", valueName: "seconds"))
    var idleTimeout: Int?

    @Option(help: ArgumentHelp("Connections in all. (default: 20000)", valueName: "n"))
    var maxConnections: Int?

    @Option(help: ArgumentHelp("Connections from one address. (default: 500)", valueName: "n"))
    var maxConnectionsPerAddress: Int?

    @Option(help: ArgumentHelp("Memory for what strangers have it keep. (default: 1024)", valueName: "MiB"))
    var memory: Int?

    @Option(help: ArgumentHelp("Messages on disk in all. (default: 16384)", valueName: "MiB"))
    var maxStored: Int?

    @Option(help: ArgumentHelp("Waiting messages that came from one address. (default: 1024)", valueName: "MiB"))
    var maxStoredPerAddress: Int?

    @Option(help: ArgumentHelp("Queues made from one address. (default: 20000)", valueName: "n"))
    var maxQueuesPerAddress: Int?

    @Flag(inversion: .prefixedNo, help: "Whether to forward messages of clients to other relays.")
    var proxy: Bool?

    @Flag(
        inversion: .prefixedNo,
        help: "Whether it forwards to relays of this machine and of private networks, too.")
    var proxyLocal: Bool?

    @Option(
        help: ArgumentHelp(
            "UDP port where clients are told by STUN which address they have, or off. (default: that of --listen)",
            valueName: "port|off"))
    var stun: StunOption?

    @Option(
        help: ArgumentHelp("Where a Prometheus server finds figures, over plain HTTP.", valueName: "addr:port"))
    var metrics: ListenAddress?

    @Option(help: ArgumentHelp("How much to log. (default: notice)", valueName: "level"))
    var logLevel: LogLevel?

    /// What was said, in the form that the file's settings have too.
    var settings: Settings {
        var settings = Settings()
        settings.listen = listen.isEmpty ? nil : listen
        settings.host = host
        settings.certificates = certificates
        settings.queues = inMemory ? .memory : state.map { .folder($0) }
        settings.versions = versions?.range
        settings.createPassword = createPassword
        settings.allowsCreation = create
        settings.quota = quota
        settings.messageTTL = messageTTL
        settings.expiryInterval = expiryInterval
        settings.idleTimeout = idleTimeout
        settings.maxConnections = maxConnections
        settings.maxConnectionsPerAddress = maxConnectionsPerAddress
        settings.memory = memory
        settings.maxStored = maxStored
        settings.maxStoredPerAddress = maxStoredPerAddress
        settings.maxQueuesPerAddress = maxQueuesPerAddress
        settings.proxy = proxy
        settings.proxyLocal = proxyLocal
        settings.stun = stun
        settings.metrics = metrics
        settings.logLevel = logLevel
        return settings
    }

    func validate() throws {
        if inMemory, state != nil { throw ValidationError(SettingsError.memoryAndState.description) }
        do { try settings.check() } catch { throw ValidationError(error.description) }
    }
}
