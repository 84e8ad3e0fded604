import BaseKit
import CGtk
import GLibKit
import MediaRules
import Wording

/// The button and popover for how loud a call is, here and at the other side.
@MainActor final class SoundMenu {
    /// Called with what the person chooses.
    var onChange: (SoundVolumes) -> Void = { _ in }
    private let button: Widget
    private let template = Template("sound-menu")
    private var shown = SoundVolumes()
    private var isShowing = false
    /// The factors that the person has chosen, of the loudspeaker and of the microphone.
    private var choice = PendingChoice<[Double]>()

    /// Takes charge of a menu button.
    init(_ button: Widget) {
        self.button = button
        gtk_menu_button_set_popover(button.pointer(), template.root.pointer())
        button.describe(tr("Volume"))
        for name in ["speaker_scale", "microphone_scale"] {
            let scale = template[name]
            gtk_scale_add_mark(scale.pointer(), 100, GTK_POS_BOTTOM, nil)
            scale.connect("value-changed") { [weak self] in self?.changed() }
        }
    }

    /// Shows what is chosen.
    func show(_ controls: ControlState) {
        if button[property: "icon-name"] != controls.speaker.icon {
            button[property: "icon-name"] = controls.speaker.icon
        }
        button.isSensitive = controls.speaker.isEnabled
        template["speaker_button"].show(controls.speaker)
        var volumes = controls.volumes
        let factors = choice.shown([volumes.speaker, volumes.microphone], now: .now)
        (volumes.speaker, volumes.microphone) = (factors[0], factors[1])
        guard shown != volumes else { return }
        shown = volumes
        isShowing = true
        defer { isShowing = false }
        set("speaker_scale", shown.speaker)
        set("microphone_scale", shown.microphone)
    }

    private func set(_ name: String, _ factor: Double) {
        gtk_range_set_value(template[name].pointer(), (factor * 100).rounded())
    }

    private func changed() {
        guard !isShowing else { return }
        var volumes = shown
        volumes.speaker = gtk_range_get_value(template["speaker_scale"].pointer()) / 100
        volumes.microphone = gtk_range_get_value(template["microphone_scale"].pointer()) / 100
        guard volumes != shown else { return }
        shown = volumes
        choice.choose([volumes.speaker, volumes.microphone], now: .now)
        onChange(volumes)
    }
}
