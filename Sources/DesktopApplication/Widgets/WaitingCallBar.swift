import CGtk
import GLibKit
import Wording

/// A call that rings while the person is in another one: who calls, and what can be done; or the question whether others are added to
/// the one they are in. It takes no focus.
@MainActor final class WaitingCallBar {
    /// Where the bar is; empty while there is no such call.
    let root = Widget(retaining: UnsafeMutableRawPointer(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)))
    private var shown: (template: Template, avatar: Avatar, actions: CallActions)?

    /// There is no call.
    init() {
        gtk_widget_set_halign(root.pointer(), GTK_ALIGN_CENTER)
        gtk_widget_set_valign(root.pointer(), GTK_ALIGN_START)
        root.isVisible = false
    }

    /// Shows a call with what can be done to it; nil shows nothing.
    func show(_ call: ShownCall?) {
        if let shown, shown.actions !== call?.actions {
            gtk_box_remove(root.pointer(), shown.template.root.pointer())
            self.shown = nil
        }
        root.isVisible = call != nil
        guard let call else { return }
        let (template, avatar) = shown.map { ($0.template, $0.avatar) } ?? make(call)
        avatar.show(name: call.presentation.name, picture: call.presentation.picture)
        template["name"].text = call.presentation.name
        template["labels"].text = call.presentation.labels ?? ""
        template["labels"].isVisible = call.presentation.labels != nil
        template["status"].text = call.presentation.status
        guard let question = call.presentation.question else { return }
        for button in ["join_button", "stay_button"] { template[button].isVisible = question.isForUs }
        template["cancel_button"].isVisible = !question.isForUs
        template["join_button"].setAccessibleLabel(tr("Join the call with %s", question.names))
    }

    /// A bar for each call: buttons in a window don't learn of actions that are made known later between them and the window.
    private func make(_ call: ShownCall) -> (Template, Avatar) {
        let (template, actions) = (Template(call.isQuestion ? "growing-call" : "waiting-call"), call.actions)
        let avatar = Avatar(template["avatar"])
        actions.insert(into: template.root)
        gtk_box_append(root.pointer(), template.root.pointer())
        shown = (template, avatar, actions)
        return (template, avatar)
    }
}

/// A call as windows show it, and what can be done to it.
@MainActor struct ShownCall {
    let presentation: CallPresentation
    let actions: CallActions

    /// Whether it is a question within another call.
    var isQuestion: Bool { presentation.question != nil }
}
