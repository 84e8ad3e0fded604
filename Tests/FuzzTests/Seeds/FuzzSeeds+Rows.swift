import Cryptography
import SMP

@testable import RelayRules

extension FuzzSeeds {
    /// Rows as a relay writes them: a queue with everything, a blocked one, and one that more keys than today belong to.
    mutating func addRows() throws {
        let rows =
            [
                StoredRow(table: .age, values: [.integer(86_400)]),
                StoredRow(table: .blockedAddress, values: [.text("192.0.2.1")]),
                StoredRow(table: .blockedAddress, values: [.text("2001:db8::")]),
                try queue(1, keys: 1, status: 0), try queue(2, keys: 2, status: 2, isContact: true),
                try queue(300, keys: 6, status: 1, isContact: true),
                StoredRow(table: .link, values: [.integer(2), id(0x50), .bytes([1, 2]), .bytes([3])]),
            ] + [4, 5, 6].map { message(Int64($0), queue: 1) }
        add("relay-rows", rows.flatMap(\.encoded))
        for row in rows { add("relay-rows", row.encoded) }
        // A queue that is full.
        let marker = StoredRow(
            table: .message, values: [.integer(7), .integer(1), id(7), .integer(1), .integer(1), .null, .null])
        add("relay-rows", (try [queue(1, keys: 1, status: 0)] + [message(6, queue: 1), marker]).flatMap(\.encoded))
    }

    private func queue(_ number: Int64, keys: Int, status: Int64, isContact: Bool = false) throws -> StoredRow {
        let key = AuthenticationPublicKey.ed25519(
            try Ed25519.PrivateKey(rawRepresentation: SecretBytes([UInt8](repeating: 1, count: 32))).publicKey)
        let other = AuthenticationPublicKey.x25519(fixedKey(2).publicKey)
        let list = try ByteWriter.build { writer in
            for index in 0..<keys { try writer.bytes((index % 2 == 0 ? key : other).derRepresentation) }
        }
        let byte = UInt8(truncatingIfNeeded: number)
        let secret = ColumnValue.bytes([UInt8](repeating: byte, count: 32))
        return StoredRow(
            table: .queue,
            values: [
                .integer(number), id(byte), id(byte &+ 0x80), .bytes(list), secret,
                .integer(isContact ? 0x43 : 0x4D), isContact ? .null : .bytes(other.derRepresentation),
                isContact ? .null : id(byte &+ 0xA0), isContact ? .null : .bytes(key.derRepresentation),
                isContact ? .null : secret, .integer(status), status == 2 ? .text("spam") : .null, .null,
            ])
    }

    private func message(_ number: Int64, queue: Int64) -> StoredRow {
        StoredRow(
            table: .message,
            values: [
                .integer(number), .integer(queue), id(UInt8(truncatingIfNeeded: number)), .integer(1_700_000_000),
                .integer(60), .integer(number % 2), .integer(16_000),
            ])
    }

    private func id(_ byte: UInt8) -> ColumnValue { .bytes([UInt8](repeating: byte, count: EntityID.count)) }
}
