import CGtk
import GLibKit
import Media
import MediaRules
import Parley
import Wording

/// The part of the preferences about cameras, microphones and speakers.
@MainActor final class DevicesGroup {
    /// What it needs to know of a call that lasts.
    typealias Levels = @MainActor () -> AsyncStream<Double>?

    private let template: Template
    private let provider: any DeviceProvider
    private let callLevels: Levels
    private var rows: [DeviceKind: DeviceRow] = [:]
    private var devices = MediaDevices()
    private var following: Task<Void, Never>?
    /// Tests the microphone.
    private var listening: Task<Void, Never>?
    /// Shows the level of a call.
    private var calling: Task<Void, Never>?
    private let promise: String
    private var isShowing = false

    /// Fills the widgets of the preferences' template. `callLevels` are those of the microphone in the present call; nil
    /// when there is none.
    init(_ template: Template, provider: any DeviceProvider, callLevels: @escaping Levels) {
        self.template = template
        self.provider = provider
        self.callLevels = callLevels
        promise = template["level_row"][property: "subtitle"] ?? ""
        for (kind, id) in [
            (DeviceKind.camera, "camera_row"), (.microphone, "microphone_row"), (.speaker, "speaker_row"),
        ] {
            rows[kind] = DeviceRow(template[id]) { [weak self] device in self?.choose(device, as: kind) }
        }
        for id in Self.switches {
            template[id].connect("notify::active") { [weak self] in self?.switched() }
        }
        template["level_switch"].connect("notify::active") { [weak self] in self?.listen() }
        // Nobody looks at the meter any more: the microphone is closed.
        template["level_row"].connect("unmap") { [weak self] in self?.stop() }
        template["level_row"].connect("map") { [weak self] in self?.callChanged() }
        gtk_level_bar_remove_offset_value(template["level_bar"].pointer(), nil)
        showChoices()
        callChanged()
        following = Task { [weak self, provider] in
            guard let changes = try? await provider.devices() else { return }
            for await devices in changes { self?.show(devices) }
        }
    }

    isolated deinit {
        following?.cancel()
        listening?.cancel()
        calling?.cancel()
    }

    private static let switches = ["echo_switch", "noise_switch", "gain_switch"]

    // MARK: Choices

    private func show(_ devices: MediaDevices) {
        self.devices = devices
        showChoices()
    }

    private func showChoices() {
        guard let choices = provider.deviceChoices() else { return }
        for (kind, row) in rows { row.show(DevicePicker(kind, devices: devices[kind], chosen: choices[kind])) }
        isShowing = true
        defer { isShowing = false }
        let sound = choices.soundProcessing
        let states = [sound.echoCancellation, sound.noiseSuppression, sound.automaticGain]
        for (id, isOn) in zip(Self.switches, states) { template[id][property: "active"] = isOn }
    }

    private func choose(_ device: MediaDevice?, as kind: DeviceKind) {
        run { try await $0.choose(device, as: kind) }
    }

    private func switched() {
        guard !isShowing else { return }
        let states = Self.switches.map { template[$0][property: "active"] ?? true }
        guard states.count == 3 else { return }
        let sound = SoundProcessing(
            echoCancellation: states[0], noiseSuppression: states[1], automaticGain: states[2])
        run { try await $0.setSoundProcessing(sound) }
    }

    private func run(_ body: @escaping @MainActor (any DeviceProvider) async throws -> Void) {
        Task {
            do {
                try await body(provider)
                say("")
            } catch {
                say(sentence(of: error))
            }
            showChoices()
        }
    }

    // MARK: Level

    /// A call may have begun or ended. In a call the microphone is open anyway, and its level shown without being asked for.
    func callChanged() {
        guard calling == nil, let levels = callLevels() else { return }
        stop()
        template["level_switch"].isVisible = false
        template["level_row"][property: "subtitle"] = tr("How loud you are in this call")
        calling = Task { [weak self] in
            for await level in levels { self?.show(level) }
            guard let self, !Task.isCancelled else { return }
            calling = nil
            template["level_switch"].isVisible = true
            template["level_row"][property: "subtitle"] = promise
            show(0)
        }
    }

    private func listen() {
        let isOn = template["level_switch"][property: "active"] ?? false
        guard isOn else { return stop() }
        guard listening == nil else { return }
        listening = Task { [weak self, provider] in
            do {
                // What was read before the switch was turned off may still be on its way.
                for await reading in try await provider.testMicrophone() where !Task.isCancelled { self?.show(reading) }
            } catch {
                if !Task.isCancelled { self?.say(sentence(of: error)) }
            }
        }
    }

    private func stop() {
        listening?.cancel()
        listening = nil
        show(0)
        if template["level_switch"][property: "active"] ?? false {
            template["level_switch"][property: "active"] = false
        }
    }

    private func show(_ reading: MicrophoneTest.Reading) {
        switch reading {
        case .level(let level): show(level)
        case .silent(let isSilent): say(isSilent ? DeviceKind.silentMicrophone : "")
        case .notice(let notice): say(notice.sentence)
        }
    }

    private func show(_ level: Double) { gtk_level_bar_set_value(template["level_bar"].pointer(), level) }

    private func say(_ sentence: String) {
        template["device_error"].text = sentence
        template["device_error"].isVisible = !sentence.isEmpty
    }
}
