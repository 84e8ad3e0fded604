import RelayFixtures
import SMP
import Synchronization
import TestSupport
import Testing

@testable import SMPSession
@testable import SMPTransport

/// Relays of the local network, which somebody else finds.
@Suite(.timeLimit(.minutes(5))) struct RelayLocatorTests {
    /// Knows what a test tells it, and counts what it is asked.
    private final class Locator: RelayLocator {
        let hosts: [String: [RelayPlace]]
        let relays: [[UInt8]: [RelayPlace]]
        private let questions = Mutex<[String]>([])

        init(hosts: [String: [RelayPlace]] = [:], relays: [[UInt8]: [RelayPlace]] = [:]) {
            (self.hosts, self.relays) = (hosts, relays)
        }

        var asked: [String] { questions.withLock { $0 } }

        func places(of host: String, for relay: RelayAddress) async -> [RelayPlace] {
            questions.withLock { $0.append(host) }
            return hosts[host] ?? []
        }

        func places(ofRelay keyHash: [UInt8]) async -> [RelayPlace] {
            questions.withLock { $0.append("fingerprint") }
            return relays[keyHash] ?? []
        }
    }

    private func connect(_ address: RelayAddress, _ locator: Locator) async throws -> RelayConnection {
        var configuration = TransportConfiguration()
        configuration.locator = locator
        return try await RelayConnection.connect(to: address, configuration: configuration)
    }

    private func at(_ hosts: [String], _ relay: RelayAddress, port: UInt16? = nil) throws -> RelayAddress {
        try RelayAddress(hosts: hosts, port: port ?? relay.port, keyHash: relay.keyHash)
    }

    @Test func `a name that the system does not know leads to the relay`() async throws {
        try await withListener { relay, _ in
            let port = try #require(relay.port)
            let locator = Locator(hosts: ["desk.local": [RelayPlace(host: "127.0.0.1", port: port)]])
            let connection = try await connect(try at(["desk.local"], relay), locator)
            #expect(locator.asked == ["desk.local"])
            await connection.close()
        }
    }

    @Test func `a relay whose host is gone is found by its fingerprint, at another port`() async throws {
        try await withListener { relay, _ in
            let port = try #require(relay.port)
            let locator = Locator(relays: [relay.keyHash: [RelayPlace(host: "127.0.0.1", port: port)]])
            let connection = try await connect(try at(["parley-nobody.local"], relay, port: 1), locator)
            #expect(locator.asked == ["parley-nobody.local", "fingerprint"])
            await connection.close()
        }
    }

    @Test func `who answers in place of the relay is refused`() async throws {
        try await withListener { relay, _ in
            let port = try #require(relay.port)
            let other = [UInt8](repeating: 7, count: 32)
            let place = RelayPlace(host: "127.0.0.1", port: port)
            let locator = Locator(hosts: ["desk.local": [place]], relays: [other: [place]])
            let address = try RelayAddress(hosts: ["desk.local"], port: port, keyHash: other)
            await #expect(throws: TransportError.self) { try await connect(address, locator) }
        }
    }

    @Test func `nobody is asked in this network for a relay elsewhere, nor by a proxy`() async throws {
        try await withListener { relay, _ in
            let locator = Locator()
            let far = try RelayAddress(hosts: ["nobody.invalid"], port: 1, keyHash: relay.keyHash)
            await #expect(throws: TransportError.self) { try await connect(far, locator) }
            #expect(!locator.asked.contains("fingerprint"))
            var configuration = TransportConfiguration()
            let other = Locator()
            (configuration.locator, configuration.reachesLocalNetworks) = (other, false)
            await #expect(throws: TransportError.self) {
                try await RelayConnection.connect(to: try at(["desk.local"], relay), configuration: configuration)
            }
            #expect(other.asked == [])
        }
    }
}
