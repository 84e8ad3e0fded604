/// What a service says of itself beside its name and place (RFC 6763 §6): pairs of a short name and a text.
///
/// Others can say anything: at most ``maximumPairs`` are read, what is no text or has no name is left out, and of several of one name
/// the first counts (§6.4).
package struct ServiceText: Equatable, Sendable {
    /// Pairs that are read.
    static let maximumPairs = 16
    /// Bytes of a pair, the `=` included (RFC 6763 §6.1).
    static let maximumPair = 255

    package private(set) var pairs: [String: String]

    package init(_ pairs: [String: String] = [:]) { self.pairs = pairs }

    /// Reads the strings of a TXT record.
    package init(decoding strings: [[UInt8]]) {
        pairs = [:]
        for string in strings.prefix(Self.maximumPairs) where string.count <= Self.maximumPair {
            guard let equals = string.firstIndex(of: UInt8(ascii: "=")), equals > 0,
                string[..<equals].allSatisfy({ (0x20...0x7E).contains($0) }),
                let value = String(validating: string[(equals + 1)...], as: UTF8.self)
            else { continue }
            // Names differ by more than their case.
            let name = String(decoding: string[..<equals], as: UTF8.self).lowercased()
            if pairs[name] == nil { pairs[name] = value }
        }
    }

    /// The strings of a TXT record, by name; what is too long is left out.
    package func encoded() -> [[UInt8]] {
        pairs.sorted { $0.key < $1.key }.map { Array("\($0.key)=\($0.value)".utf8) }
            .filter { $0.count <= Self.maximumPair }
    }

    package subscript(name: String) -> String? { pairs[name] }
}
