import GLibKit
import Signaling
import Wording

/// Puts the call into the right window: pages of the main window, or the mini window while it is collapsed or the main window is closed.
@MainActor final class CallWindows {
    /// How long a call that is over is shown by itself.
    static let timeToRead = Duration.seconds(30)

    /// Is told when the call goes from one window to the other.
    var onCollapse: () -> Void = {}
    /// Is to tell the end of a call that has no page, and that nobody wanted.
    var onFailedEnd: (String, any CallSession) -> Void = { _, _ in }
    /// Is told whom the person wants to add to a call of two.
    var onAdd: ([ContactItem], any CallSession) -> Void = { _, _ in }
    /// Says whether the person wants to talk by holding Space.
    var talksWithSpace: () -> Bool = { false }

    private let application: Object
    private let presenter: CallPresenter
    private var mostInGroupCall = GroupPresentation.capacity
    private let dialogs: OpenDialogs
    private let onDevice: DeviceMenu.Choice
    private let onOpen: @MainActor () -> Void
    private let timeToRead: Duration
    private var window: MainWindow?
    private var pages: CallPages?
    private var placement = PreviewOverlay.firstPlacement
    private var mini: MiniWindow?
    private let sizes = WindowGeometry()
    private lazy var miniGeometry = sizes.mini
    private var ring: RingWindow?
    private var shown: (call: CallPresentation, actions: CallActions)?
    private var others: (waiting: ShownCall?, held: [ShownCall]) = (nil, [])
    /// What was said of the call last.
    private var announced: (call: CallPresentation, actions: CallActions)?
    private var leaving: Task<Void, Never>?
    private let quality: QualityWatch

    /// Shows the presenter's calls. `onDevice` is told which device the person chooses; `onOpen` opens the main window.
    init(
        application: Object, dialogs: OpenDialogs, presenter: CallPresenter, onDevice: @escaping DeviceMenu.Choice,
        timeToRead: Duration = CallWindows.timeToRead, onOpen: @escaping @MainActor () -> Void
    ) {
        self.application = application
        self.presenter = presenter
        self.dialogs = dialogs
        self.onDevice = onDevice
        self.timeToRead = timeToRead
        self.onOpen = onOpen
        quality = QualityWatch { [presenter] in (Self.size(of: presenter.remote), Self.size(of: presenter.screen)) }
        application.setCallKeys()
        quality.onReading = { [weak self] reading in
            self?.pages?.show(reading)
            (self?.dialogs[.connection] as? ConnectionDialog)?.show(reading)
        }
        quality.isShown = { [weak self] in self?.showsPage ?? false }
        quality.onStep = { [weak self] in self?.announce(CallAnnouncement(sentence: $0.sentence)) }
        presenter.onLevel = { [weak self] in self?.pages?.show(level: $0) }
        presenter.onSpeaking = { [weak self] in self?.pages?.show(speaking: $0) }
        presenter.faces.onSpeaking = { [weak self] in self?.pages?.show(speaking: $1, of: $0) }
    }

    /// Whether a window could show a call.
    var isOpen: Bool { window != nil || mini != nil }

    /// Whether the call is in the mini window.
    var isCollapsed: Bool { mini != nil }

    /// Shows calls in this main window from now on.
    func open(in window: MainWindow) {
        self.window = window
        window.showWaiting(others.waiting)
    }

    /// The main window is about to close. A call that the person has taken goes on in the mini window: nobody is in a call unseen.
    func leaveMainWindow() {
        if let shown {
            switch shown.call.screen {
            case .incoming: break
            case .call: setCollapsed(true)
            case .ended: presenter.dismiss()
            }
        }
        leavePages()
        window = nil
    }

    /// Closes what is open besides the main window, for good.
    func close() {
        leaving?.cancel()
        dismissQuestions()
        closeRing()
        closeMini()
        (window, pages, shown) = (nil, nil, nil)
    }

    /// Opens a window for the call that rings alone; `onClose` is called when the person closes it.
    func openRing(
        _ call: CallPresentation, _ actions: CallActions, showsCaller: Bool, onClose: @escaping @MainActor () -> Void
    ) {
        guard ring == nil else { return }
        ring = RingWindow(
            call, kind: actions.session.kind, showsCaller: showsCaller, actions: { actions.insert(into: $0) },
            onClose: onClose)
        ring?.setPulsing(true)
    }

