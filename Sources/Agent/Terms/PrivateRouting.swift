/// Which relays the agent sends to through a relay of its own, so that they don't see its network address
/// (SMP fact sheet §10).
public struct PrivateRouting: Equatable, Sendable {
    /// For which relays.
    public enum Mode: String, CaseIterable, Sendable {
        /// Every relay is dialled.
        case never
        /// All but the relays of the own configuration.
        case unknownRelays = "unknown"
        /// All; a relay that is the only own one is sent to through itself.
        case always
    }

    /// When such a relay is dialled all the same. Each time `AgentEvent.routing` tells and `RoutingCounts` counts.
    public struct Fallback: OptionSet, Equatable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Proxies have no way to the relay: its address names no host they reach, or it is too old. Whoever chose the
        /// relay's address can bring this about.
        public static let destinationUnsupported = Fallback(rawValue: 1)
        /// None of the own relays forwards. Only their operators can bring this about.
        public static let noProxy = Fallback(rawValue: 2)
    }

    public var mode: Mode
    public var fallback: Fallback

    /// A choice; the usual one hides the own address where the own relays can.
    public init(mode: Mode = .unknownRelays, fallback: Fallback = .noProxy) {
        self.mode = mode
        self.fallback = fallback
    }
}

/// What there is to know of the way to a peer's relay.
public enum RoutingNotice: Hashable, Sendable {
    /// The relay is dialled although it should not see this side's address, because it can't be reached through proxies.
    case directForWantOfSupport
    /// The relay is dialled although it should not see this side's address, because no own relay forwards.
    case directForWantOfProxy
    /// This own relay showed a wrong key, or an answer that the peer's relay did not make; nothing was taken from it.
    case distrusted(proxy: String)
}

/// How requests to peers' relays have left since the agent was started.
struct RoutingCounts: Equatable, Sendable {
    /// Through a proxy, with the relay's own answer.
    var proxied = 0
    /// Without proxy, as the settings want it.
    var direct = 0
    /// Without proxy although the settings would rather have one.
    var directByFallback = 0
    /// Wrong keys and forged answers of proxies.
    var distrusted = 0
}
