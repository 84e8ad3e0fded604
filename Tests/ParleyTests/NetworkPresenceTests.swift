import Cryptography
import Foundation
import LocalNetwork
import Portal
import SMP
import TestSupport
import Testing

@testable import Parley

/// The relay inside the program, announced by a real Avahi.
@Suite(.needs(AvahiTown.obstacle), .serialized, .timeLimit(.minutes(5))) struct NetworkPresenceTests {
    @Test func `the relay is announced anew when Avahi was restarted, and no more when it is closed`() async throws {
        let town = try await AvahiTown()
        let here = try await Bus.connect(address: town.first.bus)
        let there = try await Avahi.connect(bus: try await Bus.connect(address: town.second.bus))
        let embedded = try await EmbeddedRelay(host: "127.0.0.1", port: 0, stateDirectory: town.folder.file("relay"))
        let presence = NetworkPresence(
            embedded,
            NetworkRelays(
                { () async throws(DiscoveryError) in try await Avahi.connect(bus: here) },
                arrivals: { () async throws(DiscoveryError) in try await Avahi.arrivals(bus: here) }))
        try await presence.open(as: town.first.hostName)
        let fingerprint = Base64URL.encode(embedded.address.keyHash)
        #expect(try await Self.fingerprint(found: there) == fingerprint)

        try await town.restartAvahi(on: town.first)
        let place = try await Avahi.connect(bus: here)
        try await waitUntil("it is announced again", within: .seconds(30)) {
            let news = try await place.browse(.relay)
            for await item in news {
                switch item {
                case .found(let service): return try await place.resolve(service).text["fp"] == fingerprint
                case .upToDate: return false
                case .lost: break
                }
            }
            return false
        }

        try await presence.close()
        #expect(await presence.openness == .closed)
        try await town.restartAvahi(on: town.first)
        let last = try await Avahi.connect(bus: here)
        // Time enough for what would announce it.
        try await Task.sleep(for: .seconds(2))
        for await item in try await last.browse(.relay) {
            if case .found(let service) = item { Issue.record("\(service.name) is still announced") }
            if case .upToDate = item { break }
        }
        await embedded.stop()
    }

    private static func fingerprint(found avahi: Avahi) async throws -> String? {
        for await item in try await avahi.browse(.relay) {
            if case .found(let service) = item { return try await avahi.resolve(service).text["fp"] }
        }
        return nil
    }
}
