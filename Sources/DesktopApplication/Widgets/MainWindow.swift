import CGtk
import GLibKit
import Wording

/// The main window: starting, the welcome, what calls lack, contacts, or the call.
@MainActor final class MainWindow {
    /// What the window shows.
    enum Page: String {
        case starting, welcome, obstacle, contacts, incoming, call, ended

        /// Whether it has the buttons of a call at its lower edge.
        var isOfCall: Bool {
            switch self {
            case .starting, .welcome, .obstacle, .contacts: false
            case .incoming, .call, .ended: true
            }
        }
    }

    /// The window.
    let root: Widget
    private let announcer: Announcer
    private var madeContent: MainWindowContent?
    private var changesBefore: [@MainActor (MainWindowContent) -> Void] = []
    private var shownPage = Page.starting
    private var firsts: [Page: Widget] = [:]
    private var rests: [Page: Widget] = [:]
    private var toast: Object?
    private var obstacle: Template?
    private var people: PeopleView?
    private let makePeople: @MainActor () -> PeopleView
    private var saidBefore: [@MainActor (PeopleView) -> Void] = []
    private var hasNetwork = true
    private var trouble: String?
    private var firstFrame: SignalConnection?

    /// Makes the window with its title alone; what is in it comes after the first frame, or when it is needed before. `onWish` is told what the
    /// person wants of a contact, `onAnswer` whom they take as one.
    init(
        application: Object, onWish: @escaping @MainActor (ContactItem, ContactWish) -> Void,
        onAnswer: @escaping @MainActor (RequestItem, Bool) -> Void
    ) {
        root = Template("main-window").root
        announcer = Announcer(root)
        makePeople = { PeopleView(onWish: onWish, onAnswer: onAnswer) }
        gtk_window_set_application(root.pointer(), application.pointer())
        // By whatever key, or by the window manager. The screen that a call gives back when it ends is no news.
        root.connect("notify::fullscreened") { [weak self] in
            guard let self, page == .call else { return }
            announcer.announce(ViewChange.fullScreen(isFullScreen).sentence)
        }
    }

    /// What is in the window; it is made now, if it was not before.
    private var content: MainWindowContent { madeContent ?? addContent() }

    private func addContent() -> MainWindowContent {
        let new = MainWindowContent()
        madeContent = new
        adw_application_window_set_content(root.pointer(), new.root.pointer())
        let changes = changesBefore
        changesBefore = []
        for change in changes { change(new) }
        return new
    }

    /// Changes what is in the window, as soon as it is there.
    private func change(_ body: @escaping @MainActor (MainWindowContent) -> Void) {
        if let madeContent { body(madeContent) } else { changesBefore.append(body) }
    }

    /// Does something once the window, which was presented, has been drawn for the first time.
    func afterFirstFrame(_ body: @escaping @MainActor () -> Void) {
        guard let clock = gtk_widget_get_frame_clock(root.pointer()) else {
            addPeople()
            return body()
        }
        firstFrame = Object(retaining: UnsafeMutableRawPointer(clock)).connect("after-paint") { [weak self] in
            guard let self, firstFrame != nil else { return }
            firstFrame?.disconnect()
            firstFrame = nil
            addPeople()
            body()
        }
    }

    /// Adds the page of contacts, with what else is in the window; the first frame waits for neither.
    @discardableResult private func addPeople() -> PeopleView {
        // Before: where what is in the window is made now, it may show this page.
        let pages = content.pages
        if let people { return people }
        let new = makePeople()
        people = new
        new.root.isVisible = false
        gtk_stack_add_named(pages.pointer(), new.root.pointer(), Page.contacts.rawValue)
        for said in saidBefore { said(new) }
        saidBefore = []
        return new
    }

    /// Says something to the page of contacts, as soon as it is there.
    private func say(_ body: @escaping @MainActor (PeopleView) -> Void) {
        if let people { body(people) } else { saidBefore.append(body) }
    }

    /// Says which of several profiles is shown, nil where one alone is open, and whether there are others.
    func setProfile(_ name: String?, hasOthers: Bool) {
        change { $0.hasOtherProfiles = hasOthers }
        let title = name.map { $0 + " – " + ApplicationIdentity.name } ?? ApplicationIdentity.name
        root[property: "title"] = title
        say { $0.setProfile(name) }
    }

