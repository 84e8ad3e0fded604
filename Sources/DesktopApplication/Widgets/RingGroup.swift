import CGtk
import Foundation
import GLibKit
import Media
import MediaRules
import Parley
import Wording

/// The part of the preferences about how calls ring: where, how loud, and with which sound.
@MainActor final class RingGroup {
    private let template: Template
    private let provider: any DeviceProvider & RingProvider
    private let player: SoundPlayer?
    private var choices: RingChoices
    private var speakers: [MediaDevice] = []
    private var row: DeviceRow?
    private var chooser: FileChooser?
    private var following: Task<Void, Never>?
    private var listening: Task<Void, Never>?
    /// Remembers the volume once the slider rests.
    private var saving: Task<Void, Never>?
    private var isShowing = false

    /// How long the slider has to rest.
    private static let rest = Duration.milliseconds(300)

    /// Fills the widgets of the preferences' template.
    init(_ template: Template, provider: any DeviceProvider & RingProvider) {
        self.template = template
        self.provider = provider
        player = provider.makeSoundPlayer()
        choices = provider.ringChoices() ?? RingChoices()
        row = DeviceRow(template["ring_row"]) { [weak self] device in self?.change { $0.device = device } }
        template["ring_volume"].connect("value-changed") { [weak self] in self?.volumeChanged() }
        template["ring_listen_button"].connect("clicked") { [weak self] in self?.listen() }
        template["ring_choose_button"].connect("clicked") { [weak self] in self?.choose() }
        template["ring_own_button"].connect("clicked") { [weak self] in self?.use(nil) }
        // Nobody looks at the page any more: it falls silent.
        template["ring_sound_row"].connect("unmap") { [weak self] in self?.player?.stop() }
        show()
        following = Task { [weak self, provider] in
            guard let changes = try? await provider.devices() else { return }
            for await devices in changes { self?.show(devices) }
        }
        guard let notices = player?.notices else { return }
        listening = Task { [weak self] in
            for await notice in notices { self?.say(notice.sentence) }
        }
    }

    isolated deinit {
        player?.stop()
        following?.cancel()
        listening?.cancel()
    }

    /// Takes a file of the person's in place of Parley's ring; nil is Parley's again.
    func use(_ file: String?) {
        chooser = nil
        change { $0.file = file }
        listen()
    }

    private func show(_ devices: MediaDevices) {
        speakers = devices.speakers
        show()
    }

    private func show() {
        isShowing = true
        defer { isShowing = false }
        row?.show(DevicePicker(.speaker, devices: speakers, chosen: choices.device))
        gtk_range_set_value(template["ring_volume"].pointer(), choices.volume)
        let name = choices.file.map { URL(fileURLWithPath: $0).lastPathComponent }
        template["ring_sound_row"][property: "subtitle"] = name ?? tr("Parley’s own")
        template["ring_own_button"].isVisible = choices.file != nil
    }

    private func change(_ body: (inout RingChoices) -> Void) {
        body(&choices)
        say("")
        show()
        save(after: .zero)
    }

    private func volumeChanged() {
        guard !isShowing else { return }
        choices.volume = gtk_range_get_value(template["ring_volume"].pointer())
        player?.setVolume(choices.volume)
        save(after: Self.rest)
    }

    private func save(after rest: Duration) {
        saving?.cancel()
        saving = Task { [weak self, provider, choices] in
            if rest > .zero { try? await Task.sleep(for: rest) }
            guard !Task.isCancelled else { return }
            do {
                try await provider.setRing(choices)
            } catch {
                self?.say(sentence(of: error))
            }
        }
    }

    private func listen() {
        var request = SoundRequest(.ring, ring: choices, speaker: nil)
        request.repetition = nil
        say("")
        player?.play(request)
    }

    private func choose() {
        chooser = FileChooser(.sound, over: template.root) { [weak self] file in self?.use(file) }
    }

    private func say(_ sentence: String) {
        template["ring_error"].text = sentence
        template["ring_error"].isVisible = !sentence.isEmpty
    }
}
