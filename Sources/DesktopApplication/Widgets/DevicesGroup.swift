import CGtk
import GLibKit
import Media
import MediaRules
import Parley
import Wording

/// Cameras, microphones and speakers, chosen and tried: a part of the preferences and of the welcome.
@MainActor final class DevicesGroup {
    /// What it needs to know of a call that lasts.
    typealias Levels = @MainActor () -> AsyncStream<Double>?

    /// What is shown.
    let root: Widget
    private let template = Template("devices")
    private let provider: any DeviceProvider & RingProvider
    private let callLevels: Levels
    private var rows: [DeviceKind: DeviceRow] = [:]
    private var devices = MediaDevices()
    private var following: Task<Void, Never>?
    private var camera: CameraTestRow?
    private var speaker: SpeakerTestRow?
    /// Tests the microphone.
    private var listening: Task<Void, Never>?
    /// Shows the level of a call.
    private var calling: Task<Void, Never>?
    private let promise: String
    /// Is told that the person chooses or tries a device.
    var onUse: @MainActor () -> Void = {}

    /// Makes the widgets; no device is opened. `callLevels` are those of the microphone in the present call; nil when there is none.
    init(provider: any DeviceProvider & RingProvider, callLevels: @escaping Levels) {
        root = template.root
        self.provider = provider
        self.callLevels = callLevels
        promise = template["level_row"][property: "subtitle"] ?? ""
        for (kind, id) in [
            (DeviceKind.camera, "camera_row"), (.microphone, "microphone_row"), (.speaker, "speaker_row"),
        ] {
            rows[kind] = DeviceRow(template[id]) { [weak self] device in self?.choose(device, as: kind) }
        }
        camera = CameraTestRow(template, provider: provider) { [weak self] in self?.say($0) }
        speaker = SpeakerTestRow(template, provider: provider) { [weak self] in self?.say($0) }
        template["level_switch"].connect("notify::active") { [weak self] in self?.listen() }
        for name in ["level_switch", "camera_switch"] {
            template[name].connect("notify::active") { [weak self] in self?.switched(name) }
        }
        template["speaker_test_button"].connect("clicked") { [weak self] in self?.onUse() }
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

    // MARK: Choices

    private func show(_ devices: MediaDevices) {
        self.devices = devices
        showChoices()
    }

    private func showChoices() {
        guard let choices = provider.deviceChoices() else { return }
        for (kind, row) in rows { row.show(DevicePicker(kind, devices: devices[kind], chosen: choices[kind])) }
    }

    private func switched(_ name: String) { if template[name][property: "active"] ?? false { onUse() } }

    private func choose(_ device: MediaDevice?, as kind: DeviceKind) {
        onUse()
        run { try await $0.choose(device, as: kind) }
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
        camera?.setUsable(false)
        template["level_switch"].isVisible = false
        template["level_row"][property: "subtitle"] = tr("How loud you are in this call")
        calling = Task { [weak self] in
            for await level in levels { self?.show(level) }
            guard let self, !Task.isCancelled else { return }
            calling = nil
            camera?.setUsable(true)
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

    /// Shows what is wrong; empty: nothing.
    func say(_ sentence: String) {
        template["device_error"].text = sentence
        template["device_error"].isVisible = !sentence.isEmpty
    }
}