    /// Makes the log of calls beside the contacts; asked when the person turns to it for the first time.
    func onCalls(_ body: @escaping @MainActor () -> CallLogPage?) { say { $0.makeCalls = body } }

    /// Is told that the person wants to reach the relay now.
    func onRetry(_ body: @escaping @MainActor () -> Void) { say { $0.onRetry = body } }

    /// Is told which contacts the person wants to remove together.
    func onRemove(_ body: @escaping @MainActor ([ContactItem]) -> Void) { say { $0.onRemove = body } }

    /// Is told which contacts the person wants to call together.
    func onCallTogether(_ body: @escaping @MainActor ([ContactItem], CallKind) -> Void) {
        say { $0.onCallTogether = body }
    }

    /// Is told that the person wants to come back into the call of several that goes on.
    func onComeBack(_ body: @escaping @MainActor () -> Void) { say { $0.onComeBack = body } }

    /// Says whether calls of several are offered, and of how many people at most.
    func setTakesGroupCalls(_ isOn: Bool, most: Int = GroupPresentation.capacity) {
        say { $0.setTakesGroupCalls(isOn, most: most) }
    }

    /// Shows that the call of several that the person was in goes on, with the way back into it.
    func showComeBack(_ isShown: Bool) { say { $0.showComeBack(isShown) } }

    /// Shows the field for a name of a contact.
    func searchContacts() { addPeople().searchContacts() }

    /// Which of the views beside the contacts is shown.
    var showsCalls: Bool { people?.showsCalls == true }

    /// Turns to the log of calls, or back to the contacts.
    func show(calls isWanted: Bool) { say { $0.show(calls: isWanted) } }

    /// Adds a page, in place of an earlier one of its kind: the welcome, or one of a call. `first` takes the focus whenever it is shown, and
    /// `rest` where that can't be used.
    func add(_ page: Page, _ widget: Widget, first: Widget? = nil, focus rest: Widget? = nil) {
        remove(page)
        widget.isVisible = false
        (firsts[page], rests[page]) = (first, rest)
        change { gtk_stack_add_named($0.pages.pointer(), widget.pointer(), page.rawValue) }
    }

    /// Removes the pages of a call that is not shown any more.
    func removeCallPages() { for page in [Page.incoming, .call, .ended] { remove(page) } }

    /// Removes a page that was added.
    func remove(_ page: Page) {
        (firsts[page], rests[page]) = (nil, nil)
        // Without its page the window shows none.
        if shownPage == page { shownPage = .starting }
        change { content in
            guard let old = gtk_stack_get_child_by_name(content.pages.pointer(), page.rawValue) else { return }
            gtk_stack_remove(content.pages.pointer(), old)
        }
    }

    /// Whether it covers the whole screen, as only a call does.
    var isFullScreen: Bool {
        get { gtk_window_is_fullscreen(root.pointer()) != 0 }
        set {
            guard newValue != isFullScreen else { return }
            if newValue { gtk_window_fullscreen(root.pointer()) } else { gtk_window_unfullscreen(root.pointer()) }
        }
    }

    /// The page shown now.
    var page: Page {
        get { shownPage }
        set {
            guard page != newValue else { return }
            shownPage = newValue
            change { [weak self] in self?.show(newValue, in: $0) }
        }
    }

    private func show(_ page: Page, in content: MainWindowContent) {
        if page == .contacts { addPeople() }
        content.pages.showPage(page.rawValue)
        if page != .call { isFullScreen = false }
        if page != .starting { content.startingMark.show(false) }
        focus(page)
        // A toast about the contacts must not lie over the buttons of a call.
        if page.isOfCall { dismissToast() } else { content.callToast.hide() }
    }

    private func focus(_ page: Page) {
        if let first = firsts[page], gtk_widget_grab_focus(first.pointer()) != 0 {
            // The person has not moved it there: its ring is seen once they use the keyboard.
            return gtk_window_set_focus_visible(root.pointer(), 0)
        }
        if let rest = rests[page] { gtk_widget_grab_focus(rest.pointer()) }
    }

    /// Shows what is done while the account opens.
    func showStarting(_ sentence: String) {
        change {
            $0.show(tr("Starting Parley"), sentence, icon: ApplicationIdentity.id)
            $0.offer(nil)
        }
    }

