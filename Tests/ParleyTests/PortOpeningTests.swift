import BaseKit
import PortMapping
import Synchronization
import TestSupport
import Testing

@testable import Parley

/// When the port that a router opened is tried from outside.
@Suite(.timeLimit(.minutes(5))) struct PortOpeningTests {
    /// A router that opens each port it is asked for.
    private struct OpenRouter: UPnPAsking {
        let address: IPv4Address

        func ask(_ request: UPnPRequest, of router: IPv4Address, from client: IPv4Address) async -> UPnPOutcome {
            .mapped(address, port: 50_000, lifetime: 0)
        }
    }

    @Test func `a relay that is connected while nobody could try the port is asked once that has been said`()
        async throws
    {
        let folder = try TemporaryFolder()
        let embedded = try await EmbeddedRelay(host: "127.0.0.1", port: 0, stateDirectory: folder.file("relay"))
        let router = OpenRouter(address: try #require(IPv4Address(parsing: "198.51.100.9")))
        var surroundings = PortMappingSurroundings(
            router: { IPv4Address(parsing: "127.0.0.1") }, upnp: router)
        // Nobody answers there, so that UPnP is asked.
        surroundings.routerPort = 9
        let opening = PortOpening(embedded, surroundings)
        let trials = Mutex(0)
        await opening.open {
            [weak opening] _ in
            let number = trials.withLock { count in
                count += 1
                return count
            }
            guard number == 1 else { return .reached(from: "198.51.100.1") }
            // It looked for relays before this one was connected.
            await opening?.tryFromOutside()
            return .none
        } change: {
        }
        for await openness in await opening.changes where openness?.isSettled == true { break }
        #expect(await opening.openness?.trial == .reached(from: "198.51.100.1"))
        #expect(trials.withLock { $0 } == 2)
        await opening.close()
        await embedded.stop()
    }
}
