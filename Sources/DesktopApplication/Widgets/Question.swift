import GLibKit
import Wording

/// A question with a no and one other answer, over a window.
@MainActor enum Question {
    /// Makes it; `onYes` is called only for an explicit yes.
    /// - Parameters:
    ///   - heading: The question.
    ///   - body: What a yes means.
    ///   - yes: The label of the yes.
    static func make(
        over parent: Widget, heading: String, body: String, yes: String, onYes: @escaping @MainActor () -> Void
    ) -> MessageDialog {
        MessageDialog(
            over: parent, heading: heading, body: body,
            responses: [.init(id: "no", label: tr("Cancel")), .init(id: "yes", label: yes, style: .destructive)],
            preferred: "no"
        ) { if $0 == "yes" { onYes() } }
    }
}
