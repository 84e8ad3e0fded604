import CGLib

/// A counted reference to a GObject. Subclasses add the verbs of one kind of object and say where they may be used: widgets
/// are `@MainActor`, GStreamer elements `@unchecked Sendable`.
open class Object {
    /// The object itself, valid as long as this reference lives.
    public let raw: UnsafeMutablePointer<GObject>

    /// Adds a reference to an object that somebody else also holds; a floating reference is sunk.
    public init(retaining object: UnsafeMutableRawPointer) {
        raw = g_object_ref_sink(object).assumingMemoryBound(to: GObject.self)
    }

    /// Takes over a reference that the caller owns (`transfer full`). A floating reference is sunk.
    public init(adopting object: UnsafeMutableRawPointer) {
        raw = object.assumingMemoryBound(to: GObject.self)
        if g_object_is_floating(object) != 0 { g_object_ref_sink(object) }
    }

    /// Makes a new object of a registered type with its default properties.
    public init(type: GType) {
        let object = UnsafeMutableRawPointer(g_object_new_with_properties(type, 0, nil, nil)!)
        raw = object.assumingMemoryBound(to: GObject.self)
        if g_object_is_floating(object) != 0 { g_object_ref_sink(object) }
    }

    deinit { g_object_unref(raw) }

    /// Adds a reference; nil in, nil out. For C functions that lend an opaque pointer or nothing.
    public convenience init?(retaining object: OpaquePointer?) {
        guard let object else { return nil }
        self.init(retaining: UnsafeMutableRawPointer(object))
    }

    /// Takes over a reference; nil in, nil out. For C functions that give an opaque pointer or nothing.
    public convenience init?(adopting object: OpaquePointer?) {
        guard let object else { return nil }
        self.init(adopting: UnsafeMutableRawPointer(object))
    }

    /// The object as the structure a C function asks for; the call decides the type.
    public func pointer<Structure>() -> UnsafeMutablePointer<Structure> {
        UnsafeMutableRawPointer(raw).assumingMemoryBound(to: Structure.self)
    }

    /// The object as an opaque pointer, for types whose structure is hidden.
    public func pointer() -> OpaquePointer { OpaquePointer(raw) }

    /// The object as a `gpointer`.
    public func pointer() -> UnsafeMutableRawPointer { UnsafeMutableRawPointer(raw) }

    /// The registered type of the object.
    public var type: GType { raw.pointee.g_type_instance.g_class.pointee.g_type }

    /// The name of the registered type.
    public var typeName: String { String(cString: g_type_name(type)) }

    /// Whether the object is of a type, derives from it or implements it.
    public func isA(_ other: GType) -> Bool { g_type_is_a(type, other) != 0 }
}

extension Object: ValueWritable {
    /// Reads an object content; nil when the value holds no object.
    public convenience init?(reading value: UnsafePointer<GValue>) {
        let kind = kind(of: value)
        guard kind == .object || kind == .interface, let object = g_value_get_object(value) else { return nil }
        self.init(retaining: object)
    }

    /// Writes into an object value whose type this object has.
    public func write(to value: UnsafeMutablePointer<GValue>) -> Bool {
        guard isA(value.pointee.g_type) else { return false }
        g_value_set_object(value, raw)
        return true
    }
}

extension Object: Hashable {
    /// Two references are equal when they name the same object.
    public static func == (left: Object, right: Object) -> Bool { left.raw == right.raw }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(raw) }
}
