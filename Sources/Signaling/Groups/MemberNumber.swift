/// The number of a member within one group call: 1 to 255, never given to two people.
public struct MemberNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number.
    public let value: UInt8

    /// The member who began the call.
    public static let first = MemberNumber(validated: 1)

    /// Takes 1 to 255; nil for any other number.
    public init?(_ value: Int) {
        guard let byte = UInt8(exactly: value), byte > 0 else { return nil }
        self.init(validated: byte)
    }

    private init(validated value: UInt8) { self.value = value }

    /// The next higher number; nil after the last one.
    public var next: MemberNumber? { MemberNumber(Int(value) + 1) }

    public var description: String { String(value) }

    public static func < (left: MemberNumber, right: MemberNumber) -> Bool { left.value < right.value }
}

extension MemberNumber {
    var json: JSONValue { .integer(Int(value)) }
}

extension JSONObject {
    func member(_ name: String) throws(SignalingError) -> MemberNumber {
        guard let number = try value(name).integer.flatMap({ MemberNumber($0) }) else { throw .invalidField(name) }
        return number
    }

    func optionalMember(_ name: String) throws(SignalingError) -> MemberNumber? {
        guard let value = self[name], value != .null else { return nil }
        guard let number = value.integer.flatMap({ MemberNumber($0) }) else { throw .invalidField(name) }
        return number
    }
}
