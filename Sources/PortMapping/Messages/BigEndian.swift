// Numbers as they stand in the messages: most significant byte first. The indexes have to be in bounds.

func bigEndian(_ value: UInt16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
}

func bigEndian(_ value: UInt32) -> [UInt8] {
    bigEndian(UInt16(truncatingIfNeeded: value >> 16)) + bigEndian(UInt16(truncatingIfNeeded: value))
}

extension [UInt8] {
    func number16(at index: Int) -> UInt16 { UInt16(self[index]) << 8 | UInt16(self[index + 1]) }

    func number32(at index: Int) -> UInt32 { UInt32(number16(at: index)) << 16 | UInt32(number16(at: index + 2)) }
}
