import CGtk
import GLibKit
import Wording

/// The page of a running call: their picture or avatar, our preview, the controls.
@MainActor final class CallView {
    /// The page.
    let root: Widget
    /// Where the focus rests until the person moves it: on nothing that a key would press.
    let rest: Widget
    private let template = Template("call-view")
    private let controls: ControlBar
    private let previewOverlay: PreviewOverlay
    private let held: HeldCallList
    private let shade: ShadedControls
    /// Whether their camera fills the window, at the cost of its edges.
    private var fills = false
    private var shown: CallPresentation?
    private let preview: Widget
    private let avatar: Avatar
    private let face: Widget
    private let title: Widget
    private let picture: Widget
    private let remote: VideoPaintable
    private let screen: VideoPaintable
    private var watched: (surface: Object, connection: SignalConnection)?

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
        root = template.root
        rest = template["rest"]
        preview = template["preview_picture"]
        avatar = Avatar(template["avatar"])
        face = template["face"]
        title = template["title"]
        picture = template["remote_picture"]
        let companion = template["peer_picture"]
        let bottom = template["bottom"]
        held = HeldCallList(template["held_calls"])
        previewOverlay = PreviewOverlay(
            overlay: root, preview: preview, paintable: local, header: template["header"], bottom: bottom,
            companion: (companion, remote), placement: placement)
        gtk_box_append(bottom.pointer(), controls.root.pointer())
        shade = ShadedControls([template["header"], controls.root], on: root)
        root.connect("map") { [weak self] in self?.watchWidth() }
        gtk_picture_set_paintable(picture.pointer(), remote.object.pointer())
        gtk_picture_set_paintable(companion.pointer(), remote.object.pointer())
        gtk_picture_set_paintable(preview.pointer(), local.object.pointer())
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
        if let shown { fit(shown) }
    }

    /// A screen is always shown whole: its edges matter.
    private func fit(_ call: CallPresentation) {
        gtk_picture_set_content_fit(
            picture.pointer(), fills && !call.showsRemoteScreen ? GTK_CONTENT_FIT_COVER : GTK_CONTENT_FIT_CONTAIN)
    }

    /// Fits the controls into the window, now and whenever that gets another size.
    private func watchWidth() {
        guard let native = gtk_widget_get_native(root.pointer()), let raw = gtk_native_get_surface(native) else {
            return
        }
        controls.fit(width: Int(gdk_surface_get_width(raw)))
        let surface = Object(retaining: UnsafeMutableRawPointer(raw))
        guard surface != watched?.surface else { return }
        watched?.connection.disconnect()
        let connection = surface.connect("notify::width") { [weak self] in
            guard let self, let surface = watched?.surface else { return }
            controls.fit(width: Int(gdk_surface_get_width(surface.pointer())))
        }
        watched = (surface, connection)
    }

    isolated deinit { watched?.connection.disconnect() }

    /// Where the preview lies now.
    var placement: PreviewPlacement { previewOverlay.placement }

    /// Shows the state of the call.
    func show(_ call: CallPresentation) {
        avatar.show(name: call.name, picture: call.picture)
        if shown?.name != call.name { rest.setAccessibleLabel(call.name) }
        template["face_name"].text = call.name
        template["face_status"].text = call.status
        let showsPicture = call.showsRemoteVideo || call.showsRemoteScreen
        face.isVisible = !showsPicture
        picture.show(screen: screen, camera: remote, of: call)
        shown = call
        fit(call)
        shade.setPicture(showsPicture)
        template["peer_picture"].isVisible = call.showsRemoteScreen && call.showsRemoteVideo
        title.text = showsPicture ? call.name : ""
        title[property: "subtitle"] = showsPicture ? call.status : ""
        preview.isVisible = call.showsPreview
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
        controls.show(call.controls)
        controls.show(call.devices)
    }

    /// Shows the calls on hold behind this one.
    func show(held calls: [ShownCall]) { held.show(calls) }

    /// Shows how loud our microphone is, from 0 to 1.
    func show(level: Double) { controls.show(level: level) }
}

extension Widget {
    /// Shows their screen while they share one, else their camera. A screen is shown whole: its edges matter.
    func show(screen: VideoPaintable, camera: VideoPaintable, of call: CallPresentation) {
        let shown = call.showsRemoteScreen ? screen : camera
        if gtk_picture_get_paintable(pointer()) != shown.object.pointer() {
            gtk_picture_set_paintable(pointer(), shown.object.pointer())
            setAccessibleLabel(
                call.showsRemoteScreen ? tr("Screen of the other person") : tr("Picture of the other person"))
        }
        isVisible = call.showsRemoteVideo || call.showsRemoteScreen
    }
}
