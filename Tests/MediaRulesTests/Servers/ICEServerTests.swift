import BaseKit
import Cryptography
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct ICEServerURLTests {
    private func read(_ text: String) throws(ICEServerError) -> ICEServerURL { try ICEServerURL(parsing: text) }

    private func refusal(_ text: String) -> ICEServerError? {
        do {
            _ = try ICEServerURL(parsing: text)
            return nil
        } catch {
            return error
        }
    }

    /// The examples of RFC 7064 appendix A and RFC 7065 appendix A: scheme, host, port, transport.
    @Test(arguments: [
        ("stun:example.org", "example.org", 3_478, "udp"), ("stuns:example.org", "example.org", 5_349, "tcp"),
        ("stun:example.org:8000", "example.org", 8_000, "udp"), ("turn:example.org", "example.org", 3_478, "udp"),
        ("turns:example.org", "example.org", 5_349, "tcp"),
        ("turn:example.org:8000?transport=udp", "example.org", 8_000, "udp"),
        ("turn:example.org?transport=tcp", "example.org", 3_478, "tcp"),
        ("turns:example.org:443?transport=tcp", "example.org", 443, "tcp"),
        ("TURN:192.0.2.1", "192.0.2.1", 3_478, "udp"), ("turn:[2001:db8::1]:99", "2001:db8::1", 99, "udp"),
        ("turns:[::1]", "::1", 5_349, "tcp"), ("stun:_x.a-b.example.org.", "_x.a-b.example.org.", 3_478, "udp"),
    ]) func `what the RFCs allow is read`(text: String, host: String, port: Int, transport: String) throws {
        let url = try read(text)
        #expect(url.host == host && Int(url.port) == port && url.transport.rawValue == transport)
    }

    @Test(arguments: [
        ("", ICEServerError.scheme), ("http:x", .scheme), ("example.org:3478", .scheme), ("turn", .scheme),
        ("turn://example.org", .notThatForm), ("turn:ann@example.org", .notThatForm), ("turn:", .host),
        ("turn:a b", .host), ("turn:-a.org", .host), ("turn:a..org", .host), ("turn:1.2.3", .host),
        ("turn:0x7f.1", .host), ("turn:1.2.3.999", .host), ("turn:[::1", .host), ("turn:[1.2.3.4]", .host),
        ("turn:[::1%lo]", .host), ("turn:ex/ample", .host), ("turn:ä.org", .host), ("turn:x:0", .port),
        ("turn:x:65536", .port), ("turn:x:", .port), ("turn:x:+1", .port), ("turn:x:1:2", .port),
        ("turn:[::1]x", .port), ("stun:x?transport=udp", .transport), ("turn:x?transport=sctp", .transport),
        ("turn:x?", .transport), ("turn:x?a=b", .transport), ("turn:x?transport=tcp&a=b", .transport),
        ("turns:x?transport=udp", .datagramTLS), ("turn:x\r\ny", .host), ("turn:x\u{0}", .host),
    ]) func `everything else is refused with its reason`(text: String, error: ICEServerError) {
        #expect(refusal(text) == error)
    }

    @Test func `random text never traps`() {
        var generator = SeededGenerator(seed: 65)
        let parts = [
            "turn", "turns", "stun", ":", "?", "transport=", "tcp", "[", "]", "::1", "1.2.3.4", "a", ".", "é", "\u{0}",
            "99999", "@", "//",
        ]
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
                parts.randomElement(using: &generator) ?? ""
            }
            guard let url = try? ICEServerURL(parsing: text.joined()) else { continue }
            // What is read once is read as the same again.
            let again =
                "\(url.scheme.rawValue):\(url.place)"
                + (url.scheme.isRelay ? "?transport=\(url.transport.rawValue)" : "")
            #expect((try? ICEServerURL(parsing: again)) == url)
        }
    }

    @Test func `a TURN server without a login is refused, and an empty secret too`() {
        #expect(throws: ICEServerError.credentials) { try ICEServer(url: "turn:x").check() }
        #expect(throws: ICEServerError.credentials) { try ICEServer(url: "turn:x", username: "a").check() }
        #expect(throws: ICEServerError.secret) { try ICEServer(url: "turn:x", secret: "").check() }
        #expect(throws: Never.self) { try ICEServer(url: "turns:x", secret: "s").check() }
        #expect(throws: Never.self) { try ICEServer(url: "stun:x").check() }
    }
}

