import CGtk
import GLibKit

@testable import DesktopApplication
@testable import FakeCalls

/// The windows of a program with a pretended account.
@MainActor final class PretendedWindows {
    private static var count = 0
    let window: MainWindow
    let provider = FakeProvider(pause: .milliseconds(1))
    let dialogs: Dialogs
    private let application: Object

    init() {
        Self.count += 1
        let id = "im.parley.Pretended\(Self.count)"
        application = Object(
            adopting: UnsafeMutableRawPointer(adw_application_new(id, G_APPLICATION_NON_UNIQUE)))
        g_application_register(application.pointer(), nil, nil)
        window = MainWindow.drawn(application)
        dialogs = Dialogs(provider)
        provider.askForPassphrase = { [weak dialogs] in await dialogs?.askForPassphrase($0) }
        dialogs.window = window
        window.page = .contacts
        window.present()
    }

    /// How many windows there are, shown or not.
    var windowCount: UInt32 { g_list_model_get_n_items(gtk_window_get_toplevels()) }

    func close() {
        dialogs.open.closeAll()
        window.close()
    }
}
