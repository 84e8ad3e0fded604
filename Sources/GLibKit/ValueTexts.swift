import CGLib

extension String: ValueConvertible {
    /// Reads a string content; nil also when the string is a null pointer.
    public init?(reading value: UnsafePointer<GValue>) {
        guard kind(of: value) == .string, let text = g_value_get_string(value) else { return nil }
        self.init(cString: text)
    }

    /// Writes into a string value, or by its nickname into an enumeration value.
    public func write(to value: UnsafeMutablePointer<GValue>) -> Bool {
        switch kind(of: value) {
        case .string:
            g_value_set_string(value, self)
            return true
        case .enumeration:
            return writeNickname(to: value)
        default:
            return false
        }
    }

    private func writeNickname(to value: UnsafeMutablePointer<GValue>) -> Bool {
        guard let enumeration = g_type_class_ref(value.pointee.g_type) else { return false }
        defer { g_type_class_unref(enumeration) }
        let members = enumeration.assumingMemoryBound(to: GEnumClass.self)
        guard let member = g_enum_get_value_by_nick(members, self) else { return false }
        g_value_set_enum(value, member.pointee.value)
        return true
    }
}

extension [String]: ValueReadable, ValueWritable {
    /// Reads a null-terminated array of strings (`GStrv`).
    public init?(reading value: UnsafePointer<GValue>) {
        guard value.pointee.g_type == g_strv_get_type() else { return nil }
        self = []
        guard let boxed = g_value_get_boxed(value) else { return }
        var next = boxed.assumingMemoryBound(to: UnsafePointer<CChar>?.self)
        while let text = next.pointee {
            append(String(cString: text))
            next += 1
        }
    }

    /// Writes into a `GStrv` value.
    public func write(to value: UnsafeMutablePointer<GValue>) -> Bool {
        guard value.pointee.g_type == g_strv_get_type() else { return false }
        let array = newStringArray(self)
        g_value_take_boxed(value, array)
        return true
    }
}

/// A null-terminated copy of the strings on GLib's heap; free it with `g_strfreev`.
private func newStringArray(_ strings: [String]) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
    let size = (strings.count + 1) * MemoryLayout<UnsafeMutablePointer<CChar>?>.stride
    let array = g_malloc0(gsize(size)).assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self)
    for (index, text) in strings.enumerated() { array[index] = g_strdup(text) }
    return array
}
