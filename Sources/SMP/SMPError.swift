/// Why a relay, or a proxy before it, refuses a command (SMP fact sheet §8).
public indirect enum SMPError: Error, Hashable, Sendable {
    /// `BLOCK`: bad block, batch or authenticator size.
    case block
    /// `SESSION`: wrong session id, in version 6.
    case session
    /// `CMD …`: parse and credential faults.
    case command(CommandError)
    /// `AUTH`: no such queue, wrong key or not allowed; which of them is not told.
    case authentication
    /// `BLOCKED …`: the relay's operator blocked the queue; `AUTH` below version 12.
    case blocked(BlockingInfo)
    /// `SERVICE`: service signature missing or misplaced.
    case service
    /// `CRYPTO`: a proxied layer does not decrypt.
    case crypto
    /// `QUOTA`: the queue is full.
    case quota
    /// `STORE …`.
    case store(String)
    /// `NO_MSG`: ACK of a message that was not delivered.
    case noMessage
    /// `LARGE_MSG`.
    case largeMessage
    /// `EXPIRED`.
    case expired
    /// `INTERNAL`.
    case internalError
    /// `DUPLICATE_`: never leaves a relay.
    case duplicate
    /// `PROXY …`.
    case proxy(ProxyError)

    /// Parse and credential faults.
    public enum CommandError: String, CaseIterable, Hashable, Sendable {
        case unknown = "UNKNOWN"
        case syntax = "SYNTAX"
        case prohibited = "PROHIBITED"
        case noAuthenticator = "NO_AUTH"
        case hasAuthenticator = "HAS_AUTH"
        case noEntity = "NO_ENTITY"
    }

    /// Why a queue is blocked.
    public struct BlockingInfo: Hashable, Sendable {
        /// `spam`, `content`, or a word of later versions.
        public var reason: String
        /// JSON for the person; from version 18.
        public var notice: String?

        public init(reason: String, notice: String? = nil) {
            self.reason = reason
            self.notice = notice
        }
    }

    /// Faults on the way through a proxy.
    public indirect enum ProxyError: Hashable, Sendable {
        /// The relay's own answer.
        case relay(SMPError)
        /// The proxy could not use the relay.
        case broker(BrokerError)
        /// The proxy wants another password, or does not forward at all.
        case basicAuthentication
        /// The proxy does not know the session any more.
        case noSession
    }

    /// Why a proxy could not use a relay.
    public enum BrokerError: Hashable, Sendable {
        case response(String)
        case unexpected(String)
        case network(NetworkError?)
        case timeout
        case host
        case noService
        case transport(RelayTransportError)
    }

    /// What happened on the network, as far as the proxy tells.
    public enum NetworkError: Hashable, Sendable {
        case connect(String)
        case tls(String)
        case unknownAuthority
        case failed
        case timeout
        case subscribe(String)
    }
}

/// Faults of the transport as errors name them (SMP fact sheet §8).
public enum RelayTransportError: String, CaseIterable, Error, Hashable, Sendable {
    case block = "BLOCK"
    case version = "VERSION"
    case largeMessage = "LARGE_MSG"
    case session = "SESSION"
    case noAuthenticator = "NO_AUTH"
    case handshakeParse = "HANDSHAKE PARSE"
    case handshakeIdentity = "HANDSHAKE IDENTITY"
    case handshakeAuthentication = "HANDSHAKE BAD_AUTH"
    case handshakeService = "HANDSHAKE BAD_SERVICE"
}
