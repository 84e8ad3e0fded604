/// How a relay forwards commands of its clients to other relays (SMP fact sheet §10).
public struct ProxyConfiguration: Sendable, Equatable {
    /// Other relays it is connected to at once; beyond that, one that is not in use is left for a new one.
    var maximumDestinations = 1_000
    /// Commands of one client that are under way at once (SMP fact sheet §8.1 tells of such a limit); more wait.
    package var concurrencyPerClient = 32
    /// Commands of one client that wait for others of its own; more are refused.
    var waitingPerClient = 64
    /// Commands of all clients that are under way or wait, 16 KiB each; beyond that, a client that has more than an even share
    /// is refused more.
    public var waiting = 4_096
    /// For TCP, TLS and hello each.
    public var connectTimeout = Duration.seconds(10)
    /// After so long whoever waits for a connection is told so; the connection may still come about for others.
    public var patience = Duration.seconds(15)
    /// For the other relay's answer.
    public var forwardTimeout = Duration.seconds(10)
    /// An unused connection is closed after this.
    public var idleTimeout = Duration.seconds(900)
    /// After a connection failed, clients are told the same for so long before another is tried.
    var failureMemory = Duration.milliseconds(500)
    /// Whether relays on this machine and in private networks are dialled for clients.
    public var reachesLocalNetworks = false

    /// The usual limits.
    public init() {}
}
