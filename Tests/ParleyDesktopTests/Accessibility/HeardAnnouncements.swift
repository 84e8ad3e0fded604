import CAtspi
import CGtk
import Synchronization
import TestSupport
import Testing

/// What a screen reader is told of the programs under test: announcements, where GTK makes them; before, the names that windows get.
struct HeardAnnouncements {
    /// All that this process has heard; libatspi hears nothing more once a listener has gone.
    private static let all = Mutex<[String]>([])
    private static let events = ["object:announcement", "object:property-change:accessible-name"]
    private static let isListening = listen()
    private let start: Int

    /// Begins to listen.
    init() throws {
        guard Self.isListening else { throw Missing(description: "The accessibility bus tells nothing.") }
        start = Self.all.withLock(\.count)
    }

    /// Waits until a sentence is announced that contains these words.
    func hear(_ words: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try waitUntil("“\(words)” to be announced", sourceLocation: sourceLocation) {
            sentences.contains { $0.contains(words) }
        }
    }

    /// All that was announced so far.
    var sentences: [String] {
        while g_main_context_iteration(nil, 0) != 0 {}
        return Array(Self.all.withLock { $0.dropFirst(start) })
    }

    private static func listen() -> Bool {
        // A program that is busy answers late, which is no reason to take its widgets for gone.
        atspi_set_timeout(5_000, 15_000)
        guard atspi_init() <= 1 else { return false }
        let listener = atspi_event_listener_new(
            { event, _ in
                guard let event, let sentence = HeardAnnouncements.sentence(event.pointee) else { return }
                HeardAnnouncements.all.withLock { $0.append(sentence) }
            }, nil, nil)
        return listener != nil && events.allSatisfy { atspi_event_listener_register(listener, $0, nil) != 0 }
    }

    private static func sentence(_ event: AtspiEvent) -> String? {
        var value = event.any_data
        guard let source = event.source, g_type_check_value_holds(&value, GType(16 << 2)) != 0,
            let text = g_value_get_string(&value)
        else { return nil }
        let type = event.type.map { String(cString: $0) } ?? ""
        let isAnnounced =
            type.hasPrefix("object:announcement")
            || [ATSPI_ROLE_FRAME, ATSPI_ROLE_WINDOW].contains(atspi_accessible_get_role(source, nil))
        return isAnnounced ? String(cString: text) : nil
    }
}
