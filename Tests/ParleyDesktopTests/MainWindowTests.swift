import CGtk
import GLibKit
import Testing

@testable import DesktopApplication

extension MainWindow {
    /// One that has what the program's has once it has been drawn.
    static func drawn(_ application: Object) -> MainWindow {
        let window = MainWindow(application: application, onWish: { _, _ in }, onAnswer: { _, _ in })
        // Nothing of it is drawn yet, so there is nothing to wait for.
        window.afterFirstFrame {}
        return window
    }
}

/// The main window is drawn before what is in it is made.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class MainWindowTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.
    @MainActor private static var count = 0

    @MainActor private func open() -> MainWindow {
        Self.count += 1
        let application = Object(
            adopting: UnsafeMutableRawPointer(
                adw_application_new("im.parley.Main\(Self.count)", G_APPLICATION_NON_UNIQUE)))
        g_application_register(application.pointer(), nil, nil)
        return MainWindow(application: application, onWish: { _, _ in }, onAnswer: { _, _ in })
    }

    @MainActor private func shows(_ text: String, _ window: MainWindow) -> Bool {
        descendants(of: window.root).contains {
            $0.isA(gtk_label_get_type()) && $0.text == text && gtk_widget_get_mapped($0.pointer()) != 0
        }
    }

    @Test func `what is shown before the first frame is there after it, in its order`() {
        onMain {
            let window = open()
            window.showStarting("Opening your profile…")
            window.showLocked("The keyring is locked.")
            let page = Widget(retaining: UnsafeMutableRawPointer(gtk_label_new("Welcome to all")))
            window.add(.welcome, page)
            window.page = .welcome
            window.showFailure("The disk is full.")
            window.present()
            var isDrawn = false
            window.afterFirstFrame { isDrawn = true }
            #expect(!isDrawn && !shows("The disk is full.", window))
            wait(for: "the first frame") { isDrawn }
            wait(for: "why it does not start") { self.shows("The disk is full.", window) }
            #expect(window.page == .starting)
            #expect(!shows("Welcome to all", window) && !shows("Opening your profile…", window))
            window.page = .welcome
            wait(for: "the page that was added before") { self.shows("Welcome to all", window) }
            window.close()
        }
    }

    @Test func `contacts that are to be shown before the first frame are in sight after it`() {
        onMain {
            let window = open()
            window.page = .contacts
            window.showTrouble("The disk is full.")
            window.present()
            var isDrawn = false
            window.afterFirstFrame { isDrawn = true }
            wait(for: "the first frame") { isDrawn }
            wait(for: "the contacts' page") { self.shows("The disk is full.", window) }
            window.close()
        }
    }

    @Test func `what was added and removed before the first frame is not there after it`() {
        onMain {
            let window = open()
            window.add(.welcome, Widget(retaining: UnsafeMutableRawPointer(gtk_label_new("Welcome to all"))))
            window.page = .welcome
            window.remove(.welcome)
            #expect(window.page == .starting)
            window.afterFirstFrame {}
            #expect(!descendants(of: window.root).contains { $0.text == "Welcome to all" })
            window.close()
        }
    }

    @Test func `what has to be seen at once does not wait for the first frame`() {
        onMain {
            let window = open()
            window.toast("Cem called while you were away.")
            window.present()
            wait(for: "the sentence") { self.shows("Cem called while you were away.", window) }
            window.close()
        }
    }
}
