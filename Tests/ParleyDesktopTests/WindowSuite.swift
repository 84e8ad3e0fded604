import BaseKit
import CGtk
import GLibKit
import XCTest

@testable import DesktopApplication

/// A test of widgets in this process. XCTest, because it runs on the real main thread, where GTK must be used.
class WindowTestCase: LimitedTestCase, @unchecked Sendable {
    // Unchecked: XCTest runs an instance on the main thread only.
    override func setUpWithError() throws {
        try openScreen()
    }

    /// Runs a test body on the main actor.
    func onMain(_ body: @MainActor () throws -> Void) rethrows {
        try MainActor.assumeIsolated { try body() }
    }

    /// The first event controller of this type that a widget has.
    @MainActor func controller(
        _ type: GType, of widget: Widget, file: StaticString = #filePath, line: UInt = #line
    ) throws -> Object {
        let controllers = Object(adopting: UnsafeMutableRawPointer(gtk_widget_observe_controllers(widget.pointer())))
        let all = (0..<g_list_model_get_n_items(controllers.pointer())).lazy.compactMap { index in
            g_list_model_get_item(controllers.pointer(), index).map { Object(adopting: $0) }
        }
        return try XCTUnwrap(all.first { $0.isA(type) }, "no such controller", file: file, line: line)
    }

    /// Iterates the GLib loop until the condition holds; a limit far above what it takes turns a hang into a failure.
    @MainActor func wait(
        for what: String, file: StaticString = #filePath, line: UInt = #line, until condition: () -> Bool
    ) {
        let limit = Instant.now + .seconds(60)
        while !condition() {
            guard Instant.now < limit else {
                return XCTFail("waited in vain for \(what)", file: file, line: line)
            }
            if g_main_context_iteration(nil, 0) == 0 { usleep(1000) }
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