    /// The person wants to see no more of the call that rings, unless they look for it.
    func ignoreRing() {
        setPulsing(false)
        closeRing()
    }

    /// Closes the window of a call that does not ring any more.
    func closeRing() {
        ring?.destroy()
        ring = nil
    }

    /// Shows a call; one that rings draws the eye if it is pulsing. The window stays where it is, the focus goes to none of the buttons,
    /// and dialogs stay open.
    func show(_ call: CallPresentation, _ actions: CallActions, isPulsing: Bool) {
        // The small window stays where it is while calls change places.
        if let mini, shown?.actions !== actions {
            // Who talks into the call before is muted there again.
            mini.stopTalking()
            actions.insert(into: mini.root)
        }
        if shown?.actions !== actions { for kind in [OpenDialogs.Kind.connection, .addPeople] { dialogs.close(kind) } }
        shown = (call, actions)
        quality.follow(call.controls.hold.isEnabled ? actions.session : nil)
        if let window { pages(of: actions, in: window).show(call) }
        mini?.show(call)
        showReturn()
        switch call.screen {
        case .incoming:
            ring?.show(call)
            if window?.page != .incoming { setPulsing(isPulsing) }
            window?.page = .incoming
        case .call:
            // Nobody is in a call that can't be seen.
            if !isOpen { onOpen() }
            if !isCollapsed { window?.page = .call }
            // Its devices are the call's now.
            dialogs.close(.beforeCall)
            if call.needsDecisionOnClearMedia { ask(actions.session) } else { dialogs.close(.clearMedia) }
        case .ended: end(call)
        }
        guard shown != nil else { return }
        tellSight()
        showInDialogs()
        // After the focus has gone where it rests, which screen readers speak of, too.
        announce(call, actions)
    }

    /// Shows the calls behind the one in front: one that rings, and those on hold.
    func show(waiting: ShownCall?, held: [ShownCall]) {
        if let waiting, waiting.actions !== others.waiting?.actions { announceWaiting(waiting.presentation) }
        others = (waiting, held)
        window?.showWaiting(waiting)
        if let waiting { ring?.show(waiting.presentation) }
        pages?.show(held: held)
        mini?.show(others: othersSentence)
        showReturn()
        showInDialogs()
    }

    private func announce(_ call: CallPresentation, _ actions: CallActions) {
        let former = announced?.actions === actions ? announced?.call : nil
        announced = (call, actions)
        for news in CallAnnouncement.changes(from: former, to: call) { announce(news) }
    }

    private func announceWaiting(_ call: CallPresentation) {
        announce(CallAnnouncement(sentence: call.name + ", " + call.answerSentence, isUrgent: true))
    }

    /// Says it in the window that is open; of two the call's.
    private func announce(_ news: CallAnnouncement) {
        if let mini { mini.announce(news) } else { window?.announce(news) }
    }

    /// Whether the call's page is shown, with all that is on it.
    private var showsPage: Bool { mini == nil && window?.page == .call }

    private func showReturn() {
        window?.showReturn(isCollapsed ? shown?.call : nil, others: othersSentence)
    }

    private func showInDialogs() {
        let isRinging = shown?.call.screen == .incoming
        dialogs.show(
            shown?.actions,
            ringing: isRinging
                ? shown.map { ShownCall(presentation: $0.call, actions: $0.actions) }
                : others.waiting.flatMap { $0.isQuestion ? nil : $0 })
    }

    /// What other calls there are, in a few words; nil without any.
    private var othersSentence: String? {
        if let question = others.waiting?.presentation.question { return question.sentence }
        if let waiting = others.waiting { return tr("%s is calling", waiting.presentation.name) }
        guard let first = others.held.first else { return nil }
        return others.held.count == 1
            ? tr("%s is on hold", first.presentation.name) : tr("%s calls on hold", others.held.count)
    }

    /// Takes the contacts, of whom some can be invited to a call of several.
    func show(contacts: [ContactItem]) { presenter.contacts = contacts }

