import CGtk
import GLibKit
import Wording

/// The window about the program.
@MainActor enum AboutWindow {
    /// Makes it, to lie over another window.
    static func make(over parent: Widget) -> DialogWindow {
        let about = Widget(retaining: UnsafeMutableRawPointer(adw_about_window_new()))
        about[property: "application-name"] = "Parley"
        about[property: "application-icon"] = ApplicationIdentity.id
        about[property: "version"] = ApplicationIdentity.version
        about[property: "developer-name"] = tr("The Parley contributors")
        about[property: "comments"] = tr("Audio and video calls that no company can listen to or list.")
        about[property: "license-type"] = "apache-2-0"
        return DialogWindow(about, over: parent)
    }
}
