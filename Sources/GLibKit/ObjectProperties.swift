import CGLib

extension Object {
    /// A property, read and written as a Swift type. Reading gives nil when there is no such property or it holds another
    /// kind; writing something impossible leaves the object as it was and logs a warning.
    public subscript<Content: ValueConvertible>(property name: String) -> Content? {
        get { value(of: name)?.get() }
        set {
            if let newValue { set(name, newValue) } else { reset(name) }
        }
    }

    /// A property that holds an object.
    public subscript(property name: String) -> Object? {
        get { value(of: name)?.object }
        set {
            if let newValue { set(name, newValue) } else { reset(name) }
        }
    }

    /// The whole value of a property, or nil when there is no readable property of that name.
    public func value(of name: String) -> Value? {
        guard let specification = specification(of: name), specification.flags.contains(G_PARAM_READABLE) else {
            return nil
        }
        let value = Value(type: specification.type)
        g_object_get_property(raw, name, value.storage)
        return value
    }

    /// Sets a property; false (and a logged warning) when it does not exist or can't hold the content.
    @discardableResult
    public func set(_ name: String, _ content: some ValueWritable) -> Bool {
        guard let specification = specification(of: name), specification.flags.contains(G_PARAM_WRITABLE) else {
            Log.warning("\(typeName) has no writable property \(name)")
            return false
        }
        let value = Value(type: specification.type)
        guard content.write(to: value.storage) else {
            Log.warning("Property \(name) of \(typeName) can't hold \(Content(content))")
            return false
        }
        g_object_set_property(raw, name, value.storage)
        return true
    }

    /// Sets a property that holds a whole number of 32 bits to the nearest that it takes. An object without it stays as it is.
    public func setNearest(_ name: String, _ number: Int) {
        guard let bounds = bounds(of: name) else { return }
        set(name, min(max(number, bounds.lowerBound), bounds.upperBound))
    }

    /// What a property that holds a whole number of 32 bits takes; nil when there is no such property.
    private func bounds(of name: String) -> ClosedRange<Int>? {
        guard let found = description(of: name) else { return nil }
        let place = UnsafeMutableRawPointer(found)
        switch FundamentalType(of: found.pointee.value_type) {
        case .int:
            let numbers = place.assumingMemoryBound(to: GParamSpecInt.self).pointee
            return Int(numbers.minimum)...Int(numbers.maximum)
        case .uint:
            let numbers = place.assumingMemoryBound(to: GParamSpecUInt.self).pointee
            return Int(numbers.minimum)...Int(numbers.maximum)
        default: return nil
        }
    }

    /// Sets a property to the null or zero value of its type.
    public func reset(_ name: String) {
        guard let specification = specification(of: name) else { return }
        g_object_set_property(raw, name, Value(type: specification.type).storage)
    }

    /// Names the Swift type of a value in a log line, without its content (which may be private).
    private struct Content: CustomStringConvertible {
        let description: String

        init(_ value: some ValueWritable) { description = "a value of type \(Swift.type(of: value))" }
    }

    private struct Specification {
        let type: GType
        let flags: GParamFlags
    }

    private func specification(of name: String) -> Specification? {
        description(of: name).map { Specification(type: $0.pointee.value_type, flags: $0.pointee.flags) }
    }

    private func description(of name: String) -> UnsafeMutablePointer<GParamSpec>? {
        let objectClass = UnsafeMutableRawPointer(raw.pointee.g_type_instance.g_class)?
            .assumingMemoryBound(to: GObjectClass.self)
        return g_object_class_find_property(objectClass, name)
    }
}

extension GParamFlags {
    fileprivate func contains(_ flag: GParamFlags) -> Bool { rawValue & flag.rawValue != 0 }
}
