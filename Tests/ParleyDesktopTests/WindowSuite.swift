import BaseKit
import CGtk
import Foundation
import GLibKit
import Testing

@testable import DesktopApplication

/// A suite of widgets in this process.
class WindowSuite: ProgramSuite, @unchecked Sendable {
    // Unchecked: its trait has an instance used on the main thread only.
    override init() throws {
        try MainActor.assumeIsolated { try Screen.open() }
        try super.init()
    }

    /// Runs a test body on the main actor.
    func onMain(_ body: @MainActor () throws -> Void) rethrows {
        try MainActor.assumeIsolated { try body() }
    }

    /// The first event controller of this type that a widget has.
    @MainActor func controller(
        _ type: GType, of widget: Widget, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Object {
        let controllers = Object(adopting: UnsafeMutableRawPointer(gtk_widget_observe_controllers(widget.pointer())))
        let all = (0..<g_list_model_get_n_items(controllers.pointer())).lazy.compactMap { index in
            g_list_model_get_item(controllers.pointer(), index).map { Object(adopting: $0) }
        }
        return try #require(all.first { $0.isA(type) }, "no such controller", sourceLocation: sourceLocation)
    }

    /// Iterates the GLib loop until the condition holds; a limit far above what it takes turns a hang into a failure.
    @MainActor func wait(
        for what: @autoclosure () -> String, sourceLocation: SourceLocation = #_sourceLocation,
        until condition: () -> Bool
    ) {
        let limit = Instant.now + .seconds(60)
        let before = framesOfWindows()
        while !condition() {
            guard Instant.now < limit else {
                Issue.record(
                    "waited in vain for \(what()); frames of the windows in sight: \(before), now \(framesOfWindows())",
                    sourceLocation: sourceLocation)
                return
            }
            if g_main_context_iteration(nil, 0) == 0 { usleep(1000) }
        }
    }

    /// How many frames each window in sight has drawn: one that draws none ends no animation.
    @MainActor private func framesOfWindows() -> [Int64] {
        let windows = Object(retaining: UnsafeMutableRawPointer(gtk_window_get_toplevels()))
        return (0..<g_list_model_get_n_items(windows.pointer())).compactMap { index -> Int64? in
            guard let item = g_list_model_get_item(windows.pointer(), index) else { return nil }
            let window = Widget(adopting: item)
            guard gtk_widget_get_mapped(window.pointer()) != 0 else { return nil }
            return Int64(gdk_frame_clock_get_frame_counter(gtk_widget_get_frame_clock(window.pointer())))
        }
    }

    /// Shows a widget in a window of this size.
    @MainActor func window(_ widget: Widget, width: Int32, height: Int32) -> Widget {
        let window = Widget(retaining: UnsafeMutableRawPointer(gtk_window_new()))
        gtk_window_set_child(window.pointer(), widget.pointer())
        gtk_window_set_default_size(window.pointer(), width, height)
        gtk_window_present(window.pointer())
        wait(for: "the window to be laid out") { gtk_widget_get_height(widget.pointer()) > 0 }
        return window
    }

    /// Every widget inside a widget.
    @MainActor func descendants(of widget: Widget) -> [Widget] {
        var result: [Widget] = []
        var child = gtk_widget_get_first_child(widget.pointer())
        while let current = child {
            let found = Widget(retaining: UnsafeMutableRawPointer(current))
            result.append(found)
            result += descendants(of: found)
            child = gtk_widget_get_next_sibling(current)
        }
        return result
    }
}
