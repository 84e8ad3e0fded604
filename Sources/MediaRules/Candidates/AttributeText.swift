// What the attributes of a session description are written with.

extension FixedWidthInteger {
    /// A number of decimal digits alone: no sign, as Swift's own reading would take.
    init?(digits text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(text, radix: 10)
    }
}

extension UInt8 {
    /// RFC 8839 §5.1, `ice-char`.
    var isICECharacter: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}
