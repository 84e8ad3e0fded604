import CGLib

/// A person's settings (`GSettings`) under one schema.
public final class Settings: Object {
    private let schema: OpaquePointer

    /// Opens the settings of an installed schema, or of a compiled one in `directory` (a development tree).
    ///
    /// Throws instead of ending the program, as `g_settings_new` does, when the schema is nowhere.
    public init(schema identifier: String, directory: String? = nil) throws(GLibError) {
        let source = try Self.source(directory)
        defer { if let source { g_settings_schema_source_unref(source) } }
        guard let schema = g_settings_schema_source_lookup(source, identifier, 1) else {
            throw GLibError(domain: "settings", message: "no schema \(identifier) is installed")
        }
        guard let settings = g_settings_new_full(schema, nil, nil) else {
            g_settings_schema_unref(schema)
            throw GLibError(domain: "settings", message: "no settings \(identifier) can be opened")
        }
        self.schema = schema
        super.init(adopting: UnsafeMutableRawPointer(settings))
    }

    deinit { g_settings_schema_unref(schema) }

    /// Writes what is still to be written, before the program ends.
    public static func flush() { g_settings_sync() }

    private static func source(_ directory: String?) throws(GLibError) -> OpaquePointer? {
        let installed = g_settings_schema_source_get_default()
        guard let directory else { return installed.map { g_settings_schema_source_ref($0) } }
        return try GLibError.check { g_settings_schema_source_new_from_directory(directory, installed, 0, $0) }
    }

    /// Whether the schema has a key. Asking for one that it does not have ends the program.
    public func hasKey(_ key: String) -> Bool {
        g_settings_schema_has_key(schema, key) != 0
    }

    /// A yes-or-no setting.
    public subscript(flag key: String) -> Bool {
        get { g_settings_get_boolean(pointer(), key) != 0 }
        set { g_settings_set_boolean(pointer(), key, newValue ? 1 : 0) }
    }

    /// A whole-number setting.
    public subscript(number key: String) -> Int {
        get { Int(g_settings_get_int(pointer(), key)) }
        set { g_settings_set_int(pointer(), key, gint(clamping: newValue)) }
    }

    /// A text setting.
    public subscript(text key: String) -> String {
        get {
            guard let text = g_settings_get_string(pointer(), key) else { return "" }
            defer { g_free(text) }
            return String(cString: text)
        }
        set { g_settings_set_string(pointer(), key, newValue) }
    }
}
