import Cryptography
import RelayFixtures
import SMP
import Testing

@testable import RelayRules

/// Rows of a relay's database as they are understood, whatever they hold.
@Suite(.timeLimit(.minutes(5))) struct PersistedQueuesDecoderTests {
    private func id(_ byte: UInt8, count: Int = EntityID.count) -> ColumnValue {
        .bytes([UInt8](repeating: byte, count: count))
    }

    private func row(_ number: Int64, keys: Int = 1, recipient: ColumnValue? = nil) throws -> [ColumnValue] {
        let key = AuthenticationPrivateKey.ed25519(.init()).publicKey
        let list = try ByteWriter.build { writer in
            for _ in 0..<keys { try writer.bytes(key.derRepresentation) }
        }
        let byte = UInt8(number)
        return [
            .integer(number), recipient ?? id(byte), id(byte + 100), .bytes(list), id(7, count: 32), .integer(0x43),
            .null, .null, .null, .null, .integer(0), .null, .null,
        ]
    }

    @Test func `queues of older relays keep all their keys, but no more than there can be`() throws {
        var decoder = PersistedQueuesDecoder()
        try decoder.add(row(1, keys: 255), to: .queue)
        #expect(throws: RelayStorageError.damaged("queue 2")) { try decoder.add(row(2, keys: 256), to: .queue) }
        #expect(decoder.finish().queues.map(\.recipientKeys.count) == [255])
    }

    @Test func `what two queues can't share is damage`() throws {
        var decoder = PersistedQueuesDecoder()
        try decoder.add(row(1), to: .queue)
        #expect(throws: RelayStorageError.damaged("queue 2")) {
            try decoder.add(row(2, recipient: id(1)), to: .queue)
        }
        #expect(throws: RelayStorageError.damaged("queue 1")) {
            try decoder.add(row(1, recipient: id(9)), to: .queue)
        }
        try decoder.add(row(3), to: .queue)
        let link: [ColumnValue] = [id(50), .bytes([1]), .bytes([2])]
        try decoder.add([.integer(1)] + link, to: .link)
        #expect(throws: RelayStorageError.damaged("link 3")) { try decoder.add([.integer(3)] + link, to: .link) }
        #expect(decoder.finish().queues.map(\.number) == [1, 3])
    }

    @Test(arguments: [-1, Int64.max, 16_385]) func `a body has a length that can be`(count: Int64) throws {
        var decoder = PersistedQueuesDecoder()
        try decoder.add(row(1), to: .queue)
        func message(_ count: Int64) -> [ColumnValue] {
            [.integer(5), .integer(1), id(3), .integer(1), .integer(1), .integer(1), .integer(count)]
        }
        #expect(throws: RelayStorageError.damaged("message 5")) { try decoder.add(message(count), to: .message) }
        try decoder.add(message(16_048), to: .message)
        #expect(decoder.finish().queues.first?.messages.map(\.bodyCount) == [16_048])
    }

    @Test func `columns of another type are damage`() {
        var decoder = PersistedQueuesDecoder()
        for table in PersistedQueuesDecoder.Table.allCases {
            for value: ColumnValue in [.null, .real(1), .text("a"), .bytes([1])] {
                #expect(throws: RelayStorageError.self) {
                    try decoder.add(table.columns.map { _ in value }, to: table)
                }
            }
            #expect(throws: RelayStorageError.self) { try decoder.add([], to: table) }
        }
    }

    @Test func `each of many keys lets its owner in and is paid for`() throws {
        let fixture = CoreFixture()
        let session = fixture.session(1, version: 17)
        let queue = try session.makeQueue(link: .contact(nil))
        let others = (0..<19).map { _ in AuthenticationPrivateKey.ed25519(.init()) }
        func cost() throws -> Int {
            let transmission = try session.transmission(.subscribe, queue.recipientID, others[0])
            let lookup = fixture.core.withStore { $0.keys(for: .subscribe, entity: queue.recipientID) }
            return CommandVerifier.cost(transmission, lookup)
        }
        let single = try cost()
        fixture.core.withStore { $0.queues[queue.recipientID]?.recipientKeys += others.map(\.publicKey) }
        #expect(try cost() == 20 * single)
        let last = try #require(others.last)
        #expect(try session.ask(.subscribe, queue.recipientID, last) == .subscribed(serviceID: nil))
        // Who changes anything is held to the limit.
        let five = others.prefix(5).map(\.publicKey)
        #expect(try session.ask(.setRecipientKeys(five), queue.recipientID, last) == .authenticationError)
        #expect(try session.ask(.setRecipientKeys(Array(five.prefix(4))), queue.recipientID, last) == .ok)
        #expect(try cost() == 4 * single)
    }
}
