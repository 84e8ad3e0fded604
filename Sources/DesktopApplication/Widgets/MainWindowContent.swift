import CGtk
import GLibKit

/// What is in the main window: its pages, of which one is there from the beginning, and what lies over them.
@MainActor final class MainWindowContent {
    /// What can be done about a profile that does not open.
    enum Offer {
        /// To try it again, by a button of this label.
        case again(String)
        /// To bring one from another machine.
        case bring
    }

    /// Where toasts are shown, around all.
    let root: Widget
    /// The pages, by name.
    let pages: Widget
    /// What a sentence is shown in during a call.
    let callToast: PassingNotice
    /// Turns while the account opens.
    let startingMark: WaitingMark
    /// A call that rings while the person is in another one.
    let waitingCall = WaitingCallBar()
    private let template = Template("main-content")

    /// Makes it, with the page that is shown while the account opens.
    init() {
        root = template.root
        pages = template["pages"]
        callToast = PassingNotice(template)
        startingMark = WaitingMark(template["starting_mark"])
        gtk_overlay_add_overlay(template["above_pages"].pointer(), waitingCall.root.pointer())
        pages.showPage(MainWindow.Page.starting.rawValue)
    }

    /// A widget by its id.
    subscript(_ id: String) -> Widget { template[id] }

    /// Shows how far the account has come.
    func show(_ title: String, _ sentence: String, icon: String) {
        let status = template["starting_page"]
        status[property: "title"] = title
        status[property: "description"] = MarkupText.plain(sentence)
        status[property: "icon-name"] = icon
    }

    /// Shows what can be done about it, nil while it is under way.
    func offer(_ offer: Offer?) {
        var (label, brings): (String?, Bool) = (nil, false)
        switch offer {
        case .again(let text): label = text
        case .bring: brings = true
        case nil: break
        }
        if let label { template["try_again_button"][property: "label"] = label }
        template["try_again_button"].isVisible = label != nil
        template["bring_button"].isVisible = brings
        if offer != nil { startingMark.show(false) }
    }
}
