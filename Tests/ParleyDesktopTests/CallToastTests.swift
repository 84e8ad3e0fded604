import CGtk
import GLibKit
import XCTest

@testable import DesktopApplication

/// Where the main window tells something during a call.
final class CallToastTests: WindowTestCase, @unchecked Sendable {
    // Unchecked, as its parent.
    func testWhatIsToldDuringACallCoversNoButton() throws {
        try onMain {
            let application = Object(
                adopting: UnsafeMutableRawPointer(adw_application_new("im.parley.Test", G_APPLICATION_NON_UNIQUE)))
            let window = MainWindow(application: application, onWish: { _, _ in }, onAnswer: { _, _ in })
            let pictures = (0..<3).map { _ in VideoPaintable(mirrored: false) }
            let call = CallView(remote: pictures[0], screen: pictures[1], local: pictures[2])
            window.add(.call, call.root)
            window.page = .call
            window.present()
            window.toast("Cem called while you were in a call.")
            let all = descendants(of: window.root)
            let toast = try XCTUnwrap(all.first { $0.isA(gtk_label_get_type()) && $0.text.hasPrefix("Cem called") })
            wait(for: "the sentence") { gtk_widget_get_height(toast.pointer()) > 0 }
            let controls = try XCTUnwrap(all.first { gtk_widget_has_css_class($0.pointer(), "control-bar") != 0 })
            wait(for: "the controls") { gtk_widget_get_height(controls.pointer()) > 0 }
            XCTAssertLessThan(bottom(of: toast, in: window.root), top(of: controls, in: window.root))
            window.page = .contacts
            XCTAssertFalse(toast.isVisible, "it lies over the contacts")
            window.close()
        }
    }

    @MainActor private func bounds(of widget: Widget, in root: Widget) -> graphene_rect_t {
        var bounds = graphene_rect_t()
        _ = gtk_widget_compute_bounds(widget.pointer(), root.pointer(), &bounds)
        return bounds
    }

    @MainActor private func top(of widget: Widget, in root: Widget) -> Float { bounds(of: widget, in: root).origin.y }

    @MainActor private func bottom(of widget: Widget, in root: Widget) -> Float {
        let bounds = bounds(of: widget, in: root)
        return bounds.origin.y + bounds.size.height
    }
}
