import Logging
import SMP
import SMPSession
import SMPTransport

/// Has relays elsewhere try whether they reach an address: those that forward for others (SMP fact sheet §10) connect to it and bring the
/// certificate that they were shown.
struct OutsideProbe {
    /// Relays that are asked; the first one that can tell does.
    private static let mostRelays = 3

    let relays: [RelayAddress]
    var configuration = TransportConfiguration()
    private let log = Logger(label: "im.parley.network")

    init(_ relays: [RelayAddress]) { self.relays = relays }

    func trial(of address: RelayAddress) async -> PortOpenness.Trial {
        for relay in relays.prefix(Self.mostRelays) {
            guard let host = relay.hosts.first, let isReached = await isReached(address, from: relay) else { continue }
            return isReached ? .reached(from: host) : .unreached(from: host)
        }
        return .none
    }

    /// Nil where the relay can't tell.
    private func isReached(_ address: RelayAddress, from relay: RelayAddress) async -> Bool? {
        guard let connection = try? await RelayConnection.connect(to: relay, configuration: configuration) else {
            return nil
        }
        defer { Task { await connection.close() } }
        do throws(ProxiedRequestError) {
            _ = try await connection.openProxySession(
                to: address, versions: configuration.versions, password: relay.password)
            return true
        } catch {
            log.notice("The relay \(relay.withoutPassword.text) does not reach this one: \(error)")
            return Self.verdict(error)
        }
    }

    static func verdict(_ error: ProxiedRequestError) -> Bool? {
        switch error {
        // It has shown this relay's certificate, and no more is asked.
        case .version: true
        case .broker(.network), .broker(.timeout), .identity: false
        case .broker, .proxy, .notForwarding, .sessionLost, .notTaken, .refused, .forged, .unexpectedResponse,
            .notEncodable:
            nil
        }
    }
}
