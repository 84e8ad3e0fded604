import CGtk
import DesktopSession
import GLibKit
import Wording

/// What needs a display: GTK's application, its windows and what is asked in them. Made when a window is wanted for the first time; the
/// main window comes and goes in it. A window that is not seen is closed, never hidden (see `MiniWindow`).
@MainActor final class Interface {
    /// What the windows ask of the program.
    struct Requests {
        /// To call somebody.
        var call: @MainActor (ContactItem, CallKind) -> Void
        /// To call several together.
        var callTogether: @MainActor ([ContactItem], CallKind) -> Void = { _, _ in }
        /// To add contacts to a call of two.
        var addPeople: @MainActor ([ContactItem], any CallSession) -> Void = { _, _ in }
        /// To come back into the call of several that goes on.
        var comeBack: @MainActor () -> Void = {}
        /// To close the main window.
        var close: @MainActor () -> Void
        /// To end the program.
        var quit: @MainActor () -> Void
        /// To open the main window.
        var open: @MainActor () -> Void
        /// To open the account that could not be opened.
        var tryAgain: @MainActor () -> Void
        /// What can be done with profiles; nil where there is but one.
        var profiles: ProfileRequests?
    }

    /// GTK's application.
    let application: Object
    /// The windows of calls.
    let calls: CallWindows
    /// The windows that have nothing to do with a call.
    let dialogs: Dialogs
    private var provider: any CallProvider
    private let requests: Requests
    private let profiles: ProfileDialogs?
    private let geometry = WindowGeometry()
    private let settings: ProgramSettings
    private var main: MainWindow?
    private var log: CallLogPage?
    private var welcome: WelcomeView?
    private var overview: AccountOverview
    private var ignoresObstacle = false
    private var inhibitor: guint = 0
    private var isAwake = false

    private static var hasTriedDisplay = false

    /// Opens the display; nil when there is none. Resources have been registered.
    init?(
        _ provider: any CallProvider, _ overview: AccountOverview, presenter: CallPresenter,
        settings: ProgramSettings, autostart: Autostart?, requests: Requests
    ) {
        guard Self.openDisplay() else { return nil }
        self.overview = overview
        self.provider = provider
        self.requests = requests
        self.settings = settings
        // The name on the bus is the program's own, over a connection that needs no GTK.
        application = Object(
            adopting: UnsafeMutableRawPointer(adw_application_new(ApplicationIdentity.id, G_APPLICATION_NON_UNIQUE)))
        g_application_register(application.pointer(), nil, nil)
        dialogs = Dialogs(provider, settings: settings, autostart: autostart)
        profiles = requests.profiles.map { [open = dialogs.open] in ProfileDialogs(open, $0) }
        dialogs.callLevels = { [presenter] in
            presenter.snapshot.stage.isFlowing ? presenter.call?.microphoneLevels() : nil
        }
        calls = CallWindows(application: application, dialogs: dialogs.open, presenter: presenter) {
            [weak dialogs] device, kind in
            dialogs?.run { try await $0.choose(device, as: kind) }
        } onOpen: {
            requests.open()
        }
        calls.onAdd = requests.addPeople
        calls.talksWithSpace = { settings[.talksWithSpace] }
        presenter.onFlow = { [weak dialogs] in dialogs?.callBegan() }
        dialogs.complaints.onChoice = { [weak self] in self?.perform($0) }
        calls.onFailedEnd = { [weak self] in self?.complain($0, .call($1.contact.id, $1.kind)) }
        _ = Actions(application: application, hasProfiles: requests.profiles != nil) { [weak self] in self?.perform($0)
        }
    }

    /// Whether the person wants to look at themselves before they call.
    var looksBeforeCalls: Bool { settings[.looksBeforeCalls] }

    /// Opens the display, also one that came up after the program's start.
    static func openDisplay() -> Bool {
        // GTK says yes to the second question, whatever came of the first.
        guard hasTriedDisplay else {
            hasTriedDisplay = true
            // Assistive tools and window managers know a program by this name; GTK's own way to set it needs its main loop.
            g_set_prgname(ApplicationIdentity.id)
            return gtk_init_check() != 0
        }
        return gdk_display_get_default() != nil || gdk_display_open(nil) != nil
    }

    /// Shows another account from now on, in a window that begins anew: nothing of the former one stays in it.
    func turn(to provider: any CallProvider, _ overview: AccountOverview) {
        let hadMain = hasMainWindow
        dialogs.turn(to: provider)
        closeMain()
        (self.provider, self.overview) = (provider, overview)
        if hadMain { show() }
    }

    /// Whether the main window is open.
    var hasMainWindow: Bool { main != nil }

    /// Brings the main window to the front, and opens it before if need be: with what the account has told so far.
    func show(token: String? = nil) {
        let isNew = main == nil
        if isNew { openMain() }
        main?.present(token: token)
        if isNew { main?.afterFirstFrame { [weak self] in self?.firstFrameDrawn() } }
    }

