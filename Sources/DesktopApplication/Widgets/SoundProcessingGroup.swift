import GLibKit
import MediaRules
import Wording

/// The part of the preferences about what is done with the microphone's sound.
@MainActor final class SoundProcessingGroup {
    private static let switches = ["echo_switch", "noise_switch", "gain_switch"]

    private let template: Template
    private let provider: any DeviceProvider
    private let say: @MainActor (String) -> Void
    private var isShowing = false

    /// Fills the widgets of the preferences' template; `say` shows what is wrong.
    init(_ template: Template, provider: any DeviceProvider, say: @escaping @MainActor (String) -> Void) {
        (self.template, self.provider, self.say) = (template, provider, say)
        for id in Self.switches {
            template[id].connect("notify::active") { [weak self] in self?.switched() }
        }
        show()
    }

    private func show() {
        guard let sound = provider.deviceChoices()?.soundProcessing else { return }
        isShowing = true
        defer { isShowing = false }
        let states = [sound.echoCancellation, sound.noiseSuppression, sound.automaticGain]
        for (id, isOn) in zip(Self.switches, states) { template[id][property: "active"] = isOn }
    }

    private func switched() {
        guard !isShowing else { return }
        let states = Self.switches.map { template[$0][property: "active"] ?? true }
        guard states.count == 3 else { return }
        let sound = SoundProcessing(
            echoCancellation: states[0], noiseSuppression: states[1], automaticGain: states[2])
        Task { [provider] in
            do {
                try await provider.setSoundProcessing(sound)
                say("")
            } catch {
                say(sentence(of: error))
            }
            show()
        }
    }
}