@Suite(.timeLimit(.minutes(5))) struct ICEServerAddressTests {
    private func address(_ text: String, _ name: String? = nil, _ password: String? = nil) throws -> ICEServerAddress? {
        ICEServerAddress(try ICEServerURL(parsing: text), username: name, credential: password)
    }

    @Test func `STUN and TURN get webrtcbin's form, with what is special encoded`() throws {
        #expect(try address("stun:stun.example.org") == .stun("stun://stun.example.org:3478"))
        #expect(
            try address("turn:turn.example.org:3478?transport=tcp", "17:a", "p/=@")
                == .turn("turn://17%3Aa:p%2F%3D%40@turn.example.org:3478?transport=tcp"))
        #expect(try address("turn:[::1]:5", "a", "b") == .turn("turn://a:b@[::1]:5?transport=udp"))
    }

    @Test func `TLS is left to a tunnel, and STUN over TLS becomes plain STUN`() throws {
        #expect(try address("turns:x:443", "a", "b") == nil)
        #expect(try address("stuns:x") == .stun("stun://x:3478"))
        #expect(try address("stuns:x:443") == .stun("stun://x:443"))
    }
}

@Suite(.timeLimit(.minutes(5))) struct TURNCredentialsTests {
    /// Made with `printf %s NAME | openssl dgst -sha1 -hmac SECRET -binary | base64`.
    @Test(arguments: TURNCredentialsTests.vectors)
    func `user name and password are those of OpenSSL's program`(vector: Vector) throws {
        let made = try #require(
            TURNCredentials(secret: SecretBytes(Array(vector.secret.utf8)), name: vector.name, expiry: vector.expiry))
        #expect(made.username == vector.username && made.password == vector.password)
    }

    struct Vector: Sendable {
        let secret: String
        let name: String?
        let expiry: Int64
        let username: String
        let password: String
    }

    static let vectors = [
        Vector(
            secret: "north", name: nil, expiry: 1_400_000_000, username: "1400000000",
            password: "/8rkVF3EEHIIuCqZKzsgM1zDy+c="),
        Vector(
            secret: "north", name: "ann", expiry: 1_795_232_036, username: "1795232036:ann",
            password: "ePNvb2Ztmp6uk1lozOcw/m+65rY="),
        Vector(
            secret: "between us", name: "", expiry: 1, username: "1:", password: "K8oO4U+q5wc3D3Nq4Hd+IohpBjo="),
        Vector(
            secret: "a long secret that is longer than the sixty-four bytes of a block of SHA-1", name: "17:b",
            expiry: 4_102_444_800, username: "4102444800:17:b", password: "lTQgFh4IOPU1/DZqNx4P0SZBVco="),
    ]

    @Test func `an empty or overlong secret makes none`() {
        #expect(TURNCredentials(secret: SecretBytes([]), expiry: 1) == nil)
        #expect(TURNCredentials(secret: SecretBytes([UInt8](repeating: 1, count: 1_025)), expiry: 1) == nil)
    }
}

@Suite(.timeLimit(.minutes(5))) struct RelayWatchTests {
    /// The moments, among those asked, at which the watch said that the relays are of no use.
    private func alarms(_ watch: RelayWatch, at moments: [Instant]) -> [Instant] {
        var watch = watch
        return moments.filter { watch.poll(now: $0) }
    }

    @Test func `a relay that gives nothing is told once, when its time is over`() {
        var watch = RelayWatch(relayCount: 1, isRelayOnly: false)
        #expect(alarms(watch, at: [at(0), at(100_000)]) == [])
        watch.began(now: at(100))
        let due = at(100) + RelayWatch.patience
        #expect(alarms(watch, at: [at(100), due - .milliseconds(1), due, due + .milliseconds(1)]) == [due])
    }

    @Test func `the end of gathering shortens the time`() {
        var watch = RelayWatch(relayCount: 1, isRelayOnly: true)
        watch.began(now: at(0))
        watch.completed(now: at(1_000))
        let due = at(1_000) + RelayWatch.settling
        #expect(alarms(watch, at: [at(1_000), due]) == [due])
    }

    @Test func `a relay that gives a candidate is no matter`() {
        var watch = RelayWatch(relayCount: 1, isRelayOnly: true)
        watch.began(now: at(0))
        watch.found()
        #expect(alarms(watch, at: [at(100_000)]) == [])
    }

    @Test func `without relays nothing is expected, unless calls go only through them`() {
        var watch = RelayWatch(relayCount: 0, isRelayOnly: false)
        watch.began(now: at(0))
        #expect(alarms(watch, at: [at(100_000)]) == [])
        var strict = RelayWatch(relayCount: 0, isRelayOnly: true)
        strict.began(now: at(0))
        #expect(alarms(strict, at: [at(100_000)]) == [at(100_000)])
    }
}