    /// What a person who looks at the window does not wait for.
    private func firstFrameDrawn() {
        // On an X server it is drawn in each size that there is.
        gtk_window_set_default_icon_name(ApplicationIdentity.id)
        // GStreamer reads its plugins for this.
        if !ignoresObstacle { lookForObstacle() }
    }

    /// Closes the main window.
    func closeMain() {
        guard let main else { return }
        log?.commit()
        (log, welcome) = (nil, nil)
        geometry.save(main.root)
        calls.leaveMainWindow()
        self.main = nil
        dialogs.window = nil
        main.close()
        renewInhibitor()
    }

    /// Closes everything, for good.
    func close() {
        keepAwake(false)
        log?.commit()
        dialogs.open.closeAll()
        if let main { geometry.save(main.root) }
        calls.close()
        main?.close()
        main = nil
    }

    /// Is told that the main window has got the focus.
    var onFocus: @MainActor () -> Void = {}

    /// Whether the person looks at the contacts.
    var isAtContacts: Bool {
        main.map { $0.page == .contacts && gtk_window_is_active($0.root.pointer()) != 0 } ?? false
    }

    /// What another program has put into the clipboard, unless it is more than that.
    func clipboardText(atMost count: Int) async -> String? {
        guard let root = main?.root else { return nil }
        return await ClipboardText.read(over: root, atMost: count)
    }

    /// Offers something for a few seconds.
    func offer(_ sentence: String, answer: String, onAnswer: @escaping @MainActor () -> Void) {
        main?.toast(sentence, answer: answer, onAnswer: onAnswer)
    }

    /// Shows a sentence for a few seconds, where there is a window for it.
    func toast(_ sentence: String) { main?.toast(sentence) }

    /// Shows what went wrong, with a button that helps, where one can; `again` does once more what has failed.
    func complain(
        _ error: any Error, about contact: ContactItem? = nil, again: (@MainActor () -> Void)? = nil
    ) {
        dialogs.complaints.tell(error, about: contact, again: again)
    }

    /// Shows a sentence with what helps about it.
    func complain(_ sentence: String, _ remedy: Remedy?, again: (@MainActor () -> Void)? = nil) {
        dialogs.complaints.tell(sentence, remedy, again: again)
    }

    /// Asks whether the program is to end; without a window it does.
    func askToQuit(hasCall: Bool, _ onYes: @escaping @MainActor () -> Void) {
        guard let active = gtk_application_get_active_window(application.pointer()) else { return onYes() }
        dialogs.askToQuit(
            over: Widget(retaining: UnsafeMutableRawPointer(active)), hasCall: hasCall, onYes)
    }

    /// Keeps screen and machine awake by the means of windows, or not any more.
    func keepAwake(_ isWanted: Bool) {
        guard isWanted != isAwake else { return }
        isAwake = isWanted
        renewInhibitor()
    }

    /// Takes in what the account tells.
    func receive(_ update: ProviderUpdate) {
        overview.receive(update)
        show(update)
    }

    private func show(_ update: ProviderUpdate) {
        guard let main else { return }
        switch update {
        case .starting(let sentence):
            main.showStarting(sentence)
            if main.page == .contacts { main.page = .starting }
        case .moved(let file):
            dialogs.open.closeAll()
            main.showMoved(to: file)
        case .ready:
            welcome?.accountIsOpen()
            if main.page == .starting { main.page = welcome == nil ? .contacts : .welcome }
        case .failed(let sentence): main.showFailure(sentence)
        case .locked(let sentence): main.showLocked(sentence)
        case .contacts(let contacts):
            main.show(contacts)
            dialogs.show(contacts)
            calls.show(contacts: contacts)
        case .takesGroupCalls(let isOn, let most):
            main.setTakesGroupCalls(isOn, most: most)
            dialogs.takesGroupCalls = isOn
            calls.show(takesGroupCalls: isOn, most: most)
            showGroupCalls(in: log)
        case .groupCallGoesOn(let call):
            main.showComeBack(call != nil)
            showGroupCalls(in: log)
        case .requests(let requests): main.show(requests)
        case .relays(let relays):
            showNetwork(in: main)
            dialogs.show(relays)
        case .key(let key): dialogs.show(key)
        case .trouble(let sentence):
            main.showTrouble(sentence)
            // During a call the contacts are not in sight.
            if main.page.isOfCall || sentence == nil { main.toast(sentence ?? tr("The profile can be written again.")) }
        case .lost(let sentence): main.toast(sentence)
        case .notice(let sentence, let remedy): complain(sentence, remedy)
        case .network: showNetwork(in: main)
        case .written(let message):
            if !dialogs.showsMessages(with: message.contact) {
                main.toast(tr("%s has written to you.", message.contact.name))
            }
        case .name, .incoming, .missed: break
        }
    }

