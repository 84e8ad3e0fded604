import CGtk
import Foundation
import GLibKit
import MediaRules
import Testing

@testable import DesktopApplication
@testable import FakeCalls

/// The devices in the preferences, with pretended ones.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class DevicesGroupTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.
    @Test func `a row follows what is plugged in and out`() {
        onMain {
            let (preferences, provider) = open()
            let row = find(preferences, "Camera")
            wait(for: "the list") { titles(row) == ["System default", "Built-in Camera", "Travel Camera"] }
            provider.machine.change { $0.cameras.removeLast() }
            wait(for: "the camera to go") { titles(row) == ["System default", "Built-in Camera"] }
            provider.machine.change { $0.cameras = [] }
            wait(for: "the sentence") { row[property: "subtitle"] == "No camera was found." }
            preferences.window.close()
        }
    }

    @Test func `a choice is remembered and shown also when it is not there`() {
        onMain {
            let (preferences, provider) = open()
            let row = find(preferences, "Microphone")
            wait(for: "the list") { titles(row).count == 3 }
            adw_combo_row_set_selected(row.pointer(), 2)
            wait(for: "the choice") { provider.machine.choices.microphone?.name == "Headset" }
            provider.machine.change { $0.microphones.removeLast() }
            wait(for: "the list") {
                titles(row) == ["System default", "Built-in Microphone", "Headset (not connected)"]
            }
            #expect(adw_combo_row_get_selected(row.pointer()) == 2)
            #expect(provider.machine.choices.microphone?.name == "Headset", "what is shown is no choice")
            adw_combo_row_set_selected(row.pointer(), 0)
            wait(for: "the standard one") { provider.machine.choices.microphone == nil }
            wait(for: "the list") { titles(row) == ["System default", "Built-in Microphone"] }
            preferences.window.close()
        }
    }

    @Test func `what is done with the sound is switched`() {
        onMain {
            let (preferences, provider) = open()
            for (title, part) in [
                ("Echo cancellation", \SoundProcessing.echoCancellation),
                ("Noise suppression", \.noiseSuppression), ("Automatic gain", \.automaticGain),
            ] {
                let row = find(preferences, title)
                let toggle = descendants(of: row).first { $0.isA(gtk_switch_get_type()) }
                #expect(toggle?[property: "active"] == true)
                toggle?[property: "active"] = false
                wait(for: title) { !provider.machine.choices.soundProcessing[keyPath: part] }
            }
            #expect(provider.machine.choices.soundProcessing == .off)
            preferences.window.close()
        }
    }

    @Test func `how pictures are sent is chosen and remembered`() {
        onMain {
            let (preferences, provider) = open()
            let row = find(preferences, "Camera picture")
            #expect(titles(row) == ["1280 × 720 pixels", "1920 × 1080 pixels"])
            #expect(adw_combo_row_get_selected(row.pointer()) == 0)
            adw_combo_row_set_selected(row.pointer(), 1)
            wait(for: "the choice") { provider.machine.choices.pictures.camera == .high }
            let saving = find(preferences, "Save data")
            let toggle = descendants(of: saving).first { $0.isA(gtk_switch_get_type()) }
            #expect(toggle?[property: "active"] == false)
            toggle?[property: "active"] = true
            wait(for: "the choice") { provider.machine.choices.pictures.savesData }
            wait(for: "the row to be of no use") { row[property: "sensitive"] == false }
            #expect(provider.machine.choices.pictures.camera == .high, "saving data is no choice of a size")
            preferences.window.close()
        }
    }

    @Test func `the microphone is open only while the person tests it`() {
        onMain {
            let (preferences, provider) = open()
            let row = find(preferences, "Test the microphone")
            let bar = descendants(of: row).first { $0.isA(gtk_level_bar_get_type()) }
            let toggle = descendants(of: row).first { $0.isA(gtk_switch_get_type()) }
            wait(for: "the list") { titles(find(preferences, "Microphone")).count == 3 }
            #expect(!provider.machine.isListening, "opening the preferences opens the microphone")
            toggle?[property: "active"] = true
            wait(for: "the level") { (bar?[property: "value"] ?? 0.0) > 0.3 }
            #expect(provider.machine.isListening)
            toggle?[property: "active"] = false
            wait(for: "the microphone to be closed") { !provider.machine.isListening }
            #expect(bar?[property: "value"] == 0.0)
            toggle?[property: "active"] = true
            wait(for: "the microphone to be open") { provider.machine.isListening }
            preferences.window.close()
            wait(for: "the microphone to be closed") { !provider.machine.isListening }
        }
    }

    @Test func `in a call, its level is shown without a switch`() {
        onMain {
            let (levels, call) = AsyncStream<Double>.makeStream()
            let (preferences, provider) = open { levels }
            let row = find(preferences, "Test the microphone")
            let bar = descendants(of: row).first { $0.isA(gtk_level_bar_get_type()) }
            let toggle = descendants(of: row).first { $0.isA(gtk_switch_get_type()) }
            #expect(toggle?.isVisible == false)
            call.yield(0.75)
            wait(for: "the level") { bar?[property: "value"] == 0.75 }
            #expect(!provider.machine.isListening)
            call.finish()
            wait(for: "the end") { bar?[property: "value"] == 0.0 }
            preferences.window.close()
        }
    }

    @Test func `a call that begins takes the test's place, and its end gives it back`() {
        onMain {
            let (levels, call) = AsyncStream<Double>.makeStream()
            let isCalling = Shown(false)
            let (preferences, provider) = open { isCalling.value ? levels : nil }
            let row = find(preferences, "Test the microphone")
            let bar = descendants(of: row).first { $0.isA(gtk_level_bar_get_type()) }
            let toggle = descendants(of: row).first { $0.isA(gtk_switch_get_type()) }
            toggle?[property: "active"] = true
            wait(for: "the microphone to be open") { provider.machine.isListening }
            isCalling.value = true
            preferences.callBegan()
            wait(for: "the test to be over") { !provider.machine.isListening }
            #expect(toggle?.isVisible == false)
            call.yield(0.75)
            wait(for: "the level") { bar?[property: "value"] == 0.75 }
            isCalling.value = false
            call.finish()
            wait(for: "the switch") { toggle?.isVisible == true }
            preferences.window.close()
        }
    }

    /// A value that changes while somebody looks.
    @MainActor private final class Shown {
        var value: Bool

        init(_ value: Bool) { self.value = value }
    }

    @MainActor private func open(
        levels: @escaping DevicesGroup.Levels = { nil }
    ) -> (preferences: PreferencesWindow, provider: FakeProvider) {
        let provider = FakeProvider(pause: .zero)
        let parent = Widget(retaining: UnsafeMutableRawPointer(gtk_window_new()))
        let preferences = PreferencesWindow(over: parent, provider: provider, callLevels: levels)
        preferences.window.present()
        return (preferences, provider)
    }

    @MainActor private func find(_ preferences: PreferencesWindow, _ title: String) -> Widget {
        let rows = descendants(of: preferences.window.root).filter { $0.isA(adw_action_row_get_type()) }
        guard let row = rows.first(where: { $0.text == title }) else {
            Issue.record("there is no row “\(title)” among \(rows.map(\.text))")
            return preferences.window.root
        }
        return row
    }

    @MainActor private func titles(_ row: Widget) -> [String] {
        guard let model = adw_combo_row_get_model(row.pointer()) else { return [] }
        return (0..<g_list_model_get_n_items(model)).compactMap { index in
            gtk_string_list_get_string(model, index).map { String(cString: $0) }
        }
    }
}
