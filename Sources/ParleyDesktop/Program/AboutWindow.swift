import CGtk
import GLibKit

/// The window about the program.
@MainActor enum AboutWindow {
    /// Shows it over another window.
    static func present(over parent: Widget) {
        let about = Widget(retaining: UnsafeMutableRawPointer(adw_about_window_new()))
        about[property: "application-name"] = "Parley"
        about[property: "application-icon"] = ApplicationIdentity.id
        about[property: "version"] = ApplicationIdentity.version
        about[property: "developer-name"] = tr("The Parley contributors")
        about[property: "comments"] = tr("Audio and video calls that no company can listen to or list.")
        about[property: "license-type"] = "apache-2-0"
        gtk_window_set_transient_for(about.pointer(), parent.pointer())
        gtk_window_present(about.pointer())
    }
}
