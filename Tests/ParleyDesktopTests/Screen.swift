import BaseKit
import CGtk
import Foundation
import GLibKit
import TestSupport

@testable import DesktopApplication

/// The X server or compositor the tests run on.
@MainActor enum Screen {
    /// Opens it for this process, once, and keeps it open: an X server without `-noreset` starts over when its last client
    /// goes, and turns away or cuts off whoever connects meanwhile, such as the program or the window of the next test.
    ///
    /// Widgets of this process stay off the accessibility bus: this process is the assistive tool that asks other programs.
    static func open() throws { try opened.get() }

    /// Whether the environment names one.
    nonisolated static var isNamed: Bool { getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil }

    private static let opened = Result {
        setenv("GTK_A11Y", "none", 1)
        gtk_init_check()
        // GTK says "initialised" ever after, even when it could not open the screen, as while the server starts over.
        let limit = Instant.now + .seconds(60)
        while gdk_display_get_default() == nil, Instant.now < limit {
            usleep(20_000)
            _ = gdk_display_open(nil)
        }
        guard gdk_display_get_default() != nil else { throw Overdue("The display can't be opened.") }
        adw_init()
        MainLoop.serveMainActor()
        try Resources.register(base64: embeddedResources)
    }
}
