/// Messages of multicast DNS as a responder writes them.
public enum DNSText {
    /// The beginning of one with so many answers.
    public static func header(answers: UInt16) -> [UInt8] {
        [0, 0, 0x84, 0, 0, 0, UInt8(answers >> 8), UInt8(answers & 255), 0, 0, 0, 0]
    }

    /// A name without compression.
    public static func name(_ text: String) -> [UInt8] {
        text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
    }

    /// A whole message: the address, of 4 or 16 bytes, of a name.
    public static func answer(_ name: String, _ address: [UInt8]) -> [UInt8] {
        header(answers: 1) + self.name(name) + [
            0, address.count == 4 ? 1 : 28, 0x80, 1, 0, 0, 0, 120, 0, UInt8(address.count),
        ]
            + address
    }
}