    /// That there is no network goes for each relay: it is said once.
    private func showNetwork(in main: MainWindow) {
        main.showNetwork(isThere: overview.hasNetwork)
        let relays = overview.hasNetwork ? overview.relays : []
        main.showRelay(RelayPresentation.line(relays), canRetry: RelayPresentation.canRetry(relays))
    }

    private func openMain() {
        let window = MainWindow(application: application) { [weak self] contact, wish in
            self?.perform(wish, for: contact)
        } onAnswer: { [weak self] request, isWelcome in
            self?.dialogs.run { isWelcome ? try await $0.accept(request) : try await $0.decline(request) }
        }
        main = window
        dialogs.window = window
        window.onCalls { [weak self] in
            let log = self?.makeLog()
            self?.log = log
            self?.showGroupCalls(in: log)
            return log
        }
        window.onRemove { [weak self] in self?.dialogs.remove($0) }
        window.onCallTogether { [weak self] in self?.requests.callTogether($0, $1) }
        window.onComeBack { [weak self] in self?.requests.comeBack() }
        window.onRetry { [weak self] in self?.dialogs.run { try await $0.retryNow() } }
        window.root.connect("close-request", returning: Bool.self) { [weak self] _ in
            self?.requests.close()
            return true
        }
        window.root.connect("notify::is-active") { [weak self, weak root = window.root] in
            if let root, gtk_window_is_active(root.pointer()) != 0 { self?.onFocus() }
        }
        geometry.restore(window.root)
        show(overview, in: window)
        calls.open(in: window)
        renewInhibitor()
        showProfiles()
    }

    /// Takes the profiles as they are now.
    func profilesChanged() {
        showProfiles()
        profiles?.profilesChanged()
    }

    private func showProfiles() {
        let hasOthers = (requests.profiles?.rows() ?? []).count > 1
        main?.setProfile(provider.profileLabel?.name, hasOthers: hasOthers)
        welcome?.setHasOthers(hasOthers)
    }

    private func showGroupCalls(in log: CallLogPage?) {
        log?.show(
            takesGroupCalls: overview.takesGroupCalls, most: overview.mostInGroupCall, goesOn: overview.groupCallGoesOn)
    }

    private func makeLog() -> CallLogPage {
        CallLogPage(
            provider,
            requests: CallLogPage.Requests(
                call: requests.call, callTogether: requests.callTogether, comeBack: requests.comeBack,
                details: { [weak self] call, surroundings in
                    self?.dialogs.showDetails(of: call, surroundings) { self?.log?.perform($0, call) }
                }, askToDeleteAll: { [weak self] in self?.dialogs.askToDeleteCalls($0) },
                undo: { [weak self] sentence, onUndo, onGone in
                    guard let main = self?.main else { return onGone() }
                    main.toast(sentence, onUndo: onUndo, onGone: onGone)
                }, say: { [weak self] in self?.complain($0, again: $1) }))
    }

    private func show(_ overview: AccountOverview, in window: MainWindow) {
        switch overview.opening {
        case .new: showWelcome(in: window)
        case .begun(let sentence): window.showStarting(sentence)
        case .done: window.page = .contacts
        case .moved(let file): window.showMoved(to: file)
        case .failed(let sentence): window.showFailure(sentence)
        case .locked(let sentence): window.showLocked(sentence)
        }
        show(.contacts(overview.contacts))
        show(.requests(overview.requests))
        show(.relays(overview.relays))
        window.setTakesGroupCalls(overview.takesGroupCalls, most: overview.mostInGroupCall)
        dialogs.takesGroupCalls = overview.takesGroupCalls
        calls.show(takesGroupCalls: overview.takesGroupCalls, most: overview.mostInGroupCall)
        window.showComeBack(overview.groupCallGoesOn != nil)
        if let key = overview.key { show(.key(key)) }
        window.showTrouble(overview.trouble)
    }

    private func showWelcome(in window: MainWindow) {
        let view = WelcomeView(
            provider,
            requests: WelcomeView.Requests(
                begin: { [weak self] in
                    self?.provider.begin(as: $0)
                    self?.requests.tryAgain()
                }, bring: { [weak self] in self?.bringProfile() }, finish: { [weak self] in self?.leaveWelcome() }))
        welcome = view
        window.add(.welcome, view.root, focus: view.rest)
        window.page = .welcome
    }

    /// Has a profile brought from a file, where there is none that opens.
    func bringProfile() {
        let known: String? = if case .moved(let file) = overview.opening { file } else { nil }
        guard known != nil || overview.opening == .new else { return }
        dialogs.bringProfile(from: known ?? "") { [weak self] in
            guard let self else { return }
            requests.profiles?.brought()
            guard let main else { return }
            welcome = nil
            main.showStarting(tr("Opening your profile…"))
            main.page = .starting
            main.remove(.welcome)
            requests.tryAgain()
        }
    }

