import CGtk
import GLibKit
import Testing

@testable import DesktopApplication

/// Where the main window tells something during a call.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class CallToastTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.
    @Test func `what is told during a call covers no button`() throws {
        try onMain {
            let application = Object(
                adopting: UnsafeMutableRawPointer(adw_application_new("im.parley.Test", G_APPLICATION_NON_UNIQUE)))
            g_application_register(application.pointer(), nil, nil)
            let window = MainWindow.drawn(application)
            let pictures = (0..<3).map { _ in VideoPaintable(mirrored: false) }
            let call = CallView(remote: pictures[0], screen: pictures[1], local: pictures[2])
            window.add(.call, call.root)
            window.page = .call
            window.present()
            window.toast("Cem called while you were in a call.")
            let all = descendants(of: window.root)
            let toast = try #require(all.first { $0.isA(gtk_label_get_type()) && $0.text.hasPrefix("Cem called") })
            wait(for: "the sentence") { gtk_widget_get_height(toast.pointer()) > 0 }
            let controls = try #require(all.first { gtk_widget_has_css_class($0.pointer(), "control-bar") != 0 })
            wait(for: "the controls") { gtk_widget_get_height(controls.pointer()) > 0 }
            #expect(bottom(of: toast, in: window.root) < top(of: controls, in: window.root))
            window.page = .contacts
            #expect(gtk_widget_get_mapped(toast.pointer()) == 0, "it lies over the contacts")
            window.close()
        }
    }

    @Test func `what helps about an error can be pressed during a call`() throws {
        try onMain {
            let application = Object(
                adopting: UnsafeMutableRawPointer(adw_application_new("im.parley.OtherTest", G_APPLICATION_NON_UNIQUE)))
            g_application_register(application.pointer(), nil, nil)
            let window = MainWindow.drawn(application)
            let pictures = (0..<3).map { _ in VideoPaintable(mirrored: false) }
            let call = CallView(remote: pictures[0], screen: pictures[1], local: pictures[2])
            window.add(.call, call.root)
            window.page = .call
            gtk_window_set_default_size(window.root.pointer(), 360, 640)
            window.present()
            var presses = 0
            let sentence =
                "The relay relay.example.org can’t be reached, so that nothing goes to your contacts and nothing comes."
            window.complain(sentence, button: "How People Reach You…") { presses += 1 }
            let all = descendants(of: window.root)
            let label = try #require(all.first { $0.isA(gtk_label_get_type()) && $0.text == sentence })
            let button = try #require(all.first { $0.isA(gtk_button_get_type()) && $0.text == "How People Reach You…" })
            wait(for: "the button") { gtk_widget_get_height(button.pointer()) > 0 }
            let controls = try #require(all.first { gtk_widget_has_css_class($0.pointer(), "control-bar") != 0 })
            wait(for: "the controls") { gtk_widget_get_height(controls.pointer()) > 0 }
            #expect(bottom(of: button, in: window.root) < top(of: controls, in: window.root))
            #expect(gtk_widget_get_width(window.root.pointer()) <= 360, "it is wider than the window")
            let box = bounds(of: button, in: window.root)
            let hit = gtk_widget_pick(
                window.root.pointer(), Double(box.origin.x + box.size.width / 2),
                Double(box.origin.y + box.size.height / 2), GTK_PICK_DEFAULT)
            #expect(
                hit.map { $0 == button.pointer() || gtk_widget_is_ancestor($0, button.pointer()) != 0 } ?? false,
                "what lies below gets the press")
            try button.emit("clicked")
            #expect(presses == 1)
            wait(for: "the sentence to go") { gtk_widget_get_mapped(label.pointer()) == 0 }
            window.toast("Cem called while you were in a call.")
            #expect(!button.isVisible, "a sentence has the button of the one before")
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
