import Glibc
import Logging
import RelayRules
import SMP
import SMPSession
import SMPTransport

/// Where a relay keeps its queues.
public enum RelayStorage: Sendable, Equatable {
    /// In `relay.sqlite` in the state directory: a message is on disk before its sender is told so.
    case disk
    /// In memory: they end with the object.
    case memory
}

/// Whether a relay tells who asks by STUN which address they are seen at, so that calls need no other server for it.
public enum AddressAnswers: Sendable, Equatable {
    /// It does not.
    case off
    /// By UDP, at each address it listens on: at the port of its TCP there, or at this one. Where the socket can't be had the relay
    /// does not start if that is `required`; otherwise it does, and logs a warning.
    case on(port: UInt16?, required: Bool)
}

/// How a relay is run.
public struct RelayConfiguration: Sendable {
    /// Address of an own interface, or a name that stands for one.
    public var host: String
    /// 0 for any free port.
    public var port: UInt16
    /// Where else to listen.
    public var furtherEndpoints: [RelayEndpoint] = []
    /// The host in the relay's address; nil for `host`, or this machine's name where `host` means every interface.
    public var announcedHost: String?
    /// Where queues are kept; made at the first start.
    public var stateDirectory: String
    /// Where certificates and keys are kept, made at the first start; nil for the folder of the queues.
    public var certificatesDirectory: String?
    public var storage: RelayStorage
    /// The versions offered.
    public var versions: SMPVersionRange
    /// Messages of a queue before the sender has to wait (SMP fact sheet §9.4).
    public var quota: Int
    /// Messages older than this are dropped (SMP fact sheet §9.4: 21 days).
    public var messageLifetime: Duration
    /// How often messages that are too old are looked for, at least; half of the lifetime if that is shorter (SMP fact
    /// sheet §9.4: 2 h).
    public var expiryInterval: Duration = .seconds(2 * 3_600)
    public var creation: QueueCreation
    /// Whether and how commands of clients are forwarded to other relays; nil: not at all. Clients need the password of
    /// `creation` if there is one.
    public var proxy: ProxyConfiguration?
    public var tls: TLSOptions
    public var limits: ConnectionLimits
    /// How much strangers may have the relay keep.
    public var storeLimits = StoreLimits()
    /// How much may wait for clients that don't read.
    public var outputLimits = OutputLimits()
    /// Processor time that clients may have.
    public var work = WorkLimits()
    /// A session without subscriptions that says nothing for so long is closed (SMP fact sheet §8.1: 6 h); nil for never.
    public var idleTimeout: Duration? = .seconds(6 * 3_600)
    /// How often a session is told which of its subscriptions others took over or deleted (SMP fact sheet §9.2: 15 s); zero
    /// for at once.
    public var endingInterval: Duration = .seconds(15)
    /// How long after a change what the disk still holds of deleted messages is overwritten, and the disk told how old the relay
    /// is.
    var tidyInterval: Duration = .seconds(60)
    /// Whether an operator may ask something of the running relay, through a socket in the folder of queues.
    public var isControlled = false
    /// Where a Prometheus server may ask for figures, over plain HTTP; nil for nowhere.
    public var metrics: RelayEndpoint?
    /// Whether it answers by STUN.
    public var addressAnswers = AddressAnswers.off
    public var logger: Logger

    public init(
        host: String = "127.0.0.1", port: UInt16 = RelayAddress.defaultPort, announcedHost: String? = nil,
        stateDirectory: String, versions: SMPVersionRange = TransportConfiguration.defaultVersions, quota: Int = 128,
        messageLifetime: Duration = .seconds(21 * 86_400), creation: QueueCreation = QueueCreation(),
        proxy: ProxyConfiguration? = nil, tls: TLSOptions = TLSOptions(), limits: ConnectionLimits = ConnectionLimits(),
        storage: RelayStorage = .disk,
        logger: Logger = Logger(label: "parley.relay")
    ) {
        self.host = host
        self.port = port
        self.announcedHost = announcedHost
        self.stateDirectory = stateDirectory
        self.storage = storage
        self.versions = versions
        self.quota = quota
        self.messageLifetime = messageLifetime
        self.creation = creation
        self.proxy = proxy
        self.tls = tls
        self.limits = limits
        self.logger = logger
    }

    /// Divides memory up among queues, messages, links and what waits for clients to read it.
    ///
    /// - Parameter memory: bytes.
    public mutating func bound(memory: Int) {
        let limits = StoreLimits(memory: memory)
        (storeLimits.queues, storeLimits.messages) = (limits.queues, limits.messages)
        (storeLimits.linkBytes, storeLimits.fetchedQueues) = (limits.linkBytes, limits.fetchedQueues)
        (storeLimits.cachedBytes, storeLimits.unwrittenBytes) = (limits.cachedBytes, limits.unwrittenBytes)
        storeLimits.pageBytes = limits.pageBytes
        storeLimits.reserveBytes = limits.unwrittenBytes * 2 + (16 << 20)
        // Without a disk bodies are in memory, too.
        if storage == .memory {
            storeLimits.messages = limits.messages / 2
            storeLimits.storedBytes = memory / 8 + memory / 16
        }
        outputLimits.total = memory / 8
    }

    var endpoints: [RelayEndpoint] { [RelayEndpoint(host: host, port: port)] + furtherEndpoints }

    /// The host that clients are told.
    var addressHost: String {
        if let announcedHost { return announcedHost }
        guard ["0.0.0.0", "::", ""].contains(host) else { return host }
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
