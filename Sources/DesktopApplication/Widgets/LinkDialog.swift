import CGtk
import GLibKit
import Wording

/// The question whether somebody's link is to be opened, with what it says, and what comes of a yes.
@MainActor final class LinkDialog: Dialog {
    let window: DialogWindow
    private let template = Template("open-link")
    private let item: LinkItem
    private let joining: LinkJoining
    private let mark: WaitingMark
    private let onNews: @MainActor (String) -> Void
    private var onGone: (@MainActor () -> Void)?

    /// Makes the dialog, to lie over a window.
    /// - Parameters:
    ///   - onNews: Gets what comes of the link once the dialog is not needed for it any more.
    ///   - onGone: Is told once that the window has gone.
    init(
        _ item: LinkItem, over parent: Widget, joining: LinkJoining, onNews: @escaping @MainActor (String) -> Void,
        onGone: @escaping @MainActor () -> Void
    ) {
        (self.item, self.joining, self.onNews, self.onGone) = (item, joining, onNews, onGone)
        window = DialogWindow(template.root, over: parent)
        mark = WaitingMark(template["mark"])
        template["heading"].text = Self.heading(item.kind)
        template["body"].text = Self.body(item)
        template["connect_button"].connect("clicked") { [weak self] in self?.connect() }
        template["cancel_button"].connect("clicked") { [weak self] in self?.window.close() }
        // Whoever types while the question comes up opens nothing.
        gtk_widget_grab_focus(template["cancel_button"].pointer())
    }

    func gone() {
        onGone?()
        onGone = nil
    }

    private static func heading(_ kind: LinkKindItem) -> String {
        switch kind {
        case .invitation: tr("Connect with who made this link?")
        case .address: tr("Ask the owner of this address?")
        }
    }

    private static func body(_ item: LinkItem) -> String {
        let relays = item.relays.joined(separator: ", ")
        let what =
            switch item.kind {
            case .invitation: tr("The link is an invitation for one person. You become contacts.")
            case .address:
                tr("The link is an address that anybody may use. You become contacts once its owner accepts.")
            }
        let contacted = tr(
            "Parley then contacts the relay %s, which learns your network address. Who made the link sees your name and picture.",
            relays)
        let here = item.staysHere ? [tr("It leads to this computer only.")] : []
        return ([what, contacted] + here).joined(separator: "\n\n")
    }

    private func connect() {
        guard template["connect_button"].isSensitive else { return }
        show(isConnecting: true, tr("Connecting…"))
        // The task keeps the dialog: what was begun is told also when its window is closed.
        Task { await joining.run(item.link, over: window.root) { receive($0) } }
    }

    private func receive(_ step: LinkJoining.Step) {
        switch step {
        case .left: show(isConnecting: false, "")
        case .agreed: show(isConnecting: true, tr("Connecting…"))
        case .begun(.address): leave(tr("Asked. They become a contact once they accept."))
        case .begun(.invitation): leave(tr("Connecting…"))
        case .connected(let contact): leave(tr("%s is now a contact.", contact.name))
        case .failed(let sentence):
            guard window.isOpen else { return onNews(sentence) }
            show(isConnecting: false, sentence)
            template["state"].setClass("error", true)
        }
    }

    /// What goes on by itself needs no window.
    private func leave(_ sentence: String) {
        onNews(sentence)
        window.close()
    }

    private func show(isConnecting: Bool, _ sentence: String) {
        mark.show(isConnecting)
        template["connect_button"].isSensitive = !isConnecting
        template["state"].text = sentence
        template["state"].isVisible = !sentence.isEmpty
        template["state"].setClass("error", false)
    }
}
