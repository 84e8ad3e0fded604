import Logging
import NIOCore
import NIOPosix
import SMP
import SMPSession

/// How connections to relays are made and kept.
public struct TransportConfiguration: Sendable {
    /// The versions offered.
    public var versions: SMPVersionRange
    /// Groups and application protocols.
    public var tls: TLSOptions
    /// For TCP, TLS and hello each (SMP fact sheet §11: 15 s, or 45 s in the background).
    public var connectTimeout: Duration
    /// For the response to a request (SMP fact sheet §11: 10 s, or 30 s in the background).
    public var commandTimeout: Duration
    /// Silence after which the relay is asked whether it is still there (SMP fact sheet §11: 10 min).
    package var keepAliveInterval: Duration
    /// Delays between attempts to connect.
    package var backoff: ReconnectBackoff
    /// Where connections live; nil for the threads that the process shares.
    var eventLoopGroup: (any EventLoopGroup)?
    public var logger: Logger
    /// Whether connections are made as a proxy makes them (SMP fact sheet §10): the hello says so, blocks are not encrypted
    /// a second time, and `RelayConnection.forwarding` is there.
    public var isProxy = false
    /// Whether addresses of this machine and of private networks may be dialled. A proxy dials what strangers name.
    public var reachesLocalNetworks = true
    /// Who finds relays of the local network; nil: only the system. A proxy asks nobody.
    public var locator: (any RelayLocator)?
    /// The own address that connections are made from; nil as the system chooses.
    public var localAddress: String?

    /// The versions Parley offers as client and as relay (SMP fact sheet §3, stage 2).
    public static let defaultVersions = SMPVersionRange.supported

    public init(
        versions: SMPVersionRange = TransportConfiguration.defaultVersions, tls: TLSOptions = TLSOptions(),
        connectTimeout: Duration = .seconds(15), commandTimeout: Duration = .seconds(10),
        keepAliveInterval: Duration = .seconds(600), backoff: ReconnectBackoff = ReconnectBackoff(),
        eventLoopGroup: (any EventLoopGroup)? = nil, logger: Logger = Logger(label: "parley.transport")
    ) {
        self.versions = versions
        self.tls = tls
        self.connectTimeout = connectTimeout
        self.commandTimeout = commandTimeout
        self.keepAliveInterval = keepAliveInterval
        self.backoff = backoff
        self.eventLoopGroup = eventLoopGroup
        self.logger = logger
    }

    /// How long the response to a command may take: what goes through a proxy takes twice the way, and opening a session
    /// there may take a connection of the proxy's (SMP fact sheet §11).
    func timeout(of command: Command) -> Duration {
        switch command {
        case .openProxySession: connectTimeout + commandTimeout
        case .forwardToProxy: commandTimeout * 2
        default: commandTimeout
        }
    }

    var group: any EventLoopGroup { eventLoopGroup ?? MultiThreadedEventLoopGroup.singleton }
}
