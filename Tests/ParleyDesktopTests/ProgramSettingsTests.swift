import BaseKit
import CGtk
import FakeNotifications
import Foundation
import GLibKit
import Notifications
import Portal
import Testing

@testable import DesktopApplication
@testable import FakeCalls

/// What notifications say, as the person wants it.
@Suite(.windows, .serialized, .timeLimit(.minutes(5)))
final class ProgramSettingsTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    @Test func `the switch of the preferences is remembered`() throws {
        try onMain {
            let settings = ProgramSettings()
            #expect(settings[.showsCaller])
            let parent = Widget(retaining: UnsafeMutableRawPointer(gtk_window_new()))
            for isOn in [false, true] {
                let preferences = PreferencesWindow(
                    over: parent, provider: FakeProvider(pause: .zero), settings: settings)
                preferences.window.present()
                let row = try #require(
                    descendants(of: preferences.window.root).first {
                        $0.isA(adw_action_row_get_type()) && $0.text == "Show who calls in notifications"
                    })
                let toggle = try #require(descendants(of: row).first { $0.isA(gtk_switch_get_type()) })
                #expect(toggle[property: "active"] == !isOn)
                toggle[property: "active"] = isOn
                #expect(settings[.showsCaller] == isOn)
                preferences.window.close()
            }
        }
    }

    @Test func `the schema of the source tree remembers it`() throws {
        let folder = try RunningProgram.emptyFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let data = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../data").path
        try Tool.run("glib-compile-schemas", "--strict", "--targetdir=\(folder.path)", data)
        onMain {
            #expect(ProgramSettings(directory: folder.path)[.showsCaller])
            ProgramSettings(directory: folder.path)[.showsCaller] = false
            #expect(!ProgramSettings(directory: folder.path)[.showsCaller])
            ProgramSettings(directory: folder.path)[.showsCaller] = true
        }
    }

    @Test func `notifications name nobody when they shall not`() throws {
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
                #expect(server.shown.dropFirst(earlier).flatMap { [$0.summary, $0.body] } == expected)
                #expect(server.shown.last?.replaces == server.shown.dropLast().last?.id)
                notifications.forget(contact)
                wait(for: "it to go") { server.closed.last == server.shown.last?.id }
            }
        }
    }

    @Test func `what outlives the program names nobody when it shall not`() throws {
        let keeper = try blocking {
            let keeper = FakeNotificationKeeper(try await Bus.session())
            try await keeper.open()
            return keeper
        }
        atEnd { try blocking { await keeper.close() } }
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
            #expect(keeper.added.last?.content["body"] == nil)
            notifications.forget(contact)
            wait(for: "it to go") { keeper.standing.isEmpty }
        }
    }
}
