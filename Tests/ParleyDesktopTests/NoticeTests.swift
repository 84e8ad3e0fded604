import CGtk
import Foundation
import GLibKit
import Testing

@testable import DesktopApplication

/// What the main window tells beside the contacts: sentences that pass, and what is wrong as long as it is.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class NoticeTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.
    private static let long =
        "The relay smp.a-rather-long-host-name.example can’t be reached: the certificate it shows is not the one of its address; "
        + "compare the fingerprint with whoever runs it."

    @Test func `a long notice can be read whole`() throws {
        try onMain {
            for width in [360, 900] as [Int32] {
                let window = open(width: width)
                wait(for: "the window") { gtk_widget_get_width(window.root.pointer()) > 0 }
                window.toast(Self.long)
                wait(for: "the notice to be made") { found(Self.long, in: window.root) != nil }
                let label = try #require(found(Self.long, in: window.root))
                wait(for: "the notice") { gtk_widget_get_height(label.pointer()) > 0 }
                let layout = gtk_label_get_layout(label.pointer())
                #expect(pango_layout_is_ellipsized(layout) == 0, "cut off at \(width)")
                var (wide, high): (gint, gint) = (0, 0)
                pango_layout_get_pixel_size(layout, &wide, &high)
                #expect(wide <= gtk_widget_get_width(label.pointer()))
                #expect(high <= gtk_widget_get_height(label.pointer()))
                var bounds = graphene_rect_t()
                _ = gtk_widget_compute_bounds(label.pointer(), window.root.pointer(), &bounds)
                #expect(bounds.origin.x >= 0, "\(width)")
                #expect(bounds.origin.x + bounds.size.width <= Float(width), "\(width)")
                #expect(pango_layout_get_line_count(layout) > 1)
                window.close()
            }
        }
    }

    @Test func `a notice is never read as markup`() {
        onMain {
            let window = open(width: 900)
            window.toast("<b>Bobby & Co</b> is now a contact.")
            wait(for: "the notice") { found("<b>Bobby & Co</b> is now a contact.", in: window.root) != nil }
            window.close()
        }
    }

    @Test func `trouble is shown as long as it lasts and moves no contact`() throws {
        try onMain {
            let window = open(width: 900)
            window.show([ContactItem(id: "a", name: "Ada", isTestCall: false, isConnected: true)])
            let row = try #require(descendants(of: window.root).first { $0.text == "Ada" })
            wait(for: "the contact") { gtk_widget_get_height(row.pointer()) > 0 }
            let before = top(of: row, in: window.root)
            window.showTrouble(Self.long)
            let label = try #require(found(Self.long, in: window.root))
            wait(for: "the sentence") {
                gtk_widget_get_mapped(label.pointer()) != 0 && gtk_widget_get_height(label.pointer()) > 0
            }
            #expect(top(of: row, in: window.root) == before)
            window.showTrouble(nil)
            #expect(gtk_widget_get_mapped(label.pointer()) == 0)
            window.close()
        }
    }

    @MainActor private static var count = 0

    @MainActor private func open(width: Int32) -> MainWindow {
        Self.count += 1
        let id = "im.parley.Notices\(Self.count)"
        let application = Object(
            adopting: UnsafeMutableRawPointer(adw_application_new(id, G_APPLICATION_NON_UNIQUE)))
        g_application_register(application.pointer(), nil, nil)
        let window = MainWindow.drawn(application)
        gtk_window_set_default_size(window.root.pointer(), width, 640)
        window.page = .contacts
        window.present()
        return window
    }

    @MainActor private func found(_ text: String, in root: Widget) -> Widget? {
        descendants(of: root).first { $0.isA(gtk_label_get_type()) && $0.text == text }
    }

    @MainActor private func top(of widget: Widget, in root: Widget) -> Float {
        var bounds = graphene_rect_t()
        _ = gtk_widget_compute_bounds(widget.pointer(), root.pointer(), &bounds)
        return bounds.origin.y
    }
}
