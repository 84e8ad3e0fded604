import Cryptography
import SMP
import SMPSession

/// The way of one request to a peer's relay: through one own relay after the other, or directly. It does no I/O.
struct RouteAttempt: Sendable {
    /// What to do next.
    enum Step: Equatable, Sendable {
        /// Ask this relay to forward; report by `failed` what does not succeed.
        case through(RelayAddress)
        /// Dial the relay itself.
        case direct(RoutingNotice)
        case fail(DeliveryFailure)
    }

    private let fallback: PrivateRouting.Fallback
    private var proxies: [RelayAddress]
    private var isOneOutOfReach = false
    private var lacksSupport = false

    /// - Parameter proxies: in the order in which they are asked.
    init(proxies: [RelayAddress], fallback: PrivateRouting.Fallback) {
        self.proxies = proxies
        self.fallback = fallback
    }

    /// The next way.
    mutating func next() -> Step {
        if !proxies.isEmpty { return .through(proxies.removeFirst()) }
        // Later it may go without falling back.
        if isOneOutOfReach { return .fail(.unreachable) }
        if lacksSupport {
            return fallback.contains(.destinationUnsupported)
                ? .direct(.directForWantOfSupport) : .fail(.unroutable)
        }
        return fallback.contains(.noProxy) ? .direct(.directForWantOfProxy) : .fail(.unroutable)
    }

    /// The proxy asked last did not bring the relay's answer. As long as the relay can't have seen the request, the next
    /// proxy is asked; otherwise the request has to be made anew, as after a lost connection.
    ///
    /// - Parameter isItself: whether the proxy was to forward to itself, which not every relay does or can.
    mutating func failed(_ error: ProxiedRequestError, isItself: Bool = false) -> Step {
        switch error {
        // It can't reach its own address, as behind a router that does not lead back: then it is no proxy for itself.
        case .broker where isItself: break
        case .refused(let error): return .fail(DeliveryFailure(error))
        case .unexpectedResponse: return .fail(.rejected("UNEXPECTED"))
        case .notEncodable: return .fail(.rejected("NOT ENCODABLE"))
        case .notForwarding: break
        case .version, .broker(.host), .broker(.transport(.version)), .notTaken(.command(.unknown)): lacksSupport = true
        case .proxy(.notConnected), .proxy(.refused), .sessionLost, .identity, .notTaken, .broker(.noService),
            .broker(.transport):
            isOneOutOfReach = true
        case .proxy, .forged, .broker: return .fail(.unreachable)
        }
        return next()
    }
}

extension PrivateRouting {
    /// Whether requests to this relay go through another one.
    ///
    /// - Parameter own: the relays of the configuration. One counts as own by its fingerprint and its hosts: a stranger's
    ///   address with the fingerprint of an own relay would lead to the stranger's host.
    func hides(from relay: RelayAddress, own: [RelayAddress]) -> Bool {
        switch mode {
        case .never: false
        case .always: true
        case .unknownRelays:
            !own.contains { $0.keyHash == relay.keyHash && Set(relay.hosts).isSubset(of: $0.hosts) }
        }
    }

    /// The proxies for a relay, best first: those that are up and did not fail last; which of them is the same every time, so
    /// that sessions are used again. The relay itself comes last: it learns who sends what, but on no connection of the
    /// sender's that receives.
    static func proxies(
        for relay: RelayAddress, own: [RelayAddress], isUp: (RelayAddress) -> Bool, hasFailed: (RelayAddress) -> Bool
    ) -> [RelayAddress] {
        let ranked = own.map { proxy in
            let place =
                (proxy.keyHash == relay.keyHash ? 4 : 0) + (hasFailed(proxy) ? 2 : 0) + (isUp(proxy) ? 0 : 1)
            return (proxy: proxy, rank: [UInt8(place)] + Digest.sha256(relay.keyHash + proxy.keyHash))
        }
        return ranked.sorted { $0.rank.lexicographicallyPrecedes($1.rank) }.map(\.proxy)
    }
}
