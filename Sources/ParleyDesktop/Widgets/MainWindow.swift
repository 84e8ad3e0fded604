import CGtk
import GLibKit

/// The main window: starting, what calls lack, contacts, or the call.
@MainActor final class MainWindow {
    /// What the window shows.
    enum Page: String {
        case starting, obstacle, contacts, incoming, call, ended

        /// Whether it has the buttons of a call at its lower edge.
        var isOfCall: Bool {
            switch self {
            case .starting, .obstacle, .contacts: false
            case .incoming, .call, .ended: true
            }
        }
    }

    /// The window.
    let root: Widget
    private let template = Template("main-window")
    private let contacts: ContactList
    private let requests: RequestList
    private let pages: Widget
    private let callToast: PassingNotice
    private let startingMark: WaitingMark
    private var rests: [Page: Widget] = [:]
    private var toast: Object?
    /// Is told that the person wants to reach the relay now.
    var onRetry: () -> Void = {}

    /// Makes the window; `onWish` is told what the person wants of a contact, `onAnswer` whom they take as one.
    init(
        application: Object, onWish: @escaping @MainActor (ContactItem, ContactWish) -> Void,
        onAnswer: @escaping @MainActor (RequestItem, Bool) -> Void
    ) {
        root = template.root
        pages = template["pages"]
        callToast = PassingNotice(template["call_toast"])
        startingMark = WaitingMark(template["starting_mark"])
        contacts = ContactList(list: template["contact_list"], emptyPage: template["empty_page"], onWish: onWish)
        requests = RequestList(
            list: template["request_list"], section: template["request_section"], onAnswer: onAnswer)
        template["retry_button"].connect("clicked") { [weak self] in self?.onRetry() }
        pages.showPage(Page.starting.rawValue)
        gtk_window_set_application(root.pointer(), application.pointer())
        gtk_window_set_icon_name(root.pointer(), ApplicationIdentity.id)
    }

    /// Adds a page of a call, in place of the one of an earlier call. `rest` takes the focus whenever it is shown.
    func add(_ page: Page, _ widget: Widget, focus rest: Widget? = nil) {
        remove(page)
        widget.isVisible = false
        rests[page] = rest
        gtk_stack_add_named(pages.pointer(), widget.pointer(), page.rawValue)
    }

    /// Removes the pages of a call that is not shown any more.
    func removeCallPages() { for page in [Page.incoming, .call, .ended] { remove(page) } }

    private func remove(_ page: Page) {
        rests[page] = nil
        guard let old = gtk_stack_get_child_by_name(pages.pointer(), page.rawValue) else { return }
        gtk_stack_remove(pages.pointer(), old)
    }

    /// The page shown now.
    var page: Page {
        get { (pages[property: "visible-child-name"] as String?).flatMap(Page.init) ?? .starting }
        set {
            guard page != newValue else { return }
            pages.showPage(newValue.rawValue)
            if newValue != .starting { startingMark.show(false) }
            if let rest = rests[newValue] { gtk_widget_grab_focus(rest.pointer()) }
            // A toast about the contacts must not lie over the buttons of a call.
            if newValue.isOfCall { dismissToast() } else { callToast.hide() }
        }
    }

    /// Shows what is done while the account opens.
    func showStarting(_ sentence: String) {
        template["starting_page"][property: "description"] = Self.markup(sentence)
        startingMark.show(true)
    }

    /// Shows why the account can't be opened.
    func showFailure(_ sentence: String) {
        let status = template["starting_page"]
        status[property: "title"] = tr("Parley can’t start")
        status[property: "description"] = Self.markup(sentence)
        status[property: "icon-name"] = "dialog-error-symbolic"
        startingMark.show(false)
        page = .starting
    }

    /// Shows why calls are not possible on this machine.
    func showObstacle(_ sentence: String) {
        template["obstacle_page"][property: "description"] = Self.markup(sentence)
        page = .obstacle
    }

    /// A sentence as it is, for what reads its text as Pango's markup: descriptions of status pages, titles of toasts. Names of
    /// contacts are in it.
    private static func markup(_ sentence: String) -> String {
        let escaped = g_markup_escape_text(sentence, -1)
        defer { g_free(escaped) }
        return escaped.map { String(cString: $0) } ?? ""
    }

    /// Shows these contacts.
    func show(_ items: [ContactItem]) { contacts.show(items) }

    /// Shows those who ask to become contacts.
    func show(_ items: [RequestItem]) { requests.show(items) }

    /// Shows a line about the relay under the title, nil for none, and whether it can be tried again.
    func showRelay(_ sentence: String?, canRetry: Bool) {
        template["window_title"][property: "subtitle"] = sentence ?? ""
        template["retry_button"].isVisible = canRetry
    }

    /// Shows a sentence for a few seconds.
    func toast(_ sentence: String) {
        guard !page.isOfCall else { return callToast.show(sentence) }
        guard let new = adw_toast_new(Self.markup(sentence)) else { return }
        let toast = Object(adopting: UnsafeMutableRawPointer(new))
        // Twice the standard: whole sentences, which a screen reader has to get to as well.
        adw_toast_set_timeout(new, 10)
        g_object_ref(toast.raw)  // the overlay takes a reference over
        adw_toast_overlay_add_toast(template["toasts"].pointer(), toast.pointer())
        self.toast = toast
        toast.connect("dismissed") { [weak self] arguments in
            if self?.toast == arguments.sender { self?.toast = nil }
        }
    }

    private func dismissToast() {
        guard let toast else { return }
        self.toast = nil
        adw_toast_dismiss(toast.pointer())
    }

    /// Brings the window to the front.
    func present() { gtk_window_present(root.pointer()) }

    /// Closes the window for good.
    func close() { gtk_window_destroy(root.pointer()) }
}
