import SMP
import SMPTransport
import TestSupport
import Testing

/// From where a relay can be reached, by its address.
@Suite(.timeLimit(.minutes(5))) struct RelayReachTests {
    @Test(
        arguments: [
            "127.0.0.1", "127.1", "127.255.0.9", "localhost", "LOCALHOST.", "a.localhost", "::1", "0.0.0.0", "::", "0",
            "224.0.0.1", "ff02::1", "::ffff:127.0.0.1",
        ])
    func `a host that leads back here is of use to this machine alone`(host: String) {
        #expect(RelayReach(host: host) == .thisMachine)
    }

    @Test(
        arguments: [
            "10.1.2.3", "172.16.0.1", "192.168.1.20", "169.254.7.7", "100.64.0.1", "fe80::1", "fd12::9", "desk.local",
            "DESK.local.", "desk", "nas.home.arpa", "nas.internal", "::ffff:192.168.1.1", "3232235777",
        ])
    func `a private address or name is of use to its network`(host: String) {
        #expect(RelayReach(host: host) == .thisNetwork)
    }

    @Test(
        arguments: [
            "relay.example.org", "192.0.2.7", "172.32.0.1", "100.128.0.1", "2001:db8::1", "local.example.org",
            "abcdefghijklmnop.onion", "localhost.example.org", "::ffff:192.0.2.1",
        ])
    func `anything else may be of use to everybody`(host: String) {
        #expect(RelayReach(host: host) == .everywhere)
    }

    @Test func `a relay is reached by the best of its hosts`() throws {
        let hash = [UInt8](repeating: 1, count: 32)
        func reach(_ hosts: String...) throws -> RelayReach {
            try RelayAddress(hosts: hosts, port: 1, keyHash: hash).reach
        }
        #expect(try reach("127.0.0.1", "desk.local") == .thisNetwork)
        #expect(try reach("desk.local", "relay.example.org", "localhost") == .everywhere)
        #expect(RelayReach.thisMachine < .thisNetwork && RelayReach.thisNetwork < .everywhere)
    }
}
