/// A name under which a browser hides an address: a UUID and `.local` (draft-ietf-mmusic-mdns-ice-candidates §3.1.1).
///
/// No other name of a candidate is ever looked up, and these only by multicast on the own link, never through DNS.
package struct LocalName: Hashable, Sendable {
    /// In small letters.
    package let text: String

    /// Nil for any other name.
    package init?(parsing text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 + 6, text.lowercased().hasSuffix(".local") else { return nil }
        for (index, byte) in bytes.prefix(36).enumerated() {
            switch (index, byte) {
            case (8, UInt8(ascii: "-")), (13, UInt8(ascii: "-")), (18, UInt8(ascii: "-")), (23, UInt8(ascii: "-")):
                break
            case (8, _), (13, _), (18, _), (23, _): return nil
            case (_, UInt8(ascii: "0")...UInt8(ascii: "9")), (_, UInt8(ascii: "a")...UInt8(ascii: "f")),
                (_, UInt8(ascii: "A")...UInt8(ascii: "F")):
                break
            default: return nil
            }
        }
        self.text = text.lowercased()
    }
}