    private func leaveWelcome() {
        guard let main, welcome != nil else { return }
        welcome = nil
        main.page = .contacts
        main.remove(.welcome)
        if !ignoresObstacle { lookForObstacle() }
        guard let contact = overview.contacts.first(where: { $0.isTestCall && $0.isConnected }) else { return }
        main.offer(tr("Ready to call"), button: tr("Test Call")) { [weak self] in
            self?.requests.call(contact, .video)
        }
    }

    /// Whether the person is being welcomed.
    var isWelcoming: Bool { welcome != nil }

    /// Before anybody is called: whether calls are possible here.
    private func lookForObstacle() {
        Task { [weak self, provider] in
            let sentence = await provider.obstacleToCalls()
            guard let self, let main else { return }
            switch (sentence, main.page) {
            case (let sentence?, .starting), (let sentence?, .contacts), (let sentence?, .obstacle):
                if !overview.opening.isFailure { main.showObstacle(sentence) }
            case (nil, .obstacle): leaveObstacle()
            case (_, _): break
            }
        }
    }

    private func leaveObstacle() { main?.page = overview.opening == .done ? .contacts : .starting }

    private func renewInhibitor() {
        if inhibitor != 0 { gtk_application_uninhibit(application.pointer(), inhibitor) }
        inhibitor = 0
        guard isAwake else { return }
        let what = GTK_APPLICATION_INHIBIT_IDLE.rawValue | GTK_APPLICATION_INHIBIT_SUSPEND.rawValue
        // Nothing where the desktop has no such service; then there is nothing to take back either.
        inhibitor = gtk_application_inhibit(
            application.pointer(), gtk_application_get_active_window(application.pointer()),
            GtkApplicationInhibitFlags(rawValue: what), tr("In a call"))
    }

    // MARK: What the person wants

    private func perform(_ name: Actions.Name) {
        switch name {
        case .addContact: dialogs.addContact()
        case .lookAgain: lookForObstacle()
        case .tryAgain: requests.tryAgain()
        case .bringProfile: bringProfile()
        case .goOn:
            ignoresObstacle = true
            leaveObstacle()
        case .address: dialogs.showAddress()
        case .profile: dialogs.showProfile()
        case .profiles: if let main { profiles?.show(over: main.root) }
        case .preferences: dialogs.showPreferences()
        case .contacts: main?.show(calls: false)
        case .calls: main?.show(calls: true)
        case .findCall:
            guard let main else { break }
            if main.showsCalls { log?.search() } else { main.searchContacts() }
        case .shortcuts: dialogs.showShortcuts()
        case .help: dialogs.showHelp()
        case .about: dialogs.showAbout()
        case .quit: requests.quit()
        }
    }

    private func perform(_ remedy: Remedy) {
        switch remedy {
        case .tryAgain: break
        case .reach: dialogs.showReach()
        case .preferences: dialogs.showPreferences()
        case .addContact: dialogs.addContact()
        case .unblock(let id): perform(.unblock, forContact: id)
        case .write(let id): perform(.messages, forContact: id)
        case .compare(let id): perform(.verify, forContact: id)
        case .call(let id, let kind): perform(.call(kind), forContact: id)
        }
    }

    /// Somebody may have been removed meanwhile.
    private func perform(_ wish: ContactWish, forContact id: ContactItem.ID) {
        if let contact = overview.contacts.first(where: { $0.id == id }) { perform(wish, for: contact) }
    }

    private func perform(_ wish: ContactWish, for contact: ContactItem) {
        switch wish {
        case .call(let kind): requests.call(contact, kind)
        case .messages: dialogs.showMessages(with: contact)
        case .verify: dialogs.verify(contact)
        case .open:
            dialogs.showContact(contact) { [weak self] in
                self?.perform($1, for: $0)
            } onAllCalls: { [weak self] in
                self?.main?.show(calls: true)
                self?.log?.search(for: contact.name)
            }
        case .remove: dialogs.remove([contact])
        case .block: dialogs.block(contact)
        case .unblock: dialogs.unblock(contact)
        case .takeName: dialogs.run(about: contact) { try await $0.takeName(of: contact) }
        case .repair: dialogs.run(about: contact) { try await $0.repair(contact) }
        case .retry: dialogs.run(about: contact) { try await $0.retry(contact) }
        case .newLink: dialogs.addContact()
        case .showLink: dialogs.showLink(of: contact)
        case .withdrawLink: dialogs.askToWithdraw(contact)
        case .keepCalls(let keeps): dialogs.run(about: contact) { try await $0.setKeepsCalls(keeps, with: contact) }
        }
    }
}
