import CGtk
import GLibKit

/// A call that rings, at the lower edge of a dialog: who calls, and the buttons of the call's page. It takes no focus.
@MainActor final class RingingBar {
    /// The bar.
    let root: Widget
    private let template = Template("ringing-bar")

    /// Makes the bar; it is hidden.
    init() {
        root = template.root
        template["buttons"].addKey("<Control>BackSpace", starting: "call.decline")
    }

    /// Shows a call that rings, and whether it has pictures; nil hides the bar.
    func show(_ call: CallPresentation?, kind: CallKind) {
        if let call {
            template["name"].text = call.name
            template["labels"].text = call.labels ?? ""
            template["labels"].isVisible = call.labels != nil
            template["status"].text = call.answerSentence
        }
        template["accept_video_button"].isVisible = kind == .video
        root.isVisible = call != nil
    }
}
