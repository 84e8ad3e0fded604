import CGLib

/// One GValue with an owner: initialised to a type, cleared when the last reference goes.
public final class Value {
    /// The GValue itself, valid as long as this object lives.
    public let storage: UnsafeMutablePointer<GValue>

    /// An empty value of a registered type.
    public init(type: GType) {
        storage = .allocate(capacity: 1)
        storage.initialize(to: GValue())
        g_value_init(storage, type)
    }

    /// A copy of a value that somebody else owns.
    public init(copying other: UnsafePointer<GValue>) {
        storage = .allocate(capacity: 1)
        storage.initialize(to: GValue())
        g_value_init(storage, other.pointee.g_type)
        g_value_copy(other, storage)
    }

    deinit {
        g_value_unset(storage)
        storage.deinitialize(count: 1)
        storage.deallocate()
    }

    /// The registered type of the content.
    public var type: GType { storage.pointee.g_type }

    /// The content as a Swift type, or nil when the kinds do not match.
    public func get<Content: ValueReadable>(as kind: Content.Type = Content.self) -> Content? {
        Content(reading: storage)
    }

    /// The content as an object, or nil when it holds none.
    public var object: Object? { Object(reading: storage) }

    /// Replaces the content; false when the kinds do not match.
    @discardableResult
    public func set(_ content: some ValueWritable) -> Bool {
        content.write(to: storage)
    }
}

/// A Swift type that can be read out of a GValue.
public protocol ValueReadable {
    /// Reads the value, or nil when the GValue holds something else.
    init?(reading value: UnsafePointer<GValue>)
}

/// A Swift type that can be written into an initialised GValue. The value's own type decides how, so that an `Int` fits an
/// `int`, `guint64`, enumeration or flags property alike.
public protocol ValueWritable: SendableMetatype {
    /// Writes the value; false when the GValue's type can't hold it.
    func write(to value: UnsafeMutablePointer<GValue>) -> Bool
}

/// Both directions.
public typealias ValueConvertible = ValueReadable & ValueWritable

/// The fundamental kind of an initialised GValue.
func kind(of value: UnsafePointer<GValue>) -> FundamentalType? {
    FundamentalType(of: value.pointee.g_type)
}