    /// Shows why the account can't be opened.
    func showFailure(_ sentence: String) {
        change {
            $0.show(tr("Parley can’t start"), sentence, icon: "dialog-error-symbolic")
            $0.offer(.again(tr("Try Again")))
        }
        page = .starting
    }

    /// Shows that the account opens when the keyring does.
    func showLocked(_ sentence: String) {
        change {
            $0.show(tr("Parley is locked"), sentence, icon: "system-lock-screen-symbolic")
            $0.offer(.again(tr("Unlock")))
        }
        page = .starting
    }

    /// Shows that the profile opens here no more, and where it is.
    func showMoved(to file: String) {
        change {
            $0.show(
                tr("Your profile has moved"),
                file.isEmpty
                    ? tr("It does not open on this computer any more.")
                    : tr(
                        "It is in the file %s now and does not open on this computer any more. Take the file to the other computer and choose “Bring a Profile from Another Machine…” there.",
                        file), icon: "object-select-symbolic")
            $0.offer(.bring)
        }
        page = .starting
        change { $0.focusOffer() }
    }

    /// Shows why calls are not possible on this machine.
    func showObstacle(_ sentence: String) {
        let shown = obstacle ?? Template("obstacle")
        if obstacle == nil { add(.obstacle, shown.root) }
        obstacle = shown
        shown["obstacle_page"][property: "description"] = MarkupText.plain(sentence)
        page = .obstacle
    }

    /// Shows these contacts.
    func show(_ items: [ContactItem]) { say { $0.show(items) } }

    /// Shows those who ask to become contacts.
    func show(_ items: [RequestItem]) { say { $0.show(items) } }

    /// Shows that there is no network, for as long as that is so.
    func showNetwork(isThere: Bool) {
        guard hasNetwork != isThere else { return }
        hasNetwork = isThere
        let sentence = tr("There is no network. Parley goes on by itself when there is one.")
        say { $0.showNetwork(isThere ? nil : sentence) }
        if isThere { return }
        // During a call the contacts are not in sight.
        if page.isOfCall { toast(sentence) } else { announcer.announce(sentence) }
    }

    /// Shows a line about the relay below the title, nil for none, and whether it can be tried again.
    func showRelay(_ sentence: String?, canRetry: Bool) { say { $0.showRelay(sentence, canRetry: canRetry) } }

    /// Shows that there is a call in another window, with the way to it; nil when there is none.
    func showReturn(_ call: CallPresentation?, others: String? = nil) {
        let sentence = call.map {
            [$0.name, $0.status, $0.clearSentence, others].compactMap(\.self).joined(separator: " · ")
        }
        say { $0.showReturn(sentence) }
    }

    /// Shows a call that rings while the person is in another one, whatever page is shown; nil when there is none.
    func showWaiting(_ call: ShownCall?) { change { $0.waitingCall.show(call) } }

    /// Shows what is wrong as long as it is, at the lower edge of the contacts, where it moves nothing; nil when all is well.
    func showTrouble(_ sentence: String?) {
        if let sentence, sentence != trouble { announcer.announce(sentence) }
        trouble = sentence
        say { $0.showTrouble(sentence) }
    }

    /// Tells screen readers what has changed about a call.
    func announce(_ news: CallAnnouncement) { announcer.announce(news.sentence, isUrgent: news.isUrgent) }

    /// Shows a sentence for a few seconds.
    func toast(_ sentence: String) {
        guard !page.isOfCall else {
            announcer.announce(sentence)
            return content.callToast.show(sentence)
        }
        show(toast: sentence)
    }

    /// Shows a sentence for a few seconds; gives what takes it away before, as it is not true any more.
    func passingToast(_ sentence: String) -> @MainActor () -> Void {
        guard !page.isOfCall, let new = show(toast: sentence) else {
            toast(sentence)
            return {}
        }
        var isGone = false
        new.connect("dismissed") { isGone = true }
        return { if !isGone { adw_toast_dismiss(new.pointer()) } }
    }

    /// Shows what went wrong for a few seconds, with a button that helps.
    func complain(_ sentence: String, button: String, onPress: @escaping @MainActor () -> Void) {
        guard !page.isOfCall else {
            announcer.announce(sentence)
            return content.callToast.show(sentence, button: button, onPress: onPress)
        }
        guard let toast = show(toast: sentence, button: button) else { return }
        toast.connect("button-clicked") { onPress() }
    }

