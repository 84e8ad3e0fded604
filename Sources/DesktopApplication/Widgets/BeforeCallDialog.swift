import CGtk
import GLibKit
import Media
import MediaRules
import Wording

/// What would be seen and heard of the person, before they call somebody. Nobody is told of it: camera and microphone are open for this
/// window alone, and closed with it.
@MainActor final class BeforeCallDialog: Dialog {
    let window: DialogWindow
    private let template = Template("before-call")
    private let provider: any DeviceProvider
    private let onAnswer: @MainActor (Bool) -> Void
    private let picture = VideoPaintable(mirrored: true)
    private var rows: [DeviceKind: DeviceRow] = [:]
    private var devices = MediaDevices()
    private var tasks: [Task<Void, Never>] = []
    private var answer = false

    /// Makes the window, to lie over another, and opens the devices; `onAnswer` is told whether to call, once they are closed.
    init(
        over parent: Widget, contacts: [ContactItem], kind: CallKind, provider: any DeviceProvider,
        onAnswer: @escaping @MainActor (Bool) -> Void
    ) {
        (self.provider, self.onAnswer) = (provider, onAnswer)
        window = DialogWindow(template.root, over: parent)
        template.root[property: "title"] = tr("Call %s?", contacts.map(\.name).joined(separator: ", "))
        for (kind, id) in [
            (DeviceKind.camera, "camera_row"), (.microphone, "microphone_row"), (.speaker, "speaker_row"),
        ] {
            rows[kind] = DeviceRow(template[id]) { [weak self] in self?.choose($0, as: kind) }
        }
        template["camera_row"].isVisible = kind == .video
        template["picture_box"].isVisible = kind == .video
        gtk_picture_set_paintable(template["picture"].pointer(), picture.object.pointer())
        gtk_level_bar_remove_offset_value(template["level"].pointer(), nil)
        template["call_button"].connect("clicked") { [weak self] in self?.close(answering: true) }
        template["cancel_button"].connect("clicked") { [weak self] in self?.close(answering: false) }
        gtk_window_set_default_widget(template.root.pointer(), template["call_button"].pointer())
        gtk_widget_grab_focus(template["call_button"].pointer())
        open(kind)
    }

    isolated deinit { for task in tasks { task.cancel() } }

    func gone() {
        stop()
        onAnswer(answer)
    }

    private func close(answering answer: Bool) {
        guard window.isOpen else { return }
        self.answer = answer
        stop()
        window.close()
    }

    private func stop() {
        for task in tasks { task.cancel() }
        tasks = []
        picture.attach(nil)
    }

    private func open(_ kind: CallKind) {
        tasks = [
            Task { [weak self, provider] in
                guard let changes = try? await provider.devices() else { return }
                for await devices in changes { self?.show(devices) }
            },
            Task { [weak self, provider] in
                await self?.complaining {
                    for await reading in try await provider.testMicrophone() where !Task.isCancelled {
                        self?.show(reading)
                    }
                }
            },
        ]
        guard kind == .video else { return }
        tasks.append(
            Task { [weak self, provider] in
                await self?.complaining {
                    let trial = try await provider.testCamera()
                    if !Task.isCancelled { self?.picture.attach(trial.picture) }
                    for await notice in trial.notices where !Task.isCancelled { self?.say(notice.sentence) }
                }
            })
    }

    private func complaining(_ body: () async throws -> Void) async {
        do {
            try await body()
        } catch {
            if !Task.isCancelled { say(sentence(of: error)) }
        }
    }

    private func show(_ devices: MediaDevices) {
        self.devices = devices
        showChoices()
    }

    private func showChoices() {
        guard let choices = provider.deviceChoices() else { return }
        for (kind, row) in rows { row.show(DevicePicker(kind, devices: devices[kind], chosen: choices[kind])) }
    }

    private func choose(_ device: MediaDevice?, as kind: DeviceKind) {
        Task { [weak self, provider] in
            await self?.complaining {
                try await provider.choose(device, as: kind)
                self?.say("")
            }
            self?.showChoices()
        }
    }

    private func show(_ reading: MicrophoneTest.Reading) {
        switch reading {
        case .level(let level): gtk_level_bar_set_value(template["level"].pointer(), level)
        case .silent(let isSilent): say(isSilent ? DeviceKind.silentMicrophone : "")
        case .notice(let notice): say(notice.sentence)
        }
    }

    private func say(_ sentence: String) {
        template["error"].text = sentence
        template["error"].isVisible = !sentence.isEmpty
    }
}
