import CGtk
import GLibKit
import MediaRules
import Wording

/// The page of a running call: their picture or avatar, our preview, the controls.
@MainActor final class CallView {
    /// The page.
    let root: Widget
    /// Called when the person begins to talk by holding Space, and when they stop.
    var onTalk: (Bool) -> Void = { _ in }
    /// Called with how loud the person wants the call.
    var onVolumes: (SoundVolumes) -> Void = { _ in }
    /// Called when the person has changed how the call is shown.
    var onViewChange: (ViewChange) -> Void = { _ in }
    /// Where the focus begins.
    var first: Widget { controls.microphone }
    /// Where the focus rests while that can't be used: on nothing that a key would press.
    let rest: Widget
    private let template = Template("call-view")
    private let controls: ControlBar
    private let previewOverlay: PreviewOverlay
    private let held: HeldCallList
    private let shade: ShadedControls
    private let sound: SoundMenu
    private let talk: TalkKey
    private let zoom: ZoomControl
    /// What the call's microphone is like, and whether Space is to be talked with.
    private final class Talking {
        var controls: ControlState?
        var isWanted: () -> Bool = { false }
    }
    private let talking = Talking()
    /// Whether their camera fills the window, at the cost of its edges.
    private var fills = false
    private var shown: CallPresentation?
    private let preview: Widget
    private let avatar: Avatar
    private let face: Widget
    private let title: Widget
    private let picture: Widget
    private let companion: Widget
    private let remote: VideoPaintable
    private let screen: VideoPaintable
    private let local: VideoPaintable
    /// Whether the person wants the own picture large.
    private var isSwapped = false
    private var showsScreen = false
    private var watch: SurfaceSize?

    /// Shows these videos: their camera, the screen they share, our own camera. `placement` is where the preview lies;
    /// `onDevice` is told which device the person chooses.
    init(
        remote: VideoPaintable, screen: VideoPaintable, local: VideoPaintable,
        placement: PreviewPlacement = PreviewPlacement(),
        onDevice: @escaping DeviceMenu.Choice = { _, _ in }
    ) {
        controls = ControlBar(onDevice: onDevice)
        self.remote = remote
        self.screen = screen
        self.local = local
        root = template.root
        rest = template["rest"]
        preview = template["preview_picture"]
        avatar = Avatar(template["avatar"])
        face = template["face"]
        title = template["title"]
        picture = template["remote_picture"]
        companion = template["peer_picture"]
        let bottom = template["bottom"]
        held = HeldCallList(template["held_calls"])
        previewOverlay = PreviewOverlay(
            overlay: root,
            parts: .init(
                preview: preview, companion: companion, notices: template["notices"], face: template["face"],
                header: template["header"], controls: bottom),
            placement: placement)
        gtk_box_append(bottom.pointer(), controls.root.pointer())
        sound = SoundMenu(template["sound_button"])
        zoom = ZoomControl(picture, of: screen, on: root)
        talk = TalkKey(on: root, microphone: controls.microphone) { [talking] in
            PushToTalk.Situation(talking.controls?.microphone, isWanted: talking.isWanted())
        }
        shade = ShadedControls([template["header"], controls.root], on: root)
        watch = SurfaceSize(of: root) { [controls] width, _ in controls.fit(width: width) }
        previewOverlay.onActivate = { [weak self] in self?.swap() }
        previewOverlay.onMove = { [weak self] in self?.onViewChange(.moved($0)) }
        zoom.onZoom = { [weak self] in self?.onViewChange(.zoomed($0)) }
        talk.onTalk = { [weak self] isTalking in
            self?.template["talking"].isVisible = isTalking
            self?.onTalk(isTalking)
        }
        sound.onChange = { [weak self] in self?.onVolumes($0) }
        root.addKey("f", starting: "call.fit-picture")
        root.addKey("Escape", starting: "call.leave-full-screen")
        let clicks = Object(adopting: UnsafeMutableRawPointer(gtk_gesture_click_new()))
        g_object_ref(clicks.raw)  // the picture takes a reference over
        gtk_widget_add_controller(picture.pointer(), clicks.pointer())
        clicks.connect("pressed") { [weak self] arguments in
            guard arguments.get(0, as: Int32.self) == 2, let self else { return }
            gtk_widget_activate_action_variant(picture.pointer(), "call.fit-picture", nil)
        }
    }

    /// Lets their camera fill the window, or shows it whole again.
    func toggleFit() {
        fills.toggle()
        guard let shown else { return }
        fit(shown)
        let large = PictureArrangement(shown, isSwapped: isSwapped).large
        if large != nil, large != .theirScreen { onViewChange(.filled(fills)) }
    }

