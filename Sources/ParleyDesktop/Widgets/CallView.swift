import CGtk
import GLibKit

/// The page of a running call: their picture or avatar, our preview, the controls.
@MainActor final class CallView {
    /// The page.
    let root: Widget
    private let template = Template("call-view")
    private let controls = ControlBar()
    private let previewOverlay: PreviewOverlay
    private let preview: Widget
    private let avatar: Widget
    private let face: Widget
    private let title: Widget

    /// Shows these two videos.
    init(remote: VideoPaintable, local: VideoPaintable) {
        root = template.root
        preview = template["preview_picture"]
        avatar = template["avatar"]
        face = template["face"]
        title = template["title"]
        let bottom = template["bottom"]
        previewOverlay = PreviewOverlay(
            overlay: root, preview: preview, paintable: local, header: template["header"], bottom: bottom)
        gtk_box_append(bottom.pointer(), controls.root.pointer())
        gtk_picture_set_paintable(template["remote_picture"].pointer(), remote.object.pointer())
        gtk_picture_set_paintable(preview.pointer(), local.object.pointer())
    }

    /// Shows the state of the call.
    func show(_ call: CallPresentation) {
        avatar.text = call.name
        template["face_name"].text = call.name
        template["face_status"].text = call.status
        face.isVisible = !call.showsRemoteVideo
        template["remote_picture"].isVisible = call.showsRemoteVideo
        title.text = call.showsRemoteVideo ? call.name : ""
        title[property: "subtitle"] = call.showsRemoteVideo ? call.status : ""
        preview.isVisible = call.showsPreview
        let notice = template["notice"]
        notice.text = call.notice ?? ""
        notice.isVisible = call.notice != nil
        template["peer_muted_label"].text = call.peerMutedSentence ?? ""
        template["peer_muted"].isVisible = call.peerMutedSentence != nil
        controls.show(call.controls)
    }
}
