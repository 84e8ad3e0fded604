import CGtk
import GLibKit
import XCTest

@testable import DesktopApplication
@testable import FakeCalls

/// The windows over the main one: how they are made, and what becomes of them when one below goes.
final class DialogsTests: WindowTestCase, @unchecked Sendable {
    // Unchecked, as its parent.

    /// The windows of a program with a pretended account.
    @MainActor private final class World {
        private static var count = 0
        let window: MainWindow
        let provider = FakeProvider(pause: .milliseconds(1))
        let dialogs: Dialogs
        private let application: Object

        init() {
            Self.count += 1
            let id = "im.parley.Dialogs\(Self.count)"
            application = Object(
                adopting: UnsafeMutableRawPointer(adw_application_new(id, G_APPLICATION_NON_UNIQUE)))
            g_application_register(application.pointer(), nil, nil)
            window = MainWindow(application: application, onWish: { _, _ in }, onAnswer: { _, _ in })
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

    @MainActor private final class Answers {
        var all: [String?] = []
    }

    func testAQuestionForAPassphraseIsGivenUpWhenTheWindowBelowItGoes() {
        onMain {
            let world = World()
            for _ in 0..<2 {
                world.dialogs.showPreferences()
                let answers = Answers()
                Task { answers.all.append(await world.provider.askForPassphrase?(.new) ?? nil) }
                wait(for: "the question") {
                    guard let asked = world.dialogs.open[.passphrase]?.window.root else { return false }
                    return gtk_widget_get_mapped(asked.pointer()) != 0
                }
                world.dialogs.open[.preferences]?.window.close()
                wait(for: "the answer") { answers.all == [nil] }
                XCTAssertNil(world.dialogs.open[.passphrase])
            }
            world.close()
        }
    }

    func testAPassphraseThatWasTypedIsTheOnlyAnswer() throws {
        try onMain {
            let world = World()
            let answers = Answers()
            Task { answers.all.append(await world.provider.askForPassphrase?(.open(isRepeat: false)) ?? nil) }
            wait(for: "the question") { world.dialogs.open[.passphrase] != nil }
            let root = try XCTUnwrap(world.dialogs.open[.passphrase]?.window.root)
            let entry = descendants(of: root).first { $0.isA(adw_password_entry_row_get_type()) }
            entry?.text = "correct horse"
            adw_message_dialog_response(root.pointer(), "go-on")
            wait(for: "the answer") { answers.all == ["correct horse"] }
            world.close()
        }
    }

    func testAQuestionThatIsOpenIsNotMadeAgain() throws {
        try onMain {
            let world = World()
            world.provider.address = "https://parley.invalid/a#pretended"
            world.dialogs.showAddress()
            let address = try XCTUnwrap(world.dialogs.open[.address]?.window.root)
            let delete = try XCTUnwrap(
                descendants(of: address).first { $0.isA(gtk_button_get_type()) && $0.text.hasPrefix("Delete") })
            let before = world.windowCount
            for _ in 0..<3 { try delete.emit("clicked") }
            XCTAssertEqual(world.windowCount, before + 1, "the question itself")
            world.dialogs.open[.question("address")]?.window.close()
            wait(for: "the question to go") { world.windowCount == before }
            world.close()
        }
    }

    func testNoWindowIsMadeThatIsNotShown() {
        onMain {
            let world = World()
            let before = world.windowCount
            let all: [@MainActor () -> Void] = [
                { world.dialogs.addContact() }, { world.dialogs.showAddress() }, { world.dialogs.showPreferences() },
                { world.dialogs.showShortcuts() }, { world.dialogs.showAbout() }, { world.dialogs.showProfile() },
            ]
            for _ in 0..<2 { for open in all { open() } }
            XCTAssertEqual(world.windowCount, before + UInt32(all.count))
            world.dialogs.open.closeAll()
            wait(for: "all to go") { world.windowCount == before }
            world.close()
        }
    }
}
