import CGLib

/// A boxed structure (`GstCaps`, `GBytes`, `GdkRGBA` …) with an owner.
public final class Boxed: ValueWritable {
    /// The registered boxed type.
    public let type: GType
    /// The structure itself, valid as long as this object lives.
    public let raw: UnsafeMutableRawPointer

    /// Keeps a copy (for counted structures: a further reference) of the structure.
    public init?(type: GType, copying structure: UnsafeRawPointer) {
        guard let copy = g_boxed_copy(type, structure) else { return nil }
        self.type = type
        raw = copy
    }

    /// Takes over a structure the caller owns.
    public init(type: GType, adopting structure: UnsafeMutableRawPointer) {
        self.type = type
        raw = structure
    }

    deinit { g_boxed_free(type, raw) }

    /// The structure as a typed pointer.
    public func pointer<Structure>() -> UnsafeMutablePointer<Structure> { raw.assumingMemoryBound(to: Structure.self) }

    /// The structure as an opaque pointer.
    public func pointer() -> OpaquePointer { OpaquePointer(raw) }

    /// Writes into a value of the same boxed type.
    public func write(to value: UnsafeMutablePointer<GValue>) -> Bool {
        guard g_type_is_a(type, value.pointee.g_type) != 0 else { return false }
        g_value_set_boxed(value, raw)
        return true
    }
}

extension Boxed: ValueReadable {
    /// Reads a boxed content (a copy of it).
    public convenience init?(reading value: UnsafePointer<GValue>) {
        guard kind(of: value) == .boxed, let structure = g_value_get_boxed(value) else { return nil }
        self.init(type: value.pointee.g_type, copying: structure)
    }
}

extension UnsafeMutableRawPointer: ValueReadable, ValueWritable {
    /// Reads an object, boxed or plain pointer content. Nothing is retained: the pointer lives as long as the value does.
    public init?(reading value: UnsafePointer<GValue>) {
        let content: UnsafeMutableRawPointer? =
            switch kind(of: value) {
            case .pointer: g_value_get_pointer(value)
            case .boxed: g_value_get_boxed(value)
            case .object, .interface: g_value_get_object(value)
            default: nil
            }
        guard let content else { return nil }
        self = content
    }

    /// Writes into an object, boxed or plain pointer value; objects and boxed structures are retained by the value.
    public func write(to value: UnsafeMutablePointer<GValue>) -> Bool {
        switch kind(of: value) {
        case .pointer: g_value_set_pointer(value, self)
        case .boxed: g_value_set_boxed(value, self)
        case .object, .interface: g_value_set_object(value, self)
        default: return false
        }
        return true
    }
}

extension OpaquePointer: ValueReadable, ValueWritable {
    /// Like `UnsafeMutableRawPointer`.
    public init?(reading value: UnsafePointer<GValue>) {
        guard let raw = UnsafeMutableRawPointer(reading: value) else { return nil }
        self.init(raw)
    }

    /// Like `UnsafeMutableRawPointer`.
    public func write(to value: UnsafeMutablePointer<GValue>) -> Bool {
        UnsafeMutableRawPointer(self).write(to: value)
    }
}
