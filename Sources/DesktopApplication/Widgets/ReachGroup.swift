import CGtk
import DesktopSession
import GLibKit
import Wording

/// The part of the preferences about when and how the person is reached.
@MainActor final class ReachGroup {
    private static let switches: [(ProgramSettings.Flag, String)] = [
        (.showsCaller, "caller_switch"), (.ringsAllTheSame, "quiet_switch"),
        (.isBusy, "busy_switch"), (.isBusyWhileQuiet, "busy_quiet_switch"),
        (.alwaysHasRingWindow, "ring_window_switch"),
        (.takesMediaKeys, "media_keys_switch"), (.hasKeysEverywhere, "keys_switch"), (.letsProgramsCall, "bus_switch"),
        (.talksWithSpace, "talk_switch"), (.looksBeforeCalls, "look_switch"),
    ]

    private let template: Template
    private let settings: ProgramSettings
    private let autostart: Autostart?

    /// Fills the widgets of the preferences' template. `autostart` is nil for a program that can't be started by the desktop.
    init(_ template: Template, settings: ProgramSettings, autostart: Autostart?) {
        self.template = template
        self.settings = settings
        self.autostart = autostart
        template["stay_group"].isVisible = autostart != nil
        template["stay_switch"][property: "active"] = autostart?.choice == .on
        template["stay_switch"].connect("notify::active") { [weak self] in self?.stayChanged() }
        for (flag, name) in Self.switches {
            let toggle = template[name]
            toggle[property: "active"] = settings[flag]
            toggle.connect("notify::active") { [weak self] in
                if let isOn = self?.template[name][property: "active"] as Bool? { settings[flag] = isOn }
            }
        }
    }

    /// A choice has changed, be it here or elsewhere.
    func show(_ flag: ProgramSettings.Flag) {
        for (shown, name) in Self.switches where shown == flag { template[name][property: "active"] = settings[flag] }
    }

    private func stayChanged() {
        guard let autostart, let isOn = template["stay_switch"][property: "active"] as Bool? else { return }
        guard isOn != (autostart.choice == .on) else { return }
        do {
            try autostart.set(isOn)
            say("")
        } catch {
            say(tr("That can’t be kept: %s", error))
            template["stay_switch"][property: "active"] = !isOn
        }
    }

    private func say(_ sentence: String) {
        template["stay_error"].text = sentence
        template["stay_error"].isVisible = !sentence.isEmpty
    }
}
