import BaseKit
import CGtk
import FakeNotifications
import Foundation
import GLibKit
import Notifications
import Portal
import XCTest

@testable import DesktopApplication
@testable import FakeCalls

/// What notifications say, as the person wants it.
final class ProgramSettingsTests: WindowTestCase, @unchecked Sendable {
    // Unchecked, as its parent.

    func testTheSwitchOfThePreferencesIsRemembered() throws {
        try onMain {
            let settings = ProgramSettings()
            XCTAssertTrue(settings[.showsCaller])
            let parent = Widget(retaining: UnsafeMutableRawPointer(gtk_window_new()))
            for isOn in [false, true] {
                let preferences = PreferencesWindow(
                    over: parent, provider: FakeProvider(pause: .zero), settings: settings)
                preferences.window.present()
                let row = try XCTUnwrap(
                    descendants(of: preferences.window.root).first {
                        $0.isA(adw_action_row_get_type()) && $0.text == "Show who calls in notifications"
                    })
                let toggle = try XCTUnwrap(descendants(of: row).first { $0.isA(gtk_switch_get_type()) })
                XCTAssertEqual(toggle[property: "active"], !isOn)
                toggle[property: "active"] = isOn
                XCTAssertEqual(settings[.showsCaller], isOn)
                preferences.window.close()
            }
        }
    }

    func testTheSchemaOfTheSourceTreeRemembersIt() throws {
        let folder = try RunningProgram.emptyFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let data = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../data").path
        try Tool.run("glib-compile-schemas", "--strict", "--targetdir=\(folder.path)", data)
        onMain {
            XCTAssertTrue(ProgramSettings(directory: folder.path)[.showsCaller])
            ProgramSettings(directory: folder.path)[.showsCaller] = false
            XCTAssertFalse(ProgramSettings(directory: folder.path)[.showsCaller])
            ProgramSettings(directory: folder.path)[.showsCaller] = true
        }
    }

    func testNotificationsNameNobodyWhenTheyShallNot() throws {
        let server = try SessionNotifications.server()
        onMain {
            for (showsCaller, expected) in [
                (true, ["Ada", "Incoming video call", "Ada", "Missed call", "Ada", "2 missed calls"]),
                (false, ["Incoming video call", "", "Missed call", "", "2 missed calls", ""]),
            ] {
                let earlier = server.shown.count
                let settings = ProgramSettings()
                settings[.showsCaller] = showsCaller
                let application = Object(
                    adopting: UnsafeMutableRawPointer(
                        adw_application_new("im.parley.Private\(showsCaller)", G_APPLICATION_NON_UNIQUE)))
                g_application_register(application.pointer(), nil, nil)
                let notifications = CallNotifications(
                    settings,
                    notifier: CallNotifier(for: NotificationSender(name: "Test", desktopEntry: "test")))
                let contact = ContactItem(id: "1", name: "Ada", isTestCall: false, isConnected: true)
                let call = CallPresentation(
                    contact: contact, kind: .video, snapshot: CallSnapshot(stage: .ringingIn), cameraCount: 1,
                    surroundings: .init(now: .now))
                notifications.ring(call, kind: .video) { _, _ in }
                wait(for: "the call") { server.shown.count == earlier + 1 }
                notifications.stopRinging()
                let missed = MissedCallItem(contact: contact, kind: .video, sentence: "", isTold: true)
                for count in 2...3 {
                    notifications.tell(missed)
                    wait(for: "the missed call") { server.shown.count == earlier + count }
                }
                XCTAssertEqual(server.shown.dropFirst(earlier).flatMap { [$0.summary, $0.body] }, expected)
                XCTAssertEqual(server.shown.last?.replaces, server.shown.dropLast().last?.id)
                notifications.forget(contact)
                wait(for: "it to go") { server.closed.last == server.shown.last?.id }
            }
        }
    }

    func testWhatOutlivesTheProgramNamesNobodyWhenItShallNot() throws {
        let keeper = try blocking {
            let keeper = FakeNotificationKeeper(try await Bus.session())
            try await keeper.open()
            return keeper
        }
        addTeardownBlock { try blocking { await keeper.close() } }
        onMain {
            let settings = ProgramSettings()
            settings[.showsCaller] = false
            defer { settings[.showsCaller] = true }
            let notifications = CallNotifications(
                settings, hasName: true,
                notifier: CallNotifier(for: NotificationSender(name: "Test", desktopEntry: "test")))
            let contact = ContactItem(id: "1", name: "Ada", isTestCall: false, isConnected: true)
            let missed = MissedCallItem(contact: contact, kind: .audio, sentence: "", isTold: true)
            for _ in 1...2 { notifications.tell(missed) }
            wait(for: "the missed calls") { keeper.added.last?.content["title"] == .string("2 missed calls") }
            XCTAssertNil(keeper.added.last?.content["body"])
            notifications.forget(contact)
            wait(for: "it to go") { keeper.standing.isEmpty }
        }
    }
}
