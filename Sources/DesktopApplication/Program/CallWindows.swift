import GLibKit
import Notifications

/// Puts the shown call into the right window: pages of the main window, or the mini window while it is collapsed.
@MainActor final class CallWindows {
    /// How long a call is shown before it can be answered: a click or a key may have been meant for what was there before.
    static let timeToLook = Duration.seconds(1)
    /// How long a call that is over is shown by itself.
    static let timeToRead = Duration.seconds(30)

    private let window: MainWindow
    private let presenter: CallPresenter
    private let dialogs: OpenDialogs
    private let onDevice: DeviceMenu.Choice
    private let onIgnore: @MainActor () -> Void
    private let onCall: @MainActor (ContactItem, CallKind) -> Void
    private let application: Object
    private let notifications: CallNotifications
    private var pages: CallPages?
    private var placement = PreviewPlacement()
    private var mini: MiniWindow?
    private var shown: CallPresentation?
    private var looking: Task<Void, Never>?
    private let timeToRead: Duration
    private var leaving: Task<Void, Never>?

    /// Shows the presenter's calls, and has `notifications` tell of those that ring. `onDevice` is told which device the person
    /// chooses, `onIgnore` that they want to hear no more of the call that rings, `onCall` whom they want to call again.
    init(
        application: Object, window: MainWindow, dialogs: OpenDialogs, presenter: CallPresenter,
        notifications: CallNotifications, onDevice: @escaping DeviceMenu.Choice,
        onIgnore: @escaping @MainActor () -> Void = {}, timeToRead: Duration = CallWindows.timeToRead,
        onCall: @escaping @MainActor (ContactItem, CallKind) -> Void
    ) {
        self.application = application
        self.window = window
        self.dialogs = dialogs
        self.presenter = presenter
        self.onDevice = onDevice
        self.onIgnore = onIgnore
        self.timeToRead = timeToRead
        self.onCall = onCall
        self.notifications = notifications
        application.setCallKeys()
        presenter.onChange = { [weak self] in self?.show($0) }
        presenter.onLevel = { [weak self] in self?.pages?.show(level: $0) }
    }

    /// Closes what is open besides the main window, for good.
    func close() {
        leaving?.cancel()
        notifications.stopRinging()
        dismissQuestions()
        closeMini()
    }

    private func show(_ call: CallPresentation?) {
        shown = call
        guard let call, let session = presenter.call else { return leave() }
        let pages = pages(of: session)
        pages.show(call)
        mini?.show(call)
        switch call.screen {
        case .incoming: ring(call, session)
        case .call:
            stopRinging()
            if !isCollapsed { window.page = .call }
            if call.needsDecisionOnClearMedia { ask(session) } else { dialogs.close(.clearMedia) }
        case .ended: end(call)
        }
        enable()
    }

    private func pages(of session: any CallSession) -> CallPages {
        if let pages, pages.actions.session === session { return pages }
        let actions = CallActions(session) { [weak self] in self?.perform($0, for: session) }
        let pages = CallPages(actions, presenter: presenter, placement: placement, onDevice: onDevice)
        pages.add(to: window)
        actions.insert(into: window.root)
        self.pages = pages
        return pages
    }

    private func enable() {
        guard let pages, let shown else { return }
        let canAnswer = shown.controls.canAccept && looking == nil
        pages.actions.enable(
            shown.controls, canAnswer: canAnswer, isEnded: shown.screen == .ended, isCollapsed: isCollapsed)
        dialogs.show(pages.actions, ringing: shown.screen == .incoming ? shown : nil)
    }

    private func perform(_ wish: CallActions.Wish, for session: any CallSession) {
        guard session === presenter.call else { return }
        switch wish {
        case .collapse: setCollapsed(true)
        case .expand: setCollapsed(false)
        case .toggleSize: setCollapsed(!isCollapsed)
        case .askToShare: askToShare(session)
        case .askAboutClearMedia(let kind): ask(session, accepting: kind)
        case .close: presenter.dismiss()
        case .callAgain:
            presenter.dismiss()
            onCall(session.contact, session.kind)
        }
    }

    // MARK: A call that rings

