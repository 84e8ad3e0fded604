import CGtk
import GLibKit

/// “How do people reach you?” as a window.
@MainActor final class ReachDialog: Dialog {
    let window: DialogWindow
    private let view: ReachView

    /// Makes the dialog, to lie over a window; `onChange` is told when people may be reached in another way.
    init(over parent: Widget, provider: any ReachProvider, onChange: @escaping @MainActor () -> Void = {}) {
        let template = Template("reach")
        view = ReachView(provider) { _ in onChange() }
        gtk_box_append(template["content"].pointer(), view.root.pointer())
        window = DialogWindow(template.root, over: parent)
    }
}
