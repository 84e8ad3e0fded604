import TestSupport
import Testing

@testable import SFURules

@Suite(.timeLimit(.minutes(5))) struct SFUAddressTests {
    @Test(arguments: [
        ("wss://sfu.example/", "wss://sfu.example/", "sfu.example", 443, "/"),
        ("wss://SFU.Example", "wss://sfu.example/", "sfu.example", 443, "/"),
        ("WSS://sfu.example:8989/janus?x=1", "wss://sfu.example:8989/janus?x=1", "sfu.example", 8_989, "/janus?x=1"),
        ("wss://192.0.2.1/ws", "wss://192.0.2.1/ws", "192.0.2.1", 443, "/ws"),
        ("wss://[2001:DB8::1]:443", "wss://[2001:db8::1]/", "2001:db8::1", 443, "/"),
        ("ws://127.0.0.1:8188", "ws://127.0.0.1:8188/", "127.0.0.1", 8_188, "/"),
        ("ws://127.8.9.1/", "ws://127.8.9.1/", "127.8.9.1", 80, "/"),
        ("ws://[::1]:8188/", "ws://[::1]:8188/", "::1", 8_188, "/"),
        ("ws://[0:0::1]/", "ws://[::1]/", "::1", 80, "/"),
        ("ws://localhost/", "ws://localhost/", "localhost", 80, "/"),
    ]) func `an address is read, and written in its shortest form`(
        text: String, written: String, host: String, port: Int, path: String
    ) throws {
        let address = try SFUAddress(parsing: text)
        #expect([address.host, address.path, address.text] == [host, path, written])
        #expect(address.port == port)
        #expect(try SFUAddress(parsing: address.text) == address)
    }

    @Test(arguments: [
        "ws://sfu.example/", "ws://192.0.2.1/", "ws://[2001:db8::1]/", "ws://localhost.example/", "ws://128.0.0.1/",
        "ws://[::ffff:127.0.0.1]/", "ws://[::2]/",
    ]) func `without encryption only this machine is an address`(text: String) {
        #expect(throws: SFUError.unsafeAddress) { try SFUAddress(parsing: text) }
    }

    @Test(arguments: [
        "", "sfu.example", "https://sfu.example/", "wss:sfu.example", "wss://", "wss:///x", "wss://a:0/",
        "wss://a:65536/",
        "wss://a:x/", "wss://a:/", "wss://me@sfu.example/", "wss://sfu example/", "wss://sfu.example/#x",
        "wss://1.2.3/",
        "wss://0x7f.1/", "wss://[1.2.3.4]/", "wss://[::1", "wss://-a.example/", "wss://a..example/", "ws://127.1/",
        "ws://2130706433/", "wss://bücher.example/", "wss://sfu.example/\r\nHost: x", "wss://a:443x/",
    ]) func `what is no address is refused`(text: String) {
        #expect(throws: SFUError.invalidAddress) { try SFUAddress(parsing: text) }
    }

    @Test func `an address has a longest length`() throws {
        let start = "wss://sfu.example/"
        _ = try SFUAddress(parsing: start + String(repeating: "a", count: 512 - start.count))
        #expect(throws: SFUError.invalidAddress) {
            try SFUAddress(parsing: start + String(repeating: "a", count: 513 - start.count))
        }
    }

    @Test(arguments: 0..<300 as Range<UInt64>) func `whatever is read is read again as the same, and is safe`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "wss://", "ws://", "localhost", "127.0.0.1", "[::1]", ":", "8188", "/", "a", ".", "-", "?", "%", "@",
        ]
        let text = (0..<Int.random(in: 1...8, using: &random)).map { _ in pieces.randomElement(using: &random)! }
            .joined()
        guard let address = try? SFUAddress(parsing: text) else { return }
        #expect((try? SFUAddress(parsing: address.text)) == address)
        #expect(address.isSecure || ["localhost", "127.0.0.1", "::1"].contains(address.host))
    }
}
