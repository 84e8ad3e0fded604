import CGtk
import GLibKit
import MediaRules
import XCTest

@testable import DesktopApplication
@testable import FakeCalls

/// The devices in the preferences, with pretended ones.
final class DevicesGroupTests: WindowTestCase, @unchecked Sendable {
    // Unchecked, as its parent.
    func testARowFollowsWhatIsPluggedInAndOut() {
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

    func testAChoiceIsRememberedAndShownAlsoWhenItIsNotThere() {
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
            XCTAssertEqual(adw_combo_row_get_selected(row.pointer()), 2)
            XCTAssertEqual(provider.machine.choices.microphone?.name, "Headset", "what is shown is no choice")
            adw_combo_row_set_selected(row.pointer(), 0)
            wait(for: "the standard one") { provider.machine.choices.microphone == nil }
            wait(for: "the list") { titles(row) == ["System default", "Built-in Microphone"] }
            preferences.window.close()
        }
    }

    func testWhatIsDoneWithTheSoundIsSwitched() {
        onMain {
            let (preferences, provider) = open()
            for (title, part) in [
                ("Echo cancellation", \SoundProcessing.echoCancellation),
                ("Noise suppression", \.noiseSuppression), ("Automatic gain", \.automaticGain),
            ] {
                let row = find(preferences, title)
                let toggle = descendants(of: row).first { $0.isA(gtk_switch_get_type()) }
                XCTAssertEqual(toggle?[property: "active"], true)
                toggle?[property: "active"] = false
                wait(for: title) { !provider.machine.choices.soundProcessing[keyPath: part] }
            }
            XCTAssertEqual(provider.machine.choices.soundProcessing, .off)
            preferences.window.close()
        }
    }

    func testHowPicturesAreSentIsChosenAndRemembered() {
        onMain {
            let (preferences, provider) = open()
            let row = find(preferences, "Camera picture")
            XCTAssertEqual(titles(row), ["1280 × 720 pixels", "1920 × 1080 pixels"])
            XCTAssertEqual(adw_combo_row_get_selected(row.pointer()), 0)
            adw_combo_row_set_selected(row.pointer(), 1)
            wait(for: "the choice") { provider.machine.choices.pictures.camera == .high }
            let saving = find(preferences, "Save data")
            let toggle = descendants(of: saving).first { $0.isA(gtk_switch_get_type()) }
            XCTAssertEqual(toggle?[property: "active"], false)
            toggle?[property: "active"] = true
            wait(for: "the choice") { provider.machine.choices.pictures.savesData }
            wait(for: "the row to be of no use") { row[property: "sensitive"] == false }
            XCTAssertEqual(provider.machine.choices.pictures.camera, .high, "saving data is no choice of a size")
            preferences.window.close()
        }
    }

    func testTheMicrophoneIsOpenOnlyWhileThePersonTestsIt() {
        onMain {
            let (preferences, provider) = open()
            let row = find(preferences, "Test the microphone")
            let bar = descendants(of: row).first { $0.isA(gtk_level_bar_get_type()) }
            let toggle = descendants(of: row).first { $0.isA(gtk_switch_get_type()) }
            wait(for: "the list") { titles(find(preferences, "Microphone")).count == 3 }
            XCTAssertFalse(provider.machine.isListening, "opening the preferences opens the microphone")
            toggle?[property: "active"] = true
            wait(for: "the level") { (bar?[property: "value"] ?? 0.0) > 0.3 }
            XCTAssertTrue(provider.machine.isListening)
            toggle?[property: "active"] = false
            wait(for: "the microphone to be closed") { !provider.machine.isListening }
            XCTAssertEqual(bar?[property: "value"], 0.0)
            toggle?[property: "active"] = true
            wait(for: "the microphone to be open") { provider.machine.isListening }
            preferences.window.close()
            wait(for: "the microphone to be closed") { !provider.machine.isListening }
        }
    }

    func testInACallItsLevelIsShownWithoutASwitch() {
        onMain {
            let (levels, call) = AsyncStream<Double>.makeStream()
            let (preferences, provider) = open { levels }
            let row = find(preferences, "Test the microphone")
            let bar = descendants(of: row).first { $0.isA(gtk_level_bar_get_type()) }
            XCTAssertEqual(descendants(of: row).first { $0.isA(gtk_switch_get_type()) }?.isVisible, false)
            call.yield(0.75)
            wait(for: "the level") { bar?[property: "value"] == 0.75 }
            XCTAssertFalse(provider.machine.isListening)
            call.finish()
            wait(for: "the end") { bar?[property: "value"] == 0.0 }
            preferences.window.close()
        }
    }

    func testACallThatBeginsTakesTheTestsPlaceAndItsEndGivesItBack() {
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
            XCTAssertEqual(toggle?.isVisible, false)
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
            XCTFail("there is no row “\(title)” among \(rows.map(\.text))")
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
