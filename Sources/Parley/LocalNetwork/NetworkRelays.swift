import BaseKit
import Cryptography
import LocalNetwork
import SMP
import SMPTransport

/// Finds relays of this network by Avahi; the one inside this program at this machine's own address.
actor NetworkRelays: RelayLocator {
    /// How long others may take to say that they are there. Who is found is tried at once.
    private static let patience = Duration.seconds(3)
    /// Relays that are asked where they are.
    private static let mostRelays = 32

    /// Gives Avahi; throws where there is none.
    typealias Discovery = @Sendable () async throws(DiscoveryError) -> Avahi
    /// Tells each time Avahi comes.
    typealias Arrivals = @Sendable () async throws(DiscoveryError) -> AsyncStream<Void>

    private let discovery: Discovery
    /// Tells each time Avahi comes, also after it was restarted.
    nonisolated let arrivals: Arrivals
    private var avahi: Avahi?
    private nonisolated let own = Lock<RelayAddress?>(nil)

    init(
        _ discovery: @escaping Discovery = { () async throws(DiscoveryError) in try await Avahi.connect() },
        arrivals: @escaping Arrivals = { () async throws(DiscoveryError) in try await Avahi.arrivals() }
    ) {
        (self.discovery, self.arrivals) = (discovery, arrivals)
    }

    /// Names the relay inside this program, by the address at which this machine reaches it.
    nonisolated func setOwn(_ address: RelayAddress?) { own.withLock { $0 = address } }

    func places(of host: String, for relay: RelayAddress) async -> [RelayPlace] {
        // Also where its address is that of the router: few lead back in (RFC 4787 §6, hairpinning).
        if let place = ownPlace(relay.keyHash) { return [place] }
        guard RelayReach(host: host) == .thisNetwork, host.lowercased().hasSuffix(".local") else { return [] }
        guard let avahi = try? await connected() else { return [] }
        return await avahi.addresses(ofHost: host).map { RelayPlace(host: $0, port: relay.effectivePort) }
    }

    func places(ofRelay keyHash: [UInt8]) async -> [RelayPlace] {
        if let place = ownPlace(keyHash) { return [place] }
        guard let avahi = try? await connected(), let services = try? await avahi.browse(.relay) else { return [] }
        let wanted = Base64URL.encode(keyHash)
        let finding = Task {
            var places: [RelayPlace] = []
            var count = 0
            for await news in services {
                guard case .found(let service) = news else { continue }
                count += 1
                if count > Self.mostRelays { break }
                guard let place = try? await avahi.resolve(service), place.text["fp"] == wanted else { continue }
                places.append(RelayPlace(host: place.address, port: place.port))
                break
            }
            return places
        }
        let ending = Task {
            try? await Task.sleep(for: Self.patience)
            finding.cancel()
        }
        defer { ending.cancel() }
        return await finding.value
    }

    /// Avahi, as it is now. One that has gone is looked for again.
    /// - Throws: `DiscoveryError`.
    func connected() async throws(DiscoveryError) -> Avahi {
        if let avahi, (try? await avahi.hostName()) != nil { return avahi }
        let found = try await discovery()
        avahi = found
        return found
    }

    private nonisolated func ownPlace(_ keyHash: [UInt8]) -> RelayPlace? {
        guard let own = own.withLock({ $0 }), own.keyHash == keyHash, let host = own.hosts.first else { return nil }
        return RelayPlace(host: host, port: own.effectivePort)
    }
}
