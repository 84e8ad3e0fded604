import CGtk
import GLibKit
import Parley
import Wording

/// Everything that is known of a call of the log.
@MainActor final class CallDetailsDialog: Dialog {
    let window: DialogWindow
    private let template = Template("call-details")

    /// Makes the window, to lie over another; `onWish` is told what the person wants, and the window closes.
    init(
        over parent: Widget, call: LoggedCall, _ surroundings: CallLogPresentation.Surroundings,
        onWish: @escaping @MainActor (CallLogWish) -> Void
    ) {
        window = DialogWindow(template.root, over: parent)
        let shown = CallLogPresentation(call, surroundings)
        template["avatar"].text = shown.name
        template["name"].text = shown.name
        for (button, wish) in [
            ("audio_button", CallLogWish.call(.audio)), ("video_button", .call(.video)), ("back_button", .comeBack),
            ("delete_button", .delete),
        ] {
            template[button].connect("clicked") { [weak self] in
                self?.window.close()
                onWish(wish)
            }
        }
        for button in ["audio_button", "video_button"] { template[button].isVisible = shown.again.canCall }
        template["audio_button"].describe(shown.again.audioLabel)
        template["video_button"].describe(shown.again.videoLabel)
        template["back_button"].isVisible = shown.again == .comeBack
        template["back_button"].setAccessibleLabel(tr("Come back into the call with %s", shown.name))
        template["delete_button"].describe(tr("Delete this call from the log"))
        for detail in CallLogPresentation.details(call, surroundings) {
            let row = Widget(retaining: UnsafeMutableRawPointer(adw_action_row_new()))
            row[property: "use-markup"] = false
            row.text = detail.title
            row[property: "subtitle"] = detail.value
            row[property: "subtitle-lines"] = 0
            gtk_list_box_append(template["details"].pointer(), row.pointer())
        }
    }
}
