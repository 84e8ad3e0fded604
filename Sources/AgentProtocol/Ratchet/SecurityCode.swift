import Cryptography

/// What two people compare to know that nobody sits between them: SHA-256 of both first keys (Agent fact sheet §8).
public struct SecurityCode: Hashable, Sendable {
    /// 32 bytes.
    public let bytes: [UInt8]

    /// - Parameter associatedData: of the ratchet, 112 bytes.
    init(associatedData: [UInt8]) {
        bytes = Digest.sha256(associatedData)
    }

    /// The bytes as one decimal number, in groups of five digits (the form the existing apps show).
    public var text: String {
        let digits = Self.decimalDigits(of: bytes)
        return stride(from: 0, to: digits.count, by: 5).map { start in
            String(decoding: digits[start..<min(start + 5, digits.count)], as: UTF8.self)
        }.joined(separator: " ")
    }

    /// ASCII digits of a big-endian number, by repeated division by ten.
    private static func decimalDigits(of number: [UInt8]) -> [UInt8] {
        var rest = number
        var digits: [UInt8] = []
        repeat {
            var remainder = 0
            for index in rest.indices {
                let value = remainder << 8 | Int(rest[index])
                rest[index] = UInt8(value / 10)
                remainder = value % 10
            }
            digits.append(UInt8(ascii: "0") + UInt8(remainder))
        } while rest.contains { $0 != 0 }
        return digits.reversed()
    }
}