    /// Says whether calls of several are made, and of how many people at most those may be that begin here.
    func show(takesGroupCalls: Bool, most: Int = GroupPresentation.capacity) {
        mostInGroupCall = most
        presenter.takesGroupCalls = takesGroupCalls
    }

    /// Says whether the call that rings draws the eye.
    func setPulsing(_ isPulsing: Bool) { pages?.setRinging(isPulsing) }

    /// There is no call any more.
    func leave() {
        leaving?.cancel()
        leaving = nil
        dismissQuestions()
        closeRing()
        closeMini()
        quality.follow(nil)
        shown = nil
        showReturn()
        if let window, window.page.isOfCall { window.page = .contacts }
        leavePages()
        showInDialogs()
    }

    /// Does what the person wants of the windows.
    func perform(_ wish: CallActions.WindowWish, for session: any CallSession) {
        switch wish {
        case .collapse: setCollapsed(true)
        case .expand: setCollapsed(false)
        case .toggleSize: setCollapsed(!isCollapsed)
        case .fullScreen: window?.isFullScreen.toggle()
        case .leaveFullScreen: window?.isFullScreen = false
        case .fitPicture: pages?.toggleFit()
        case .people: pages?.togglePeople()
        case .pin(let member): presenter.faces.pin(member)
        case .groupView: presenter.faces.toggleView()
        case .connection: showConnection(session)
        case .compare(let member): showCode(of: member, session)
        case .addPeople: askWhomToAdd(session)
        case .askToShare: askToShare(session)
        case .askAboutClearMedia(let kind, let room): ask(session, accepting: kind, makingRoom: room)
        }
    }

    private func pages(of actions: CallActions, in window: MainWindow) -> CallPages {
        if let pages, pages.actions === actions { return pages }
        let pages = CallPages(
            actions, presenter: presenter, placement: placement,
            talksWithSpace: { [weak self] in self?.talksWithSpace() ?? false }, onDevice: onDevice)
        pages.onCover = { [weak self] in self?.tellSight() }
        pages.onViewChange = { [weak self] change in
            guard let self, showsPage else { return }
            announce(CallAnnouncement(sentence: change.sentence))
        }
        pages.add(to: window)
        pages.show(held: others.held)
        pages.show(quality.latest)
        actions.insert(into: window.root)
        self.pages = pages
        return pages
    }

    private func leavePages() {
        guard let pages else { return }
        placement = pages.placement
        self.pages = nil
        guard let window else { return }
        ActionGroup.remove(CallActions.groupName, from: window.root)
        window.removeCallPages()
    }

    // MARK: Small or large

    private func setCollapsed(_ collapsed: Bool) {
        guard collapsed != isCollapsed, let shown else { return }
        if collapsed {
            let mini = MiniWindow(
                application: application, remote: presenter.remote, screen: presenter.screen,
                picture: { [faces = presenter.faces] in faces.picture(of: $0) }, geometry: miniGeometry,
                talksWithSpace: { [weak self] in self?.talksWithSpace() ?? false },
                onTalk: { [weak self] in self?.shown?.actions.talk($0) },
                onClose: { [weak self] in self?.setCollapsed(false) })
            shown.actions.insert(into: mini.root)
            mini.show(shown.call)
            mini.show(others: othersSentence)
            self.mini = mini
            window?.page = .contacts
        } else {
            closeMini()
            if window != nil { window?.page = .call }
            onOpen()
        }
        tellSight()
        showReturn()
        onCollapse()
    }

    /// Of those in a call of several whom no window shows no pictures need to come.
    private func tellSight() {
        guard let group = shown?.call.group else { return }
        presenter.faces.setSeen(
            group.seen(in: isCollapsed ? .small : pages?.hidesTiles == true ? .people : .tiles))
    }

    private func closeMini() {
        guard let mini else { return }
        dialogs.close(.sharing)
        miniGeometry = mini.geometry
        sizes.mini = miniGeometry
        mini.destroy()
        self.mini = nil
    }

    // MARK: Questions

    /// The window that a question about the call lies over.
    private var front: Widget? { mini?.root ?? window?.root }

    private static func size(of picture: VideoPaintable) -> QualityReading.Size? {
        guard picture.hasPicture else { return nil }
        return QualityReading.Size(width: picture.size.width, height: picture.size.height)
    }