    /// Puts the small picture into the place of the large one, or back.
    private func swap() {
        guard let shown, PictureArrangement(shown, isSwapped: isSwapped).canSwap else { return }
        isSwapped.toggle()
        arrange(shown)
        guard let large = PictureArrangement(shown, isSwapped: isSwapped).large else { return }
        onViewChange(.swapped(large, name: shown.name))
    }

    private func arrange(_ call: CallPresentation) {
        // Who begins to share a screen means it to be read.
        if call.showsRemoteScreen, !showsScreen { isSwapped = false }
        showsScreen = call.showsRemoteScreen
        let pictures = PictureArrangement(call, isSwapped: isSwapped)
        // Who turns a picture off and on finds it where it usually is.
        isSwapped = isSwapped && pictures.canSwap
        show(pictures.large, in: picture)
        show(pictures.small, in: preview)
        show(pictures.beside, in: companion)
        fit(call)
        zoom.isPossible = pictures.large == .theirScreen
    }

    private func show(_ shown: PictureArrangement.Picture?, in widget: Widget) {
        widget.isVisible = shown != nil
        guard let shown else { return }
        let (paintable, sentence) =
            switch shown {
            case .theirCamera: (remote, tr("Picture of the other person"))
            case .theirScreen: (screen, tr("Screen of the other person"))
            case .own: (local, tr("Your own picture"))
            }
        guard gtk_picture_get_paintable(widget.pointer()) != paintable.object.pointer() else { return }
        gtk_picture_set_paintable(widget.pointer(), paintable.object.pointer())
        widget.setAccessibleLabel(sentence)
    }

    /// A screen is always shown whole: its edges matter.
    private func fit(_ call: CallPresentation) {
        let large = PictureArrangement(call, isSwapped: isSwapped).large
        gtk_picture_set_content_fit(
            picture.pointer(), fills && large != .theirScreen ? GTK_CONTENT_FIT_COVER : GTK_CONTENT_FIT_CONTAIN)
    }

    /// Says who is asked whether Space is to be talked with.
    func setTalksWithSpace(_ isWanted: @escaping () -> Bool) { talking.isWanted = isWanted }

    /// Where the preview lies now.
    var placement: PreviewPlacement { previewOverlay.placement }

    /// Shows the state of the call.
    func show(_ call: CallPresentation) {
        template["add_button"].isVisible = !call.addable.isEmpty
        avatar.show(name: call.name, picture: call.picture)
        if shown?.name != call.name { rest.setAccessibleLabel(call.name) }
        template["face_name"].text = call.name
        template["face_status"].text = call.status
        let showsPicture = call.showsRemoteVideo || call.showsRemoteScreen
        face.isVisible = !showsPicture
        shown = call
        arrange(call)
        shade.setPicture(showsPicture && !call.keepsStatus)
        title.text = showsPicture ? call.name : ""
        title[property: "subtitle"] = showsPicture ? call.status : ""
        template["clear_label"].text = call.clearSentence ?? ""
        template["clear"].isVisible = call.clearSentence != nil
        template["hold_label"].text = call.holdSentence ?? ""
        template["hold"].isVisible = call.holdSentence != nil
        template["resume_button"].isVisible = call.controls.hold.isActive
        template["sharing_label"].text = call.sharingSentence ?? ""
        template["sharing"].isVisible = call.sharingSentence != nil
        template["system_mute_label"].text = call.systemMuteSentence ?? ""
        template["system_mute"].isVisible = call.systemMuteSentence != nil
        let notice = template["notice"]
        notice.text = call.notice ?? ""
        notice.isVisible = call.notice != nil
        template["peer_muted_label"].text = call.peerMutedSentence ?? ""
        template["peer_muted"].isVisible = call.peerMutedSentence != nil
        talking.controls = call.controls
        if !call.controls.microphone.isEnabled { talk.release() }
        sound.show(call.controls)
        controls.show(call.controls)
        controls.show(call.devices)
        rest.takeFocusOfNobody()
    }

    /// Shows how loud they speak, from 0 to 3, as a ring around their face. Without animations the ring has one size.
    func show(speaking step: Int) {
        let shown = adw_get_enable_animations(root.pointer()) == 0 ? min(step, 1) : step
        for size in 1...3 { template["speaking"].setClass("speaking-\(size)", size == shown) }
    }

    /// Shows how good the connection is; nil where that is not known.
    func show(_ reading: QualityReading?) {
        let button = template["connection_button"]
        button.isVisible = reading != nil
        guard let reading else { return }
        if button[property: "icon-name"] != reading.icon { button[property: "icon-name"] = reading.icon }
        if button[property: "tooltip-text"] != reading.sentence { button.describe(reading.sentence) }
    }

    /// Shows the calls on hold behind this one.
    func show(held calls: [ShownCall]) { held.show(calls) }

    /// Shows how loud our microphone is, from 0 to 1.
    func show(level: Double) { controls.show(level: level) }
}
