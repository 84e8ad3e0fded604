/// A message of multicast DNS (RFC 6762) as far as looking up addresses goes; the form is that of DNS (RFC 1035 §4).
package struct MulticastMessage: Equatable, Sendable {
    /// An address record.
    package struct Answer: Equatable, Sendable {
        /// The name in small letters, its labels joined by dots.
        package var name: String
        /// 4 or 16 bytes.
        package var address: [UInt8]
    }

    /// What is no message, or none of use.
    package enum Refusal: Error, Equatable, Sendable {
        case malformed
        /// A question, or an error.
        case notAnAnswer
        /// More records than anybody needs.
        case tooMany
    }

    /// Largest message (RFC 6762 §17).
    package static let maximumLength = 9_000
    static let maximumRecords = 256

    private static let version4: UInt16 = 1
    private static let version6: UInt16 = 28
    private static let internet: UInt16 = 1

    package var answers: [Answer] = []

    /// A question for both kinds of addresses of a name. The id is 0, as RFC 6762 §18.1 wants it.
    package static func question(_ name: LocalName) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0]
        let start = UInt8(bytes.count)
        for label in name.text.split(separator: ".") { bytes += [UInt8(label.utf8.count)] + Array(label.utf8) }
        bytes += [0, 0, UInt8(version4), 0, UInt8(internet)]
        bytes += [0xC0, start, 0, UInt8(version6), 0, UInt8(internet)]
        return bytes
    }

    /// Reads the address records of an answer.
    package init(decoding bytes: [UInt8]) throws(Refusal) {
        guard bytes.count <= Self.maximumLength else { throw .tooMany }
        var reader = DNSReader(bytes)
        _ = try reader.number()
        let flags = try reader.number()
        // QR set, opcode 0, no error (RFC 6762 §18.2, §18.3, §18.11).
        guard flags & 0xF80F == 0x8000 else { throw .notAnAnswer }
        let questions = Int(try reader.number())
        var records = 0
        for _ in 0..<3 { records += Int(try reader.number()) }
        guard questions + records <= Self.maximumRecords else { throw .tooMany }
        for _ in 0..<questions {
            _ = try reader.name()
            try reader.skip(4)
        }
        for _ in 0..<records {
            let name = try reader.name()
            let kind = try reader.number()
            // The highest bit says that older answers are void (RFC 6762 §10.2).
            let group = try reader.number() & 0x7FFF
            try reader.skip(4)
            let data = try reader.bytes(Int(try reader.number()))
            guard group == Self.internet else { continue }
            if data.count == 4 && kind == Self.version4 || data.count == 16 && kind == Self.version6 {
                answers.append(Answer(name: name, address: data))
            }
        }
    }
}

/// Reads fields of DNS in order, never beyond the end and never in circles.
private struct DNSReader {
    private let all: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { all = bytes }

    mutating func bytes(_ count: Int) throws(MulticastMessage.Refusal) -> [UInt8] {
        guard count <= all.count - position else { throw .malformed }
        defer { position += count }
        return Array(all[position..<position + count])
    }

    mutating func skip(_ count: Int) throws(MulticastMessage.Refusal) { _ = try bytes(count) }

    mutating func number() throws(MulticastMessage.Refusal) -> UInt16 {
        let two = try bytes(2)
        return UInt16(two[0]) << 8 | UInt16(two[1])
    }

    /// A name, compressed or not (RFC 1035 §4.1.4); a pointer leads only backwards.
    mutating func name() throws(MulticastMessage.Refusal) -> String {
        var labels: [String] = []
        var length = 0
        var place = position
        var floor = position
        var end: Int?
        while true {
            guard place < all.count else { throw .malformed }
            let byte = Int(all[place])
            switch byte & 0xC0 {
            case 0xC0:
                guard place + 1 < all.count else { throw .malformed }
                end = end ?? place + 2
                let target = (byte & 0x3F) << 8 | Int(all[place + 1])
                guard target < floor else { throw .malformed }
                (place, floor) = (target, target)
            case 0:
                guard byte > 0 else {
                    position = end ?? place + 1
                    return labels.joined(separator: ".")
                }
                length += byte + 1
                guard place + 1 + byte <= all.count, length <= 255 else { throw .malformed }
                labels.append(String(decoding: all[place + 1..<place + 1 + byte].map(Self.small), as: UTF8.self))
                place += 1 + byte
            default: throw .malformed
            }
        }
    }

    private static func small(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 0x20 : byte }
}
