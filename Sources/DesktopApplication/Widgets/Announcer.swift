import CGtk
import GLibKit
import Glibc

/// Tells screen readers a sentence while the focus stays where it is, in one window.
///
/// GTK announces since 4.14. Before, the window itself is named by the sentence for a moment: what else has not been asked for by a tool
/// yet tells none of its changes, and the name of the active window is what screen readers speak (docs/accessibility.md).
@MainActor final class Announcer {
    /// How long a window keeps the sentence as its name.
    private static let duration = Duration.seconds(5)

    private let window: Widget
    private var waiting: Task<Void, Never>?

    /// Announces in a window.
    init(_ window: Widget) { self.window = window }

    isolated deinit { waiting?.cancel() }

    /// Tells a sentence, after what is being said, or in its place where it is urgent.
    func announce(_ sentence: String, isUrgent: Bool = false) {
        if let announce = Self.announce {
            return announce(UnsafeMutableRawPointer(window.raw), sentence, isUrgent ? Self.high : Self.medium)
        }
        window.setAccessibleLabel(sentence)
        waiting?.cancel()
        waiting = Task { [weak self] in
            try? await Task.sleep(for: Self.duration)
            guard !Task.isCancelled, let window = self?.window else { return }
            window.setAccessibleLabel(window[property: "title"] ?? "")
        }
    }

    // GtkAccessibleAnnouncementPriority (gtkenums.h of GTK 4.14), which the headers of 4.8 don't have.
    private static let (medium, high): (CInt, CInt) = (1, 2)

    /// `gtk_accessible_announce`, where GTK has it.
    private static let announce = dlsym(nil, "gtk_accessible_announce").map {
        unsafeBitCast($0, to: (@convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>, CInt) -> Void).self)
    }
}
