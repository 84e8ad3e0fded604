/// A value as D-Bus carries it (D-Bus specification, "Type System"), as far as portals need it.
public indirect enum BusValue: Sendable, Hashable {
    case bool(Bool)
    case byte(UInt8)
    /// Written as it is; what is read of this width is a ``uint32(_:)``.
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(String)
    /// An index into the descriptors that come with the message.
    case handle(Int32)
    /// `ay`.
    case bytes([UInt8])
    /// An array whose members have the type of the signature, such as `(ua{sv})`.
    case array([BusValue], of: String)
    case tuple([BusValue])
    /// `a{sv}`; the values are written as variants, and read with their variants taken off.
    case dictionary([String: BusValue])
    case variant(BusValue)
    /// An entry of a dictionary that is not `a{sv}`: such a one is an array of entries, of type `{sa{sv}}` for example.
    case entry(BusValue, BusValue)
}

// What the value is, or nil when it is something else. Variants are looked into.
extension BusValue {
    /// A boolean.
    public var bool: Bool? { if case .bool(let value) = bare { value } else { nil } }

    /// A text or an object path.
    public var string: String? {
        switch bare {
        case .string(let text), .objectPath(let text): text
        default: nil
        }
    }

    /// A whole number of any width.
    public var integer: Int? {
        switch bare {
        case .byte(let value): Int(value)
        case .uint16(let value): Int(value)
        case .int32(let value), .handle(let value): Int(value)
        case .uint32(let value): Int(value)
        case .int64(let value): Int(value)
        case .uint64(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The members of an array or a tuple.
    public var members: [BusValue]? {
        switch bare {
        case .array(let members, _), .tuple(let members): members
        default: nil
        }
    }

    /// The entries of `a{sv}`.
    public var entries: [String: BusValue]? { if case .dictionary(let entries) = bare { entries } else { nil } }

    private var bare: BusValue { if case .variant(let inner) = self { inner.bare } else { self } }
}
