import CGtk
import Testing

/// Which words of libraries make a test fail.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class GLibWarningsTests: WindowSuite, @unchecked Sendable {
    @Test func `a warning of any library in this process is noted once`() {
        onMain {
            // Of a type and of an object that are none.
            _ = g_object_get_data(nil, "key")
            gtk_widget_show(nil)
            let heard = GLibWarnings.heard()
            #expect(heard.count == 2)
            #expect(heard.first?.hasPrefix("GLib-GObject: ") == true)
            #expect(heard.last?.hasPrefix("Gtk: ") == true)
            #expect(GLibWarnings.heard() == [])
        }
    }

    @Test(arguments: [
        ("(ParleyDesktop:7): Adwaita-WARNING **: 12:00:00.000: no such style", true),
        (
            "(FakeCalls:7): Gtk-CRITICAL **: 12:00:00.000: gtk_widget_show: assertion 'GTK_IS_WIDGET (widget)' failed",
            true
        ),
        ("(FakeCalls:7): GLib-GIO-WARNING **: 12:00:00.000: odd", true), ("** (FakeCalls:7): WARNING **: odd", true),
        ("(FakeCalls:7): Gtk-Message: 12:00:00.000: odd", false), ("warning: the disk is full", false),
    ])
    func `a program's line is a warning of a library or is none`(line: String, isWarning: Bool) {
        #expect(GLibWarnings.among("one\n\(line)\nanother\n") == (isWarning ? [line] : []))
    }
}