    /// Shows that somebody calls. The window stays where it is, the focus goes to none of the buttons, and dialogs stay open.
    private func ring(_ call: CallPresentation, _ session: any CallSession) {
        guard window.page != .incoming else { return }
        window.page = .incoming
        pages?.setRinging(true)
        notifications.ring(call, kind: session.kind) { [weak self] answer, token in
            self?.take(answer, to: session, token: token)
        }
        looking = Task { [weak self] in
            try? await Task.sleep(for: Self.timeToLook)
            guard !Task.isCancelled else { return }
            self?.looking = nil
            self?.enable()
        }
    }

    /// Takes what the person answered to the notification of a call. A notification comes up unasked as a page does; it lets pass
    /// what is pressed in the first second by itself.
    private func take(_ answer: RingingNotification.Answer, to session: any CallSession, token: String?) {
        guard session === presenter.call, session.snapshot.stage == .ringingIn, let pages else { return }
        if [.accept, .acceptWithSoundOnly, .open].contains(answer) { window.present(token: token) }
        switch answer {
        case .accept: pages.actions.answer(.accept)
        case .acceptWithSoundOnly: pages.actions.answer(.acceptAudio)
        case .decline: pages.actions.answer(.decline)
        case .ignore:
            pages.setRinging(false)
            onIgnore()
        case .open: break
        }
    }

    private func stopRinging() {
        pages?.setRinging(false)
        notifications.stopRinging()
        looking?.cancel()
        looking = nil
    }

    // MARK: Small or large

    private var isCollapsed: Bool { mini != nil }

    private func setCollapsed(_ collapsed: Bool) {
        guard collapsed != isCollapsed, let shown, let pages else { return }
        if collapsed {
            let mini = MiniWindow(application: application, remote: presenter.remote, screen: presenter.screen) {
                [weak self] in self?.setCollapsed(false)
            }
            pages.actions.insert(into: mini.root)
            mini.show(shown)
            self.mini = mini
        } else {
            closeMini()
        }
        window.page = collapsed ? .contacts : .call
        if !collapsed { window.present() }
        enable()
    }

    private func closeMini() {
        if mini != nil { dialogs.close(.sharing) }
        mini?.destroy()
        mini = nil
    }

    // MARK: Questions

    /// Asks how the screen is to be shared; what of it, the desktop asks then.
    private func askToShare(_ session: any CallSession) {
        dialogs.open(.sharing) {
            ShareDialog.make(over: mini?.root ?? window.root, name: session.contact.name) { choice in
                if let choice { Task { await session.startSharing(withSound: choice.withSound) } }
            }
        }
    }

    /// Asks whether a call that was dialled may go on without end-to-end encryption.
    private func ask(_ session: any CallSession) {
        guard dialogs[.clearMedia] == nil else { return }
        dialogs.open(.clearMedia) {
            ClearMediaDialog.make(over: window.root, name: session.contact.name) { goesOn in
                Task { goesOn ? await session.continueWithClearMedia() : await session.hangUp() }
            }
        }
    }

    /// Asks whether a call that rings is wanted without end-to-end encryption. It rings on without a yes.
    private func ask(_ session: any CallSession, accepting kind: CallKind) {
        // One that is open asks for what was wanted before.
        dialogs.close(.clearMedia)
        dialogs.open(.clearMedia) {
            ClearMediaDialog.make(over: window.root, acceptingFrom: session.contact.name) {
                Task {
                    await session.continueWithClearMedia()
                    await session.accept(kind)
                }
            }
        }
    }

    private func dismissQuestions() {
        dialogs.close(.sharing)
        dialogs.close(.clearMedia)
    }

    // MARK: The end

    private func end(_ call: CallPresentation) {
        stopRinging()
        dismissQuestions()
        // A collapsed call must not take the contacts away from under the person's hands when it ends.
        guard isCollapsed else {
            window.page = .ended
            if leaving == nil { leaveInTime() }
            return
        }
        closeMini()
        window.toast(call.name + ": " + call.status)
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

    private func leave() {
        leaving?.cancel()
        leaving = nil
        stopRinging()
        dismissQuestions()
        closeMini()
        if window.page.isOfCall { window.page = .contacts }
        guard let pages else { return }
        placement = pages.placement
        self.pages = nil
        ActionGroup.remove(CallActions.groupName, from: window.root)
        dialogs.show(nil, ringing: nil)
        window.removeCallPages()
    }
}
