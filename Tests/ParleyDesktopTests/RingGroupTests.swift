import CGtk
import Foundation
import GLibKit
import MediaRules
import Parley
import Testing

@testable import DesktopApplication
@testable import FakeCalls

/// How calls ring, in the preferences.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class RingGroupTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.
    @Test func `where it rings is chosen among the speakers`() {
        onMain {
            let (preferences, provider) = open()
            let row = find(preferences, "Ring on")
            wait(for: "the list") { count(row) == 3 }
            adw_combo_row_set_selected(row.pointer(), 2)
            wait(for: "the choice") { provider.machine.ring.device?.name == "Headset" }
            #expect(provider.machine.choices.speaker == nil, "the speaker of calls is another choice")
            provider.machine.change { $0.speakers.removeLast() }
            wait(for: "the speaker to go") { count(row) == 3 }
            #expect(provider.machine.ring.device?.name == "Headset", "what is shown is no choice")
            preferences.window.close()
        }
    }

    @Test func `the volume is remembered once the slider rests`() throws {
        try onMain {
            let (preferences, provider) = open()
            let row = find(preferences, "Ring volume")
            let scale = try #require(descendants(of: row).first { $0.isA(gtk_scale_get_type()) })
            #expect(gtk_range_get_value(scale.pointer()) == 1)
            for volume in [0.8, 0.6, 0.4] { gtk_range_set_value(scale.pointer(), volume) }
            wait(for: "the volume") { provider.machine.ring.volume == 0.4 }
            #expect(provider.machine.ringChanges == 1, "each step is written")
            preferences.window.close()
        }
    }

    @Test func `a volume is remembered though the preferences are closed at once`() throws {
        try onMain {
            let provider = FakeProvider(pause: .zero)
            var preferences: PreferencesWindow? = open(provider)
            let row = find(try #require(preferences), "Ring volume")
            let scale = try #require(descendants(of: row).first { $0.isA(gtk_scale_get_type()) })
            gtk_range_set_value(scale.pointer(), 0.2)
            preferences?.window.close()
            preferences = nil
            wait(for: "the volume") { provider.machine.ring.volume == 0.2 }
        }
    }

    @Test func `an own sound is named and can be given up`() throws {
        try onMain {
            let ring = { (provider: FakeProvider) in provider.machine.ring.file }
            let provider = FakeProvider(pause: .zero)
            provider.machine.ring.file = "/home/ada/Music/Door & <bell>.ogg"
            let preferences = open(provider)
            let row = find(preferences, "Ring sound")
            // Not as markup, which it looks like.
            let labels = descendants(of: row).filter { $0.isA(gtk_label_get_type()) }.map { label in
                gtk_label_get_text(label.pointer()).map { String(cString: $0) }
            }
            #expect(labels.contains("Door & <bell>.ogg"))
            let own = try #require(
                descendants(of: row).first { $0.isA(gtk_button_get_type()) && $0.text == "Use Parley’s" })
            #expect(own.isVisible)
            try own.emit("clicked")
            wait(for: "our ring") { ring(provider) == nil }
            #expect(row[property: "subtitle"] == "Parley’s own")
            #expect(!own.isVisible)
            preferences.window.close()
        }
    }

    @MainActor private func open() -> (PreferencesWindow, FakeProvider) {
        let provider = FakeProvider(pause: .zero)
        return (open(provider), provider)
    }

    @MainActor private func open(_ provider: FakeProvider) -> PreferencesWindow {
        let parent = Widget(retaining: UnsafeMutableRawPointer(gtk_window_new()))
        let preferences = PreferencesWindow(over: parent, provider: provider)
        preferences.window.present()
        return preferences
    }

    @MainActor private func count(_ row: Widget) -> Int {
        Int(adw_combo_row_get_model(row.pointer()).map { g_list_model_get_n_items($0) } ?? 0)
    }

    @MainActor private func find(_ preferences: PreferencesWindow, _ title: String) -> Widget {
        let rows = descendants(of: preferences.window.root).filter { $0.isA(adw_action_row_get_type()) }
        guard let row = rows.first(where: { $0.text == title }) else {
            Issue.record("there is no row “\(title)” among \(rows.map(\.text))")
            return preferences.window.root
        }
        return row
    }
}