    /// Shows a sentence for a few seconds, with a button to take back what it says; `onGone` is told when that is over.
    func toast(
        _ sentence: String, onUndo: @escaping @MainActor () -> Void, onGone: @escaping @MainActor () -> Void = {}
    ) {
        toast(sentence, answer: tr("Undo"), onAnswer: onUndo, onGone: onGone)
    }

    /// Shows a sentence for a few seconds, with a button; `onGone` is told when that is over.
    func toast(
        _ sentence: String, answer: String, onAnswer: @escaping @MainActor () -> Void,
        onGone: @escaping @MainActor () -> Void = {}
    ) {
        guard let toast = show(toast: sentence, button: answer, isShort: true) else { return onGone() }
        toast.connect("button-clicked") { onAnswer() }
        toast.connect("dismissed") { onGone() }
    }

    /// Shows a sentence until it is sent away, with a button that does what it speaks of.
    func offer(_ sentence: String, button: String, onPress: @escaping @MainActor () -> Void) {
        guard let toast = show(toast: sentence, button: button, isShort: true) else { return }
        adw_toast_set_timeout(toast.pointer(), 0)
        toast.connect("button-clicked") { onPress() }
    }

    /// - Parameter isShort: Whether it goes into one line beside the button.
    @discardableResult private func show(toast sentence: String, button: String? = nil, isShort: Bool = false)
        -> Object?
    {
        guard let new = adw_toast_new(isShort ? MarkupText.plain(sentence) : "") else { return nil }
        announcer.announce(sentence)
        let toast = Object(adopting: UnsafeMutableRawPointer(new))
        if !isShort {
            let title = title(sentence, besides: button)
            withExtendedLifetime(title) { adw_toast_set_custom_title(new, title.pointer()) }
        }
        if let button { adw_toast_set_button_label(new, button) }
        // Twice the standard: whole sentences, which a screen reader has to get to as well.
        adw_toast_set_timeout(new, 10)
        g_object_ref(toast.raw)  // the overlay takes a reference over
        adw_toast_overlay_add_toast(content.root.pointer(), toast.pointer())
        self.toast = toast
        toast.connect("dismissed") { [weak self] arguments in
            if self?.toast == arguments.sender { self?.toast = nil }
        }
        return toast
    }

    /// A title of as many lines as it takes; the standard one has a single line and cuts off what does not fit.
    private func title(_ sentence: String, besides button: String?) -> Widget {
        let label = Widget(retaining: UnsafeMutableRawPointer(gtk_label_new(sentence)))
        label[property: "wrap"] = true
        label[property: "wrap-mode"] = "word-char"
        label[property: "max-width-chars"] = max(12, toastWidth - (button.map { $0.count + 5 } ?? 0))
        label[property: "xalign"] = 0.0
        label.setClass("heading", true)
        return label
    }

    /// How many characters go beside one another in a toast. libadwaita 1.2 asks how high it is before it makes it as narrow as
    /// the window: it has to be so by itself.
    private var toastWidth: Int {
        let metrics = pango_context_get_metrics(gtk_widget_get_pango_context(root.pointer()), nil, nil)
        defer { pango_font_metrics_unref(metrics) }
        let size = max(
            pango_font_metrics_get_approximate_char_width(metrics),
            pango_font_metrics_get_approximate_digit_width(metrics))
        // Bold letters are wider; beside them are margins and a button.
        let (letter, room) = (
            1.2 * Double(size) / Double(PANGO_SCALE), gtk_widget_get_width(content.root.pointer())
        )
        guard letter > 0, room > 0 else { return 24 }
        return min(60, max(12, Int(Double(room - 100) / letter)))
    }

    private func dismissToast() {
        guard let toast else { return }
        self.toast = nil
        adw_toast_dismiss(toast.pointer())
    }

    /// Brings the window to the front; `token` is what the desktop gave for that, if it did.
    func present(token: String? = nil) {
        if let token { gtk_window_set_startup_id(root.pointer(), token) }
        gtk_window_present(root.pointer())
    }

    /// Closes the window for good.
    func close() { gtk_window_destroy(root.pointer()) }
}
