import Cryptography
import SMP
import TestSupport
import Testing

/// Whatever a peer sends, decoding ends with a value or a typed error.
@Suite("Garbage", .timeLimit(.minutes(5)))
struct GarbageTests {
    /// Runs `decode` and checks that what it throws is an error of this floor.
    private func tolerate(_ decode: () throws -> Void) {
        do {
            try decode()
        } catch {
            #expect(error is SMPDecodingError || error is TransmissionFault, "\(error)")
        }
    }

    private func tryEverything(_ bytes: [UInt8], _ version: SMPVersion) {
        tolerate { _ = try Command(decoding: bytes, version: version) }
        tolerate { _ = try BrokerMessage(decoding: bytes, version: version) }
        tolerate { _ = try Transmission(decoding: bytes, version: version) }
        tolerate { _ = try Batch.transmissions(bytes, version: version) }
        tolerate { _ = try ServerHello(decoding: bytes) }
        tolerate { _ = try ClientHello(decoding: bytes) }
        tolerate { _ = try ServiceReply(decoding: bytes) }
        tolerate { _ = try SignedKey(decoding: bytes) }
        tolerate { _ = try MessageBody(decoding: bytes) }
        tolerate { _ = try ForwardedCommand(decoding: bytes) }
        tolerate { _ = try ForwardedResponse(decoding: bytes) }
        tolerate { _ = try SMPError(decoding: bytes) }
        tolerate { _ = try Padding.unpad(bytes) }
        tolerate { _ = try ByteReader.all(of: bytes) { try $0.relayAddress() } }
        tolerate { _ = try RelayAddress(parsing: String(decoding: bytes, as: UTF8.self)) }
    }

    @Test func `random bytes are tolerated by every decoder`() {
        var random = SeededGenerator(seed: 0xBAD)
        for _ in 0..<3_000 { tryEverything(random.some(0...60), random.version()) }
        for _ in 0..<20 { tryEverything(random.some(16_000...17_000), random.version()) }
    }

    @Test func `a known first word before random bytes is tolerated`() {
        var random = SeededGenerator(seed: 0xBAD2)
        let words =
            CommandTag.allCases.map(\.rawValue) + [
                "IDS", "SOK", "SOKS", "ENDS", "MSG", "LNK", "NID", "NMSG", "INFO", "PKEY", "PRES", "RRES", "ERR",
                "ERR CMD",
                "ERR BLOCKED", "ERR PROXY", "ERR PROXY BROKER", "ERR PROXY BROKER TRANSPORT", "smp://",
            ]
        for _ in 0..<4_000 {
            let word = random.pick(words, else: "NEW")
            tryEverything(Array(word.utf8) + [0x20] + random.some(0...120), random.version())
        }
    }

    @Test func `changed commands and messages are tolerated`() throws {
        var random = SeededGenerator(seed: 0xBAD3)
        for _ in 0..<1_500 {
            let version = random.version()
            tryEverything(random.mutated(try random.command(version).encoded(version)), version)
            tryEverything(random.mutated(try random.message(version).encoded(version)), version)
            tryEverything(random.mutated(try random.transmission(version).encoded(version)), version)
        }
    }

    @Test func `changed hellos are tolerated`() throws {
        var random = SeededGenerator(seed: 0xBAD4)
        let vectors = try Vectors.group("handshake").items
        for _ in 0..<1_500 {
            let vector = try #require(vectors.randomElement(using: &random))
            let server = random.mutated(try vector.data("server_hello_payload"))
            tolerate {
                let hello = try ServerHello(decoding: server)
                _ = try hello.key?.agreementKey(keyHash: counting(32))
                _ = try hello.key?.agreementKey(keyHash: hello.key?.keyHash ?? [])
            }
            tolerate { _ = try ClientHello(decoding: random.mutated(vector.data("client_hello_payload"))) }
        }
    }

    @Test func `random and changed blocks are tolerated, with and without keys`() throws {
        var random = SeededGenerator(seed: 0xBAD5)
        var plain = BlockCipher()
        var client = try BlockCipher(sessionID: [], secret: SecretBytes(counting(32)), side: .client)
        var server = try BlockCipher(sessionID: [], secret: SecretBytes(counting(32)), side: .server)
        for _ in 0..<30 {
            let noise = random.bytes(16_384)
            tolerate { _ = try plain.open(noise) }
            tolerate { _ = try client.open(noise) }
            let block = random.mutated(try client.seal(random.some(0...100)))
            tolerate { _ = try server.open(block) }
            tolerate { _ = try plain.open(random.some(0...100)) }
        }
    }

    @Test func `what decodes encodes again to something that decodes alike`() throws {
        var random = SeededGenerator(seed: 0xBAD6)
        var decoded = 0
        for _ in 0..<3_000 {
            let version = random.version()
            let bytes = random.mutated(try random.command(version).encoded(version))
            guard let command = try? Command(decoding: bytes, version: version) else { continue }
            decoded += 1
            #expect(try Command(decoding: command.encoded(version), version: version) == command)
        }
        #expect(decoded > 100)
    }
}
