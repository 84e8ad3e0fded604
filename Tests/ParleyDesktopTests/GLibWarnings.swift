import CGtk
import Synchronization

/// What GLib, GTK, libadwaita and the libraries beside them say is used wrongly or does not work: every warning and every "critical", of
/// any domain. A test in whose process, or in one of whose programs, one is heard has failed.
enum GLibWarnings {
    /// What is let pass: no fault of ours, and nothing that a person sees.
    private static let exceptions: [(words: [String], from: UInt32)] = [
        // GTK 4.18 says this of a bare message dialog of libadwaita 1.7, too: the dialog asks how high its heading is on one line for widths
        // that can't hold it. Earlier versions don't ask, and there our own labels are found out.
        (["Trying to measure GtkLabel"], 18),
        // The clamp of a page of preferences in libadwaita 1.7 rounds the heights of rows with long subtitles otherwise for the one size
        // than for the other.
        (["AdwClamp", "reported min height", "and natural height"], 18),
        // libatspi, by which the tests ask programs, speaks of those that have ended or have no windows yet.
        (["AT-SPI: Error in"], 0),
        // Where the pointer rests on something with a tooltip when a window opens that is closed within half a second, GTK 4.8 asks the
        // closed window for what is there.
        (["gdk_surface_get_device_position: assertion 'GDK_IS_SURFACE (surface)' failed"], 0),
        (["_gtk_widget_find_at_coords: assertion 'GDK_IS_SURFACE (surface)' failed"], 0),
    ]
    private static let noted = Mutex<[String]>([])

    /// Those that a program has printed.
    static func among(_ output: String) -> [String] {
        output.split(separator: "\n").map(String.init).filter {
            ($0.contains("WARNING **") || $0.contains("CRITICAL **")) && !isExcepted($0)
        }
    }

    private static func isExcepted(_ line: String) -> Bool {
        exceptions.contains { gtk_get_minor_version() >= $0.from && $0.words.allSatisfy(line.contains) }
    }

    // MARK: In this process

    /// Listens from now on.
    static func listen() { _ = listening }

    /// Those of this process since this was last asked.
    static func heard() -> [String] {
        noted.withLock { all in
            defer { all = [] }
            return all
        }
    }

    /// GLib takes one writer a process, for good.
    private static let listening: Void = g_log_set_writer_func(
        { @Sendable level, fields, count, _ in
            GLibWarnings.note(level, fields, count)
            return g_log_writer_default(level, fields, count, nil)
        }, nil, nil)

    private static func note(_ level: GLogLevelFlags, _ fields: UnsafePointer<GLogField>?, _ count: gsize) {
        guard level.rawValue & (G_LOG_LEVEL_WARNING.rawValue | G_LOG_LEVEL_CRITICAL.rawValue) != 0 else { return }
        let texts = UnsafeBufferPointer(start: fields, count: Int(count)).reduce(into: [String: String]()) {
            result, field in
            guard let value = field.value, field.length < 0 else { return }
            result[String(cString: field.key)] = String(cString: value.assumingMemoryBound(to: CChar.self))
        }
        let line = "\(texts["GLIB_DOMAIN"] ?? "no domain"): \(texts["MESSAGE"] ?? "")"
        if !isExcepted(line) { noted.withLock { $0.append(line) } }
    }
}
