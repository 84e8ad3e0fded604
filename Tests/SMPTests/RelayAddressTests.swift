import Cryptography
import SMP
import TestSupport
import Testing

@Suite("Relay addresses", .timeLimit(.minutes(5)))
struct RelayAddressTests {
    static let hash = Base64URL.encode(counting(32))

    @Test func `text and binary forms are those of the vectors`() throws {
        for vector in try Vectors.group("server_uri").items {
            let address = try RelayAddress(parsing: vector.text("text"))
            #expect(address.hosts == vector["hosts"].items.compactMap(\.string))
            #expect(address.port.map(String.init) ?? "" == (try vector.text("port")))
            #expect(address.password?.text == vector["basic_auth"].string)
            #expect(address.text == (try vector.text("text")))
            guard let binary = vector["binary"].bytes else { continue }
            #expect(address.keyHash == (try vector.data("key_hash")))
            #expect(try ByteWriter.build { try $0.relayAddress(address) } == binary)
            #expect(try ByteReader.all(of: binary) { try $0.relayAddress() } == address)
            let legacy = try vector.data("legacy_binary")
            #expect(try ByteWriter.build { try $0.legacyRelayAddress(address) } == legacy)
            let first = try ByteReader.all(of: legacy) { try $0.legacyRelayAddress() }
            #expect(first.text == (try vector.text("legacy_text")))
        }
    }

    @Test func `the password is in the text but not in what is printed or sent`() throws {
        let address = try RelayAddress(parsing: "smp://\(Self.hash):secret@relay.example:5223")
        #expect(address.text.contains("secret"))
        #expect(!"\(address)".contains("secret"))
        #expect(!String(reflecting: address).contains("secret"))
        #expect(!String(describing: Optional(address)).contains("secret"))
        let sent = try ByteWriter.build { try $0.relayAddress(address) }
        #expect(try ByteReader.all(of: sent) { try $0.relayAddress() } == address.withoutPassword)
    }

    @Test func `an address without port uses 5223`() throws {
        #expect(try RelayAddress(parsing: "smp://\(Self.hash)@relay.example").effectivePort == 5223)
        #expect(try RelayAddress(parsing: "smp://\(Self.hash)@relay.example:443").effectivePort == 443)
    }

    @Test(
        arguments: [
            ["relay.example"], ["::1"], ["2001:db8::1:443"], ["a.example", "::1"], ["::1", "a.example"],
            ["127.0.0.1", "x.onion", "2001:db8::"],
        ], [nil, 1, 5223, 65535] as [UInt16?])
    func `every written address is read as the same address`(hosts: [String], port: UInt16?) throws {
        let address = try RelayAddress(hosts: hosts, port: port, keyHash: counting(32))
        #expect(try RelayAddress(parsing: address.text) == address)
        let binary = try ByteWriter.build { try $0.relayAddress(address) }
        #expect(try ByteReader.all(of: binary) { try $0.relayAddress() } == address)
    }

    @Test(arguments: [
        "", "smp://", "smp://@relay.example", "smp://AAAA@relay.example", "smp://HASH@", "smp://HASH@:5223",
        "smp://HASH@relay.example:0", "smp://HASH@relay.example:65536", "smp://HASH@relay.example:",
        "smp://HASH@relay.example:12x", "smp://HASH@a b", "smp://HASH@a,,b", "xftp://HASH@relay.example",
        "smp://HASH:@relay.example", "smp://HASH:p/w@relay.example", "smp://HASH@relay.example/path",
        "smp://HASH@relay.example:+5", "smp://HASH@é.example", "smp://HASH@🇦🇦", "smp://HASH:é@relay.example",
    ])
    func `addresses that name no relay are refused`(_ text: String) {
        #expect(throws: SMPDecodingError.self) {
            try RelayAddress(parsing: text.replacing("HASH", with: Self.hash))
        }
    }

    @Test func `binary addresses with wrong parts are refused`() throws {
        let parts: [(hosts: [String], port: String, hash: [UInt8])] = [
            ([], "", counting(32)), ([""], "", counting(32)), (["a"], "x", counting(32)),
            (["a"], "70000", counting(32)),
            (["a"], "0", counting(32)), (["a"], "", counting(31)), (["a b"], "", counting(32)),
            (["é"], "", counting(32)),
        ]
        for part in parts {
            let bytes = try ByteWriter.build { writer in
                try writer.list(part.hosts) { try $0.text($1) }
                try writer.text(part.port)
                try writer.bytes(part.hash)
            }
            #expect(throws: SMPDecodingError.self) { try ByteReader.all(of: bytes) { try $0.relayAddress() } }
        }
    }
}
