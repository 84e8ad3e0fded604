import CGtk
import GLibKit
import Wording

/// The calls on hold behind the one in front: one below the other, each with its own buttons.
@MainActor final class HeldCallList {
    private let box: Widget
    private var rows: [(template: Template, actions: CallActions)] = []

    /// Fills a box.
    init(_ box: Widget) { self.box = box }

    /// Shows exactly these.
    func show(_ calls: [ShownCall]) {
        if !rows.map(\.actions).elementsEqual(calls.map(\.actions), by: ===) {
            for row in rows { gtk_box_remove(box.pointer(), row.template.root.pointer()) }
            rows = calls.map { ($0.actions.template(), $0.actions) }
            for row in rows { gtk_box_append(box.pointer(), row.template.root.pointer()) }
        }
        for (row, call) in zip(rows, calls) {
            let name = call.presentation.name
            row.template["label"].text = tr("%1$s – %2$s", name, call.presentation.status)
            row.template["resume_button"].describe(tr("Go on with the call with %s", name))
            row.template["end_button"].describe(tr("End the call with %s", name))
        }
        box.isVisible = !calls.isEmpty
    }
}

extension CallActions {
    /// A row for the call, which knows its actions.
    @MainActor fileprivate func template() -> Template {
        let template = Template("held-call")
        insert(into: template.root)
        return template
    }
}
