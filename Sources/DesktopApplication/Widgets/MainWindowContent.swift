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

    /// Whether there are other profiles to turn to while the account opens, or does not.
    var hasOtherProfiles: Bool {
        get { template["profiles_button"].isVisible }
        set { template["profiles_button"].isVisible = newValue }
    }

    /// Shows how far the account has come.
    func show(_ title: String, _ sentence: String, icon: String) {
        let status = template["starting_page"]
        status[property: "title"] = title
        status[property: "description"] = MarkupText.plain(sentence)
        status[property: "icon-name"] = icon
    }

    /// Shows what can be done about it, nil while it is under way.
    func offer(_ offer: Offer?) {
        let (again, bring) = (template["try_again_button"], template["bring_button"])
        (again.isVisible, bring.isVisible) = (false, false)
        startingMark.show(offer == nil)
        switch offer {
        case .again(let label):
            again[property: "label"] = label
            again.isVisible = true
        case .bring: bring.isVisible = true
        case nil: break
        }
    }

    /// Lets the keyboard press what brings a profile from another machine.
    func focusOffer() { gtk_widget_grab_focus(template["bring_button"].pointer()) }
}
