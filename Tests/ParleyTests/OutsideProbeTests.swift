import PortMapping
import SMP
import SMPSession
import TestSupport
import Testing

@testable import Parley

/// What a relay elsewhere says of an address, and where the relay inside the program is then.
@Suite(.timeLimit(.minutes(5))) struct OutsideProbeTests {
    @Test func `only what a relay saw itself is a verdict`() {
        for error in [ProxiedRequestError.broker(.network(nil)), .broker(.timeout), .identity(.noReachableHost)] {
            #expect(OutsideProbe.verdict(error) == false)
        }
        #expect(OutsideProbe.verdict(.version) == true)
        for error in [
            ProxiedRequestError.notForwarding, .sessionLost, .broker(.host), .broker(.noService), .proxy(.timeout),
            .unexpectedResponse, .refused(.authentication),
        ] { #expect(OutsideProbe.verdict(error) == nil) }
    }

    @Test func `without a relay elsewhere nothing is tried`() async throws {
        let own = try RelayAddress(hosts: ["198.51.100.7"], port: 5_223, keyHash: [UInt8](repeating: 1, count: 32))
        #expect(await OutsideProbe([]).trial(of: own) == .none)
        // Nobody listens there, so that it can't tell.
        let gone = try RelayAddress(hosts: ["127.0.0.1"], port: 1, keyHash: [UInt8](repeating: 2, count: 32))
        #expect(await OutsideProbe([gone]).trial(of: own) == .none)
    }

    @Test func `a relay in the program is named by the router's address first, and by that alone at another port`()
        async throws
    {
        let folder = try TemporaryFolder()
        let embedded = try await EmbeddedRelay(host: "127.0.0.1", port: 0, stateDirectory: folder.file("relay"))
        try await embedded.setAudience(.thisNetwork(hostName: "desk.local"))
        let port = embedded.localAddress.effectivePort
        embedded.setOutside(.init(host: "198.51.100.7", port: port))
        #expect(embedded.address.hosts == ["198.51.100.7", "desk.local"] && embedded.address.port == port)
        embedded.setOutside(.init(host: "198.51.100.7", port: 50_001))
        #expect(embedded.address.hosts == ["198.51.100.7"] && embedded.address.port == 50_001)
        #expect(embedded.address.keyHash == embedded.localAddress.keyHash)
        embedded.setOutside(nil)
        #expect(embedded.address.hosts == ["desk.local"])
        await embedded.stop()
    }

    @Test func `the relay in the program is found at home whatever its address says`() async throws {
        let relays = NetworkRelays()
        let own = try RelayAddress(hosts: ["127.0.0.1"], port: 5_000, keyHash: [UInt8](repeating: 1, count: 32))
        relays.setOwn(own)
        let outside = try RelayAddress(hosts: ["198.51.100.7"], port: 50_001, keyHash: own.keyHash)
        let place = try #require(await relays.places(of: "198.51.100.7", for: outside).first)
        #expect(place.host == "127.0.0.1" && place.port == 5_000)
        let other = try RelayAddress(hosts: ["198.51.100.7"], port: 50_001, keyHash: [UInt8](repeating: 2, count: 32))
        #expect(await relays.places(of: "198.51.100.7", for: other).isEmpty)
    }
}
