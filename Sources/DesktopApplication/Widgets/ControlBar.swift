import CGtk
import GLibKit
import Wording

/// The round buttons of a call. What they do are the application's actions; this shows what they would do now.
@MainActor final class ControlBar {
    /// The bar.
    let root: Widget
    /// The button of the microphone.
    let microphone: Widget
    private let cameraButton: Widget
    private let flipButton: Widget
    private let shareButton: Widget
    private let holdButton: Widget
    private let handButton: Widget
    private let peopleButton: Widget
    private let endButton: Widget
    private let level: Widget
    private let menu: DeviceMenu
    private var isNarrow = false
    private var shown: ControlState?

    /// Makes the bar; `onDevice` is told which device the person chooses in the menu.
    init(onDevice: @escaping DeviceMenu.Choice = { _, _ in }) {
        let template = Template("control-bar")
        root = template.root
        microphone = template["mute_button"]
        cameraButton = template["camera_button"]
        flipButton = template["flip_button"]
        shareButton = template["share_button"]
        holdButton = template["hold_button"]
        handButton = template["hand_button"]
        peopleButton = template["people_button"]
        endButton = template["end_button"]
        level = template["level"]
        gtk_level_bar_remove_offset_value(level.pointer(), nil)
        menu = DeviceMenu(template["devices_button"], onChoice: onDevice)
    }

    /// Shows the state of the controls.
    func show(_ controls: ControlState) {
        microphone.show(controls.microphone)
        cameraButton.show(controls.camera)
        shareButton.show(controls.share)
        holdButton.show(controls.hold)
        holdButton.isVisible = controls.hold.isEnabled
        shown = controls
        showFlip()
        handButton.isVisible = controls.hand != nil
        peopleButton.isVisible = controls.hand != nil
        if let hand = controls.hand {
            handButton.show(hand)
            if endButton[property: "tooltip-text"] != tr("Leave the call") { endButton.describe(tr("Leave the call")) }
        }
        level.isVisible = controls.showsLevel
    }

    /// A narrow window has no room for all buttons of a call of several; the menu of devices has the other camera, too.
    private func showFlip() {
        flipButton.isVisible = shown.map { $0.showsFlip && !(isNarrow && $0.hand != nil) } ?? false
    }

    /// Says whether those who take part are shown.
    func show(isShowingPeople: Bool) {
        peopleButton.show(
            ControlFace(
                icon: "system-users-symbolic",
                label: isShowingPeople ? tr("Hide the participants") : tr("Show the participants"),
                isTurnedOff: isShowingPeople, isEnabled: true))
    }

    /// Makes the buttons smaller where the window is too narrow for them.
    func fit(width: Int) {
        isNarrow = width < 540
        showFlip()
        root.setClass("narrow", isNarrow)
        gtk_box_set_spacing(root.pointer(), isNarrow ? 4 : 12)
    }

    /// Shows the devices to choose from.
    func show(_ devices: DeviceMenuContent) { menu.show(devices) }

    /// Shows how loud the microphone is, from 0 to 1.
    func show(level value: Double) { gtk_level_bar_set_value(level.pointer(), value) }
}

extension Widget {
    /// Shows a control's icon and sentence on a button.
    func show(_ face: ControlFace) {
        if self[property: "icon-name"] != face.icon { self[property: "icon-name"] = face.icon }
        if self[property: "tooltip-text"] != face.label { describe(face.label) }
        setClass("turned-off", face.isTurnedOff)
        setClass("active", face.isActive)
    }
}
