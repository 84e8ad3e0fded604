import CGtk
import GLibKit
import Wording

/// Shows the code by which two people make sure that nobody is between them.
@MainActor enum SecurityCodeDialog {
    /// Makes it, to lie over a window. Where it is told whether the code was compared, the person can say so, or take that back:
    /// `onCompared` is told.
    static func make(
        over parent: Widget, code: String, name: String, isCompared: Bool? = nil,
        onCompared: @escaping @MainActor (Bool) -> Void = { _ in }
    ) -> MessageDialog {
        let label = Widget(retaining: UnsafeMutableRawPointer(gtk_label_new(code)))
        label[property: "selectable"] = true
        label[property: "wrap"] = true
        label[property: "justify"] = "center"
        label[property: "max-width-chars"] = 24
        label.setClass("security-code", true)
        let body = tr(
            "Compare it with the one that %s sees, face to face or by voice. If both are the same, nobody reads along.",
            name)
        var responses = [MessageDialog.Response(id: "close", label: tr("Done"))]
        switch isCompared {
        case nil: break
        case false?: responses.append(.init(id: "mark", label: tr("Both Are the Same"), style: .suggested))
        case true?: responses.append(.init(id: "forget", label: tr("Not Compared"), style: .destructive))
        }
        return MessageDialog(
            over: parent, heading: tr("Security code"), body: body, child: label, responses: responses
        ) { id in if id != "close" { onCompared(id == "mark") } }
    }
}
