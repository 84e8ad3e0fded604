import CGLib

/// A bundle of files made by `glib-compile-resources`, registered under its path prefix for the whole process.
public enum Resources {
    /// Registers a bundle that is embedded in the program as base64 text. Registering one twice does no harm.
    public static func register(base64: StaticString) throws(GLibError) {
        var length: gsize = 0
        // It ends with a zero, as C has it (`StaticString.utf8Start`).
        let decoded = base64.withUTF8Buffer { text in
            text.withMemoryRebound(to: CChar.self) { g_base64_decode($0.baseAddress, &length) }
        }
        try register(adopting: g_bytes_new_take(decoded, length))
    }

    /// Registers a bundle.
    public static func register(_ bytes: [UInt8]) throws(GLibError) {
        try register(adopting: g_bytes_new(bytes, gsize(bytes.count)))
    }

    private static func register(adopting bytes: OpaquePointer?) throws(GLibError) {
        defer { g_bytes_unref(bytes) }
        guard let bundle = try GLibError.check({ g_resource_new_from_data(bytes, $0) }) else { return }
        g_resources_register(bundle)
        g_resource_unref(bundle)
    }

    /// The content of a registered file.
    public static func contents(of path: String) throws(GLibError) -> [UInt8] {
        guard
            let bytes = try GLibError.check({
                g_resources_lookup_data(path, G_RESOURCE_LOOKUP_FLAGS_NONE, $0)
            })
        else { return [] }
        defer { g_bytes_unref(bytes) }
        var size: gsize = 0
        let data = g_bytes_get_data(bytes, &size)
        return Array(UnsafeRawBufferPointer(start: data, count: Int(size)))
    }
}
