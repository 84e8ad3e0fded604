import CGLib

/// Reads any whole number, enumeration or flags content.
private func wholeNumber<Number: FixedWidthInteger>(_ value: UnsafePointer<GValue>) -> Number? {
    switch kind(of: value) {
    case .char: Number(exactly: g_value_get_schar(value))
    case .uchar: Number(exactly: g_value_get_uchar(value))
    case .int: Number(exactly: g_value_get_int(value))
    case .uint: Number(exactly: g_value_get_uint(value))
    case .long: Number(exactly: g_value_get_long(value))
    case .ulong: Number(exactly: g_value_get_ulong(value))
    case .int64: Number(exactly: g_value_get_int64(value))
    case .uint64: Number(exactly: g_value_get_uint64(value))
    case .enumeration: Number(exactly: g_value_get_enum(value))
    case .flags: Number(exactly: g_value_get_flags(value))
    default: nil
    }
}

/// Converts without a trap and hands the result to a C setter; false when the number does not fit.
private func put<Source: BinaryInteger, Target: FixedWidthInteger>(
    _ number: Source, _ value: UnsafeMutablePointer<GValue>,
    _ setter: (UnsafeMutablePointer<GValue>?, Target) -> Void
) -> Bool {
    guard let fitting = Target(exactly: number) else { return false }
    setter(value, fitting)
    return true
}

extension FixedWidthInteger {
    /// Reads any whole number, enumeration or flags content that fits.
    public init?(reading value: UnsafePointer<GValue>) {
        guard let number: Self = wholeNumber(value) else { return nil }
        self = number
    }

    /// Writes into any number, enumeration or flags value that can hold it.
    public func write(to value: UnsafeMutablePointer<GValue>) -> Bool {
        switch kind(of: value) {
        case .char: return put(self, value) { g_value_set_schar($0, $1) }
        case .uchar: return put(self, value) { g_value_set_uchar($0, $1) }
        case .int: return put(self, value) { g_value_set_int($0, $1) }
        case .uint: return put(self, value) { g_value_set_uint($0, $1) }
        case .long: return put(self, value) { g_value_set_long($0, $1) }
        case .ulong: return put(self, value) { g_value_set_ulong($0, $1) }
        case .int64: return put(self, value) { g_value_set_int64($0, $1) }
        case .uint64: return put(self, value) { g_value_set_uint64($0, $1) }
        case .enumeration: return put(self, value) { g_value_set_enum($0, $1) }
        case .flags: return put(self, value) { g_value_set_flags($0, $1) }
        case .float, .double: return Double(self).write(to: value)
        default: return false
        }
    }
}

extension Int: ValueConvertible {}
extension Int32: ValueConvertible {}
extension Int64: ValueConvertible {}
extension UInt: ValueConvertible {}
extension UInt32: ValueConvertible {}
extension UInt64: ValueConvertible {}

extension BinaryFloatingPoint {
    /// Reads a float or double content.
    public init?(reading value: UnsafePointer<GValue>) {
        switch kind(of: value) {
        case .float: self.init(g_value_get_float(value))
        case .double: self.init(g_value_get_double(value))
        default: return nil
        }
    }

    /// Writes into a float or double value.
    public func write(to value: UnsafeMutablePointer<GValue>) -> Bool {
        switch kind(of: value) {
        case .float: g_value_set_float(value, Float(self))
        case .double: g_value_set_double(value, Double(self))
        default: return false
        }
        return true
    }
}

extension Double: ValueConvertible {}
extension Float: ValueConvertible {}

extension Bool: ValueConvertible {
    /// Reads a boolean content.
    public init?(reading value: UnsafePointer<GValue>) {
        guard kind(of: value) == .boolean else { return nil }
        self = g_value_get_boolean(value) != 0
    }

    /// Writes into a boolean value.
    public func write(to value: UnsafeMutablePointer<GValue>) -> Bool {
        guard kind(of: value) == .boolean else { return false }
        g_value_set_boolean(value, self ? 1 : 0)
        return true
    }
}
