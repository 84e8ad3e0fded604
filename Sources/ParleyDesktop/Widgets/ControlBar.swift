import CGtk
import GLibKit

/// The round buttons of a call. What they do are the application's actions; this shows what they would do now.
@MainActor final class ControlBar {
    /// The bar.
    let root: Widget
    private let muteButton: Widget
    private let cameraButton: Widget
    private let flipButton: Widget
    private let shareButton: Widget

    init() {
        let template = Template("control-bar")
        root = template.root
        muteButton = template["mute_button"]
        cameraButton = template["camera_button"]
        flipButton = template["flip_button"]
        shareButton = template["share_button"]
    }

    /// Shows the state of the controls.
    func show(_ controls: ControlState) {
        muteButton.show(controls.microphone)
        cameraButton.show(controls.camera)
        shareButton.show(controls.share)
        flipButton.isVisible = controls.showsFlip
    }
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