    private func showConnection(_ session: any CallSession) {
        guard let front else { return }
        dialogs.open(.connection) {
            ConnectionDialog(over: front, session: session, reading: quality.latest)
        }
    }

    private func showCode(of member: MemberNumber, _ session: any CallSession) {
        guard let call = session.several,
            let name = session.snapshot.group?.members.first(where: { $0.id == member })?.name
        else { return }
        Task { [weak self] in
            guard let check = await call.securityCheck(of: member) else {
                self?.toast(tr("There is no code before %s has connected.", name))
                return
            }
            guard let self, let front, !session.snapshot.stage.isEnded else { return }
            dialogs.open(.memberCode) {
                SecurityCodeDialog.make(over: front, code: check.code, name: name, isCompared: check.isCompared) {
                    [weak self] isCompared in
                    Task {
                        do {
                            try await call.setCompared(isCompared ? check.code : nil, of: member)
                        } catch {
                            self?.toast(sentence(of: error))
                        }
                    }
                }
            }
        }
    }

    /// Asks who is to be added to a call of two.
    private func askWhomToAdd(_ session: any CallSession) {
        guard let front, let contacts = shown?.call.addable, !contacts.isEmpty else { return }
        dialogs.open(.addPeople) {
            let most = mostInGroupCall - 2
            return AddPeopleDialog(over: front, name: session.contact.name, contacts: contacts, most: most) {
                [weak self] in
                self?.onAdd($0, session)
            }
        }
    }

    /// Asks how the screen is to be shared; what of it, the desktop asks then.
    private func askToShare(_ session: any CallSession) {
        guard let front else { return }
        dialogs.open(.sharing) {
            ShareDialog.make(over: front, name: session.snapshot.group == nil ? session.contact.name : nil) { choice in
                if let choice {
                    Task { await session.startSharing(withSound: choice.withSound, content: choice.content) }
                }
            }
        }
    }

    /// Asks whether a call that was dialled may go on without end-to-end encryption.
    private func ask(_ session: any CallSession) {
        guard dialogs[.clearMedia] == nil, let front = window?.root ?? mini?.root else { return }
        dialogs.open(.clearMedia) {
            ClearMediaDialog.make(over: front, name: session.contact.name) { goesOn in
                Task { goesOn ? await session.continueWithClearMedia() : await session.hangUp() }
            }
        }
    }

    /// Asks whether a call that rings is wanted without end-to-end encryption. It rings on without a yes.
    private func ask(_ session: any CallSession, accepting kind: CallKind, makingRoom room: MakingRoom?) {
        if window == nil { onOpen() }
        guard let window else { return }
        // One that is open asks for what was wanted before.
        dialogs.close(.clearMedia)
        dialogs.open(.clearMedia) {
            ClearMediaDialog.make(over: window.root, acceptingFrom: session.contact.name) {
                Task {
                    await session.continueWithClearMedia()
                    await session.accept(kind, makingRoom: room)
                }
            }
        }
    }

    /// Tells a sentence where there is a main window.
    func toast(_ sentence: String) { window?.toast(sentence) }

    private func dismissQuestions() {
        for question in [OpenDialogs.Kind.sharing, .clearMedia, .connection, .addPeople, .memberCode] {
            dialogs.close(question)
        }
    }

    // MARK: The end

    private func end(_ call: CallPresentation) {
        dismissQuestions()
        // A collapsed call must not take the contacts away from under the person's hands when it ends.
        guard isCollapsed else {
            window?.page = .ended
            if leaving == nil { leaveInTime() }
            return
        }
        closeMini()
        let sentence = call.name + ": " + call.status
        if let session = shown?.actions.session, session.snapshot.isFailure {
            onFailedEnd(sentence, session)
        } else {
            window?.toast(sentence)
        }
        presenter.dismiss()
    }

    /// Goes back to the contacts by itself, as long as this end is shown.
    private func leaveInTime() {
        leaving = Task { [weak self, timeToRead] in
            try? await Task.sleep(for: timeToRead)
            guard !Task.isCancelled else { return }
            self?.presenter.dismiss()
        }
    }
}
