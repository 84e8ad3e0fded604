import SMP

extension ByteReader {
    /// The optional end of a queue address: `M`, `C`, `T` (messaging) or `F` (unknown); anything else is not part of the
    /// address and stays (Agent fact sheet §2.2).
    mutating func queueModeTail() throws -> QueueMode? {
        switch next {
        case UInt8(ascii: "M"), UInt8(ascii: "T"):
            _ = try byte()
            return .messaging
        case UInt8(ascii: "C"):
            _ = try byte()
            return .contact
        case UInt8(ascii: "F"):
            _ = try byte()
            return nil
        default: return nil
        }
    }
}
