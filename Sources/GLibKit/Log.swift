import CGLib

/// GLib's structured log, for faults of our own use of the libraries.
enum Log {
    /// Logs a warning under the domain `GLibKit`.
    static func warning(_ message: String) {
        "GLibKit".withCString { domain in
            message.withCString { text in
                "MESSAGE".withCString { messageKey in
                    "GLIB_DOMAIN".withCString { domainKey in
                        let fields = [
                            GLogField(key: messageKey, value: text, length: -1),
                            GLogField(key: domainKey, value: domain, length: -1),
                        ]
                        g_log_structured_array(G_LOG_LEVEL_WARNING, fields, gsize(fields.count))
                    }
                }
            }
        }
    }
}
