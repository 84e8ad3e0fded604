import MediaRules
import Testing

@testable import Media

@Suite(.timeLimit(.minutes(5))) struct ServerAccessTests {
    @Test func `servers that can't be used are named in a notice, and a relay-only call asks no STUN server`() throws {
        let servers = [
            ICEServer(url: "turn:x"), ICEServer(url: "stun:127.0.0.1"),
            ICEServer(url: "turn:127.0.0.1", username: "a", credential: "b"),
        ]
        let access = ServerAccess(servers, relayOnly: false) { _ in }
        #expect(access.addresses.count == 2 && access.notices.count == 1 && access.relays == ["127.0.0.1:3478"])
        let relayOnly = ServerAccess(servers, relayOnly: true) { _ in }
        #expect(relayOnly.addresses == [.turn("turn://a:b@127.0.0.1:3478?transport=udp")])
    }

    @Test func `credentials of a shared secret are made anew for each call`() throws {
        let server = ICEServer(url: "turn:127.0.0.1", secret: "s", username: "ann")
        let texts = [1_000, 2_000].map { ServerAccess([server], relayOnly: true, wallClock: $0) { _ in }.addresses }
        #expect("\(texts[0])".contains("turn://87400%3Aann:") && "\(texts[1])".contains("turn://88400%3Aann:"))
    }

    @Test func `no text made of a server shows its password`() {
        let servers = [
            ICEServer(url: "turn:x", username: "ann", credential: "hush"), ICEServer(url: "turn:x", secret: "hush"),
        ]
        var configuration = Loopback.configuration(.offerer, .none)
        configuration.iceServers = servers
        var dumped = ""
        dump(configuration, to: &dumped)
        #expect(!dumped.contains("hush") && !"\(servers) \(configuration)".contains("hush"))
        #expect(!String(reflecting: servers).contains("hush"))
    }
}
