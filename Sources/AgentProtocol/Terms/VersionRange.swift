import SMP

/// The versions somebody supports, both ends included.
public struct VersionRange: Hashable, Sendable {
    /// The lowest version.
    public let minimum: UInt16
    /// The highest version.
    public let maximum: UInt16

    /// A range; when `maximum` is below `minimum` it is taken as `minimum`.
    public init(minimum: UInt16, maximum: UInt16) {
        self.minimum = minimum
        self.maximum = max(minimum, maximum)
    }

    /// What both know, or nil when there is nothing.
    public func intersection(_ other: VersionRange) -> VersionRange? {
        let low = max(minimum, other.minimum)
        let high = min(maximum, other.maximum)
        return low <= high ? VersionRange(minimum: low, maximum: high) : nil
    }

    /// Whether `version` is in the range.
    public func contains(_ version: UInt16) -> Bool { (minimum...maximum).contains(version) }

    /// `N` or `N-M`.
    var text: String { minimum == maximum ? "\(minimum)" : "\(minimum)-\(maximum)" }

    init(parsing text: some StringProtocol) throws(AgentDecodingError) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = parts.first, let last = parts.last,
            let minimum = Self.number(first), let maximum = Self.number(last), minimum <= maximum
        else { throw .malformed }
        self.init(minimum: minimum, maximum: maximum)
    }

    private static func number(_ digits: some StringProtocol) -> UInt16? {
        digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? UInt16(digits) : nil
    }

    init(from reader: inout ByteReader) throws {
        let minimum = try reader.word16()
        let maximum = try reader.word16()
        guard minimum <= maximum else { throw AgentDecodingError.malformed }
        self.init(minimum: minimum, maximum: maximum)
    }

    func encode(to writer: inout ByteWriter) throws {
        writer.word16(minimum)
        writer.word16(maximum)
    }
}
