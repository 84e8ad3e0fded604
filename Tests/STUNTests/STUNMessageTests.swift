import TestSupport
import Testing

@testable import STUN

/// Against the vectors of RFC 5769, which RFC 8489 refers to.
@Suite(.timeLimit(.minutes(5))) struct STUNMessageTests {
    private func bytes(_ text: String) throws -> [UInt8] {
        try #require([UInt8](hexadecimal: String(text.filter { !$0.isWhitespace })))
    }

    /// RFC 5769 §2.2.
    private let answerIPv4 = """
        0101003c 2112a442 b7e7a701 bc34d686 fa87dfae 8022000b 74657374 20766563 746f7220 00200008 0001a147 e112a643
        00080014 2b91f599 fd9e90c3 8c7489f9 2af9ba53 f06be7d7 80280004 c07d4c96
        """
    /// RFC 5769 §2.3.
    private let answerIPv6 = """
        01010048 2112a442 b7e7a701 bc34d686 fa87dfae 8022000b 74657374 20766563 746f7220 00200014 0002a147 0113a9fa
        a5d3f179 bc25f4b5 bed2b9d9 00080014 a382954e 4be67bf1 1784c97c 8292c275 bfe3ed41 80280004 c8fb0b4c
        """
    /// RFC 5769 §2.4.
    private let request = """
        00010060 2112a442 78ad3433 c6ad72c0 29da412e 00060012 e3839ee3 8388e383 aae38383 e382afe3 82b90000
        0015001c 662f2f34 39396b39 35346436 4f4c3334 6f4c3946 53547679 36347341 0014000b 6578616d 706c652e 6f726700
        00080014 f6702465 6dd64a3e 02b8e071 2e85c9a2 8ca89666
        """

    @Test func `the address of an answer is read`() throws {
        let answer = try #require(STUNMessage(decoding: try bytes(answerIPv4)))
        #expect(answer.method == .binding && answer.kind == .success)
        #expect(answer.seenAddress == "192.0.2.1:32853")
        #expect(
            try #require(STUNMessage(decoding: try bytes(answerIPv6))).seenAddress
                == "[2001:db8:1234:5678:11:2233:4455:6677]:32853")
    }

    @Test func `the integrity of an answer is checked`() throws {
        let key = Array("VOkJxbRl1RmTxUk/WvJxBt".utf8)
        var wire = try bytes(answerIPv4)
        #expect(try #require(STUNMessage(decoding: wire)).isSigned(with: key))
        #expect(!(try #require(STUNMessage(decoding: wire)).isSigned(with: Array("other".utf8))))
        wire[45] ^= 1
        #expect(!(try #require(STUNMessage(decoding: wire)).isSigned(with: key)))
        #expect(!STUNMessage(.binding, .success, transaction: []).isSigned(with: key))
    }

    @Test func `the fingerprint of a message is checked`() throws {
        for text in [answerIPv4, answerIPv6] {
            let wire = try bytes(text)
            #expect(try !#require(STUNMessage(decoding: wire)).isDamaged)
            for index in [8, 30, wire.count - 1] {
                var other = wire
                other[index] ^= 1
                #expect(try #require(STUNMessage(decoding: other)).isDamaged)
            }
        }
        #expect(try !#require(STUNMessage(decoding: try bytes(request))).isDamaged)
    }

    @Test func `a message is written with its fingerprint, which is the last of it`() throws {
        var message = STUNMessage(.binding, .success, transaction: [UInt8](1...12))
        message.add(seen: [192, 0, 2, 1], port: 32_853)
        let wire = message.encodedWithFingerprint()
        #expect(wire.count == 40)
        let read = try #require(STUNMessage(decoding: wire))
        #expect(read.seenAddress == "192.0.2.1:32853" && !read.isDamaged)
        var longer = wire + [0x80, 0x22, 0, 0]
        longer[3] += 4
        #expect(try #require(STUNMessage(decoding: longer)).isDamaged)
    }

    @Test func `the address in the vectors is mixed as there`() throws {
        let transaction = Array(try bytes(answerIPv4)[8..<20])
        var message = STUNMessage(.binding, .success, transaction: transaction)
        message.add(seen: [192, 0, 2, 1], port: 32_853)
        #expect(message[.xorMappedAddress] == (try bytes("0001a147e112a643")))
        var other = STUNMessage(.binding, .success, transaction: transaction)
        other.add(seen: try bytes("20010db8123456780011223344556677"), port: 32_853)
        #expect(other[.xorMappedAddress] == (try bytes("0002a1470113a9faa5d3f179bc25f4b5bed2b9d9")))
        var none = STUNMessage(.binding, .success, transaction: transaction)
        none.add(seen: [1, 2, 3], port: 1)
        #expect(none[.xorMappedAddress] == nil)
    }

    @Test func `what has to be understood and is not is named once`() throws {
        var message = STUNMessage(.binding, transaction: [UInt8](repeating: 1, count: 12))
        message.add(.username, [1])
        #expect(message.unknownAttributes == [])
        // CHANGE-REQUEST (RFC 5780 §7.2) twice, PRIORITY (RFC 8445 §16.1) and SOFTWARE, which need not be understood.
        let wire = try bytes(
            "0001001c 2112a442" + String(repeating: "01", count: 12)
                + "0003000400000000 0003000400000000 0024000400000001 80220000")
        #expect(try #require(STUNMessage(decoding: wire)).unknownAttributes == [0x0003, 0x0024])
    }

    @Test func `a request with long-term credentials is written as in the vector`() throws {
        let wire = try bytes(request)
        let name = "\u{30DE}\u{30C8}\u{30EA}\u{30C3}\u{30AF}\u{30B9}"
        var message = STUNMessage(.binding, transaction: Array(wire[8..<20]))
        message.add(.username, Array(name.utf8))
        message.add(.nonce, Array("f//499k954d6OL34oL9FSTvy64sA".utf8))
        message.add(.realm, Array("example.org".utf8))
        let key = try #require(
            STUNMessage.longTermKey(username: name, realm: Array("example.org".utf8), password: "TheMatrIX"))
        #expect(message.encoded(key: key) == wire)
    }

    @Test func `what is no message is none`() throws {
        let wire = try bytes(answerIPv4)
        for count in 0..<wire.count { #expect(STUNMessage(decoding: Array(wire[..<count])) == nil) }
        #expect(STUNMessage(decoding: wire + [0, 0, 0, 0]) == nil)
        var other = wire
        other[4] = 0
        #expect(STUNMessage(decoding: other) == nil)
        var overlong = wire
        (overlong[22], overlong[23]) = (0xFF, 0xFF)
        #expect(STUNMessage(decoding: overlong) == nil)
    }

    @Test func `20,000 damaged messages are read or refused`() throws {
        var generator = SeededGenerator(seed: 3)
        let originals = [try bytes(answerIPv4), try bytes(answerIPv6), try bytes(request)]
        for _ in 0..<20_000 {
            var wire = originals.randomElement(using: &generator) ?? []
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                wire[Int.random(in: 0..<wire.count, using: &generator)] = generator.bytes(1)[0]
            }
            guard let message = STUNMessage(decoding: wire) else { continue }
            _ = (message.seenAddress, message.relayedAddress, message.refusal?.code, message.isSigned(with: [1]))
        }
    }

    @Test func `an address of a wrong length or family is none`() {
        for value in [[], [0, 1, 2], [0, 2, 0, 1, 1, 2, 3, 4], [UInt8](repeating: 1, count: 20)] as [[UInt8]] {
            var message = STUNMessage(.binding, .success, transaction: [UInt8](repeating: 0, count: 12))
            message.add(.mappedAddress, value)
            #expect(message.seenAddress == nil)
        }
    }
}
