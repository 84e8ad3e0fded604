import SMP
import SMPSession

/// What the agent remembers of its ways to peers' relays.
struct RoutingMemory {
    var counts = RoutingCounts()
    /// Own relays that don't forward, with the connection on which they said so.
    var refusing: [RelayAddress: Int] = [:]
    /// Own relays through which the last request failed.
    var failing: Set<RelayAddress> = []
    /// What the application was told.
    var told: Set<Told> = []

    struct Told: Hashable {
        var relay: RelayAddress
        var notice: RoutingNotice
    }
}

// The way to relays of peers: through a relay of the own configuration, or directly (SMP fact sheet §10).
extension Agent {
    /// How requests to peers' relays have left since the start.
    var routingCounts: RoutingCounts { routing.counts }

    /// Asks the relay of a peer, which learns this side's network address only if the settings want or allow it.
    ///
    /// - Throws: `DeliveryFailure`.
    func request(_ request: RelayRequest, ofPeer relay: RelayAddress) async throws -> BrokerMessage {
        guard phase == .running else { throw DeliveryFailure.unreachable }
        guard hides(from: relay) else {
            routing.counts.direct += 1
            return try await self.request(request, on: relay)
        }
        var attempt = RouteAttempt(proxies: proxies(for: relay), fallback: configuration.privateRouting.fallback)
        var next = attempt.next()
        while phase == .running {
            switch next {
            case .fail(let failure): throw failure
            case .direct(let notice):
                routing.counts.directByFallback += 1
                tell(notice, of: relay)
                return try await self.request(request, on: relay)
            case .through(let proxy):
                do throws(ProxiedRequestError) {
                    let answer = try await self.request(request, through: proxy, to: relay)
                    routing.failing.remove(proxy)
                    routing.counts.proxied += 1
                    return answer
                } catch {
                    note(error, of: proxy, relay)
                    next = attempt.failed(error, isItself: proxy.keyHash == relay.keyHash)
                }
            }
        }
        throw DeliveryFailure.unreachable
    }

    /// Whether a relay is not to see this side's network address.
    func hides(from relay: RelayAddress) -> Bool {
        configuration.privateRouting.hides(from: relay, own: configuration.relays)
    }

    /// The relays whose lines lead to a peer's relay.
    func ways(to relay: RelayAddress) -> [RelayAddress] {
        hides(from: relay) ? configuration.relays + [relay] : [relay]
    }

    /// How many connections each line to these relays has had.
    func connectionCounts(of relays: [RelayAddress]) -> [RelayAddress: Int] {
        Dictionary(relays.compactMap { relay in lines[relay].map { (relay, $0.connectionCount) } }) { first, _ in first
        }
    }

    private func proxies(for relay: RelayAddress) -> [RelayAddress] {
        PrivateRouting.proxies(for: relay, own: configuration.relays) {
            lines[$0]?.isUp == true
        } hasFailed: {
            routing.failing.contains($0)
        }
        .filter { routing.refusing[$0] == nil || routing.refusing[$0] != lines[$0]?.connectionCount }
    }

    private func request(
        _ request: RelayRequest, through proxy: RelayAddress, to relay: RelayAddress
    ) async throws(ProxiedRequestError) -> BrokerMessage {
        let client = line(to: proxy)
        await client.start()
        return try await client.request(request, throughTo: relay)
    }

    private func note(_ error: ProxiedRequestError, of proxy: RelayAddress, _ relay: RelayAddress) {
        switch error {
        case .refused:
            routing.failing.remove(proxy)
            routing.counts.proxied += 1
            return
        case .notForwarding: routing.refusing[proxy] = lines[proxy]?.connectionCount
        case .identity, .forged:
            routing.counts.distrusted += 1
            tell(.distrusted(proxy: proxy.withoutPassword.text), of: relay)
            routing.failing.insert(proxy)
        case .version, .unexpectedResponse, .notEncodable: break
        case .proxy, .sessionLost, .broker, .notTaken: routing.failing.insert(proxy)
        }
        logger.debug(
            "Not forwarded", metadata: ["relay": "\(relay)", "proxy": "\(proxy)", "reason": "\(error)"])
    }

    /// Once for each relay.
    private func tell(_ notice: RoutingNotice, of relay: RelayAddress) {
        guard routing.told.insert(.init(relay: relay, notice: notice)).inserted else { return }
        logger.notice("Routing", metadata: ["relay": "\(relay)", "notice": "\(notice)"])
        tell(.routing(relay.withoutPassword, notice))
    }
}
