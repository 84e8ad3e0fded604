import CGLib

extension BusValue {
    /// The value as GLib keeps it, floating. Throws ``PortalError/notCarried`` for texts D-Bus can't carry.
    func makeVariant() throws(PortalError) -> OpaquePointer {
        let made: OpaquePointer? =
            switch self {
            case .bool(let value): g_variant_new_boolean(value ? 1 : 0)
            case .byte(let value): g_variant_new_byte(value)
            case .uint16(let value): g_variant_new_uint16(value)
            case .int32(let value): g_variant_new_int32(value)
            case .uint32(let value): g_variant_new_uint32(value)
            case .int64(let value): g_variant_new_int64(gint64(value))
            case .uint64(let value): g_variant_new_uint64(guint64(value))
            case .double(let value): g_variant_new_double(value)
            case .string(let text): g_variant_new_string(text)
            case .objectPath(let path): g_variant_is_object_path(path) != 0 ? g_variant_new_object_path(path) : nil
            case .handle(let index): g_variant_new_handle(index)
            case .bytes(let bytes): Self.variant(of: bytes)
            case .array(let members, let type): try Self.variant(of: members, type: type)
            case .tuple(let members): Self.tuple(try Self.variants(members))
            case .dictionary(let entries): try Self.variant(of: entries)
            case .variant(let inner): g_variant_new_variant(try inner.makeVariant())
            case .entry(let key, let value): try Self.entry(key, value)
            }
        guard let made else { throw .notCarried }
        return made
    }

    /// Reads a value; nil for kinds this type does not name (signatures, maybes).
    init?(_ variant: OpaquePointer) {
        switch String(cString: g_variant_get_type_string(variant)) {
        case "b": self = .bool(g_variant_get_boolean(variant) != 0)
        case "y": self = .byte(g_variant_get_byte(variant))
        case "i": self = .int32(g_variant_get_int32(variant))
        case "u": self = .uint32(g_variant_get_uint32(variant))
        case "x": self = .int64(Int64(g_variant_get_int64(variant)))
        case "t": self = .uint64(UInt64(g_variant_get_uint64(variant)))
        case "n": self = .int32(Int32(g_variant_get_int16(variant)))
        case "q": self = .uint32(UInt32(g_variant_get_uint16(variant)))
        case "d": self = .double(g_variant_get_double(variant))
        case "h": self = .handle(g_variant_get_handle(variant))
        case "s": self = .string(String(cString: g_variant_get_string(variant, nil)))
        case "o": self = .objectPath(String(cString: g_variant_get_string(variant, nil)))
        case "ay": self = .bytes(Self.bytes(of: variant))
        case "a{sv}": self = .dictionary(Self.entries(of: variant))
        case "v":
            guard let inner = g_variant_get_variant(variant) else { return nil }
            defer { g_variant_unref(inner) }
            guard let value = BusValue(inner) else { return nil }
            self = .variant(value)
        case let type where type.hasPrefix("(") && !type.hasPrefix("()"):
            guard let members = Self.members(of: variant) else { return nil }
            self = .tuple(members)
        case "()": self = .tuple([])
        case let type where type.hasPrefix("{"):
            guard let members = Self.members(of: variant), members.count == 2 else { return nil }
            self = .entry(members[0], members[1])
        case let type where type.hasPrefix("a"):
            guard let members = Self.members(of: variant) else { return nil }
            self = .array(members, of: String(type.dropFirst()))
        default: return nil
        }
    }

    // MARK: Writing

    private static func variants(_ values: [BusValue]) throws(PortalError) -> [OpaquePointer?] {
        var made: [OpaquePointer?] = []
        for value in values {
            do {
                made.append(try value.makeVariant())
            } catch {
                for variant in made { release(floating: variant) }
                throw error
            }
        }
        return made
    }

    private static func release(floating variant: OpaquePointer?) {
        if let variant { g_variant_unref(g_variant_ref_sink(variant)) }
    }

    private static func tuple(_ members: [OpaquePointer?]) -> OpaquePointer? {
        members.withUnsafeBufferPointer { g_variant_new_tuple($0.baseAddress, gsize($0.count)) }
    }

    private static func entry(_ key: BusValue, _ value: BusValue) throws(PortalError) -> OpaquePointer? {
        let made = try variants([key, value])
        guard let key = made[0], g_variant_type_is_basic(g_variant_get_type(key)) != 0 else {
            for variant in made { release(floating: variant) }
            return nil
        }
        return g_variant_new_dict_entry(key, made[1])
    }

    private static func variant(of bytes: [UInt8]) -> OpaquePointer? {
        withType("y") { type in
            bytes.withUnsafeBytes {
                g_variant_new_fixed_array(type, $0.baseAddress, gsize($0.count), 1)
            }
        }
    }

    private static func variant(of members: [BusValue], type: String) throws(PortalError) -> OpaquePointer? {
        guard g_variant_type_string_is_valid(type) != 0 else { return nil }
        let made = try variants(members)
        // GLib only warns of members of another type.
        let fit = made.allSatisfy { $0.map { String(cString: g_variant_get_type_string($0)) } == type }
        guard fit else {
            for variant in made { release(floating: variant) }
            return nil
        }
        return withType(type) { type in
            made.withUnsafeBufferPointer { g_variant_new_array(type, $0.baseAddress, gsize($0.count)) }
        }
    }

    private static func variant(of entries: [String: BusValue]) throws(PortalError) -> OpaquePointer? {
        let sorted = entries.sorted { $0.key < $1.key }
        let values = try variants(sorted.map(\.value))
        let made = zip(sorted, values).map { entry, value -> OpaquePointer? in
            g_variant_new_dict_entry(g_variant_new_string(entry.key), g_variant_new_variant(value))
        }
        return withType("{sv}") { type in
            made.withUnsafeBufferPointer { g_variant_new_array(type, $0.baseAddress, gsize($0.count)) }
        }
    }

    private static func withType<Result>(_ text: String, _ body: (OpaquePointer?) -> Result) -> Result {
        text.withCString { body(OpaquePointer($0)) }
    }

    // MARK: Reading

    private static func bytes(of variant: OpaquePointer) -> [UInt8] {
        var count: gsize = 0
        guard let start = g_variant_get_fixed_array(variant, &count, 1) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(count)))
    }

    private static func members(of variant: OpaquePointer) -> [BusValue]? {
        var members: [BusValue] = []
        for index in 0..<g_variant_n_children(variant) {
            guard let child = g_variant_get_child_value(variant, index) else { return nil }
            defer { g_variant_unref(child) }
            guard let value = BusValue(child) else { return nil }
            members.append(value)
        }
        return members
    }

    /// Entries of kinds that can't be read are left out.
    private static func entries(of variant: OpaquePointer) -> [String: BusValue] {
        var entries: [String: BusValue] = [:]
        for index in 0..<g_variant_n_children(variant) {
            guard let entry = g_variant_get_child_value(variant, index) else { continue }
            defer { g_variant_unref(entry) }
            guard let key = g_variant_get_child_value(entry, 0) else { continue }
            defer { g_variant_unref(key) }
            guard let boxed = g_variant_get_child_value(entry, 1) else { continue }
            defer { g_variant_unref(boxed) }
            guard let value = g_variant_get_variant(boxed) else { continue }
            defer { g_variant_unref(value) }
            entries[String(cString: g_variant_get_string(key, nil))] = BusValue(value)
        }
        return entries
    }
}
