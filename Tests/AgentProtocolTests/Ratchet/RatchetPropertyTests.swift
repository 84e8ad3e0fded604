import Cryptography
import TestSupport
import Testing

@testable import AgentProtocol

/// Two ratchets that talk over a network which loses, repeats and reorders.
@Suite(.timeLimit(.minutes(5))) struct RatchetPropertyTests {
    /// A message on its way.
    struct Packet {
        let text: [UInt8]
        let bytes: [UInt8]
    }

    /// One side: its ratchet, what waits to be delivered to it, and what it has read.
    struct Side {
        var ratchet: Ratchet
        var inbox: [Packet] = []
        var read: Set<[UInt8]> = []
    }

    private func connect(versions: (UInt16, UInt16), maximum: UInt16) throws -> [Side] {
        let initiator = RatchetKeyPairs()
        let joiner = RatchetKeyPairs()
        return [
            Side(
                ratchet: try Ratchet(
                    joiner: joiner, peer: initiator.parameters(version: versions.0), maximumVersion: maximum)),
            Side(
                ratchet: try Ratchet(
                    initiator: initiator, peer: joiner.parameters(version: versions.1), maximumVersion: maximum)),
        ]
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `everything that arrives is read once whatever the network does`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let version: UInt16 = seed.isMultiple(of: 2) ? 2 : 3
        var sides = try connect(versions: (version, version), maximum: seed.isMultiple(of: 3) ? 3 : version)
        var counter = 0
        for _ in 0..<250 {
            let index = Int.random(in: 0...1, using: &random)
            if sides[index].ratchet.canSend, Bool.random(using: &random) {
                for _ in 0..<Int.random(in: 1...5, using: &random) {
                    counter += 1
                    let text = Array("message \(counter)".utf8)
                    let bytes = try sides[index].ratchet.encrypt(text, paddedTo: 64)
                    try deliver(Packet(text: text, bytes: bytes), to: &sides[1 - index], using: &random)
                }
            } else {
                try readOne(of: &sides[index], using: &random)
            }
            if Int.random(in: 0..<10, using: &random) == 0 {
                sides[index].ratchet = try Ratchet(decoding: sides[index].ratchet.encoded)
            }
        }
        // Afterwards the two still understand each other, both ways.
        for index in [0, 1, 0, 1] where sides[index].ratchet.canSend {
            let bytes = try sides[index].ratchet.encrypt([1, 2, 3], paddedTo: 64)
            #expect(try sides[1 - index].ratchet.decrypt(bytes) == [1, 2, 3])
        }
        #expect(sides[1].read.count > 20)
    }

    /// Puts a packet somewhere into the inbox, perhaps twice, perhaps not at all.
    private func deliver(_ packet: Packet, to side: inout Side, using random: inout SeededGenerator) throws {
        let copies = [0, 1, 1, 1, 1, 2][Int.random(in: 0..<6, using: &random)]
        for _ in 0..<copies {
            let distance = Int.random(in: 0...min(6, side.inbox.count), using: &random)
            side.inbox.insert(packet, at: side.inbox.count - distance)
        }
    }

    private func readOne(of side: inout Side, using random: inout SeededGenerator) throws {
        guard !side.inbox.isEmpty else { return }
        let packet = side.inbox.removeFirst()
        let before = side.ratchet
        if side.read.contains(packet.text) {
            #expect(throws: RatchetError.self) { try side.ratchet.decrypt(packet.bytes) }
            #expect(side.ratchet == before, "a repeated message changes nothing")
        } else {
            #expect(try side.ratchet.decrypt(packet.bytes) == packet.text)
            side.read.insert(packet.text)
        }
    }

    @Test func `a repeated attempt to send gives the same bytes`() throws {
        var sides = try connect(versions: (2, 2), maximum: 2)
        let key = try sides[0].ratchet.takeSendingKey()
        let first = try key.encrypt([7], paddedTo: 100)
        let stored = try SendingKey(decoding: key.encoded)
        #expect(try stored.encrypt([7], paddedTo: 100) == first)
        #expect(try sides[1].ratchet.decrypt(first) == [7])
    }

    @Test func `sizes are the documented ones`() throws {
        for (version, header) in [(2, 123), (3, 124)] as [(UInt16, Int)] {
            var sides = try connect(versions: (version, version), maximum: version)
            let key = try sides[0].ratchet.takeSendingKey()
            #expect(key.encryptedHeader.count == header)
            let message = try key.encrypt([], paddedTo: PaddedCounts.agentMessage)
            #expect(message.count == PaddedCounts.agentMessage + 16 + header + (version == 2 ? 1 : 2))
        }
    }

    @Test func `version rises when both know more`() throws {
        let initiator = RatchetKeyPairs()
        let joiner = RatchetKeyPairs()
        var a = try Ratchet(initiator: initiator, peer: joiner.parameters(version: 2), maximumVersion: 3)
        var b = try Ratchet(joiner: joiner, peer: initiator.parameters(version: 2), maximumVersion: 3)
        #expect(try a.decrypt(b.encrypt([1], paddedTo: 10)) == [1])
        #expect(a.version == 3)
        #expect(b.version == 2)
        #expect(try b.decrypt(a.encrypt([2], paddedTo: 10)) == [2])
        #expect(b.version == 3)
    }

    @Test func `version stays when one side knows no more`() throws {
        let initiator = RatchetKeyPairs()
        let joiner = RatchetKeyPairs()
        var a = try Ratchet(initiator: initiator, peer: joiner.parameters(version: 2))
        var b = try Ratchet(joiner: joiner, peer: initiator.parameters(version: 2), maximumVersion: 3)
        #expect(try a.decrypt(b.encrypt([1], paddedTo: 10)) == [1])
        #expect(try b.decrypt(a.encrypt([2], paddedTo: 10)) == [2])
        #expect(a.version == 2)
        #expect(b.version == 2)
    }
}
