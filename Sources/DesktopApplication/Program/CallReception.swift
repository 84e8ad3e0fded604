import GLibKit
import Notifications

/// Receives the call there is, whether or not a window is open: tells of one that rings, takes the answer, and hands what is to be seen
/// to the windows.
@MainActor final class CallReception {
    /// How long a call is shown before it can be answered: a click or a key may have been meant for what was there before.
    static let timeToLook = Duration.seconds(1)

    /// The windows of calls, once there is a display for them.
    var windows: CallWindows? { didSet { windows?.onCollapse = { [weak self] in self?.enable() } } }
    /// Is asked to have the windows ready, without opening one.
    var onDisplay: () -> Void = {}
    /// Is asked to open the main window, with what lets it come to the front.
    var onOpen: (_ token: String?) -> Void = { _ in }
    /// Is told that the person wants to hear no more of the call that rings.
    var onIgnore: () -> Void = {}
    /// Is told that the call that rings is to be heard.
    var onHeard: () -> Void = {}
    /// Whether the call that rings is to be heard.
    private(set) var isHeard = false
    /// Is told whom the person wants to call again.
    var onCall: (ContactItem, CallKind) -> Void = { _, _ in }

    /// Is told whose call, which rings, is the last that is to be heard of.
    var onBlock: (any CallSession) -> Void = { _ in }

    private let presenter: CallPresenter
    private let notifications: CallNotifications
    private var shown: CallPresentation?
    private var actions: CallActions?
    private let decide: @MainActor () async -> RingDecision
    private var isRinging = false
    private var isIgnored = false
    private var deciding: Task<Void, Never>?
    private var looking: Task<Void, Never>?

    /// Receives the presenter's calls, and has `notifications` tell of those that ring; `decide` says how much they may make themselves
    /// felt.
    init(
        _ presenter: CallPresenter, _ notifications: CallNotifications,
        decide: @escaping @MainActor () async -> RingDecision
    ) {
        (self.presenter, self.notifications, self.decide) = (presenter, notifications, decide)
        presenter.onChange = { [weak self] in self?.show($0) }
    }

    /// The main window has been opened. What it shows of a call came up unasked, too.
    func mainWindowOpened() {
        if isRinging { look() }
        if let shown { show(shown) }
    }

    /// Takes an answer from elsewhere to the call that rings, if one does.
    func answer(_ answer: RingingNotification.Answer, token: String?) {
        guard let session = presenter.call else { return }
        take(answer, to: session, token: token)
    }

    /// Blocks whoever calls, if somebody does.
    func blockCaller() {
        guard presenter.call?.snapshot.stage == .ringingIn else { return }
        actions?.answer(.block)
    }

    /// Ends what is told of a call, for good.
    func close() {
        stopRinging()
        windows?.close()
    }

    private func show(_ call: CallPresentation?) {
        shown = call
        guard let call, let session = presenter.call else { return leave() }
        let actions = actions(of: session)
        if call.screen == .incoming { ring(call, session) } else { stopRinging() }
        guard call.screen != .ended || windows?.isOpen == true else { return presenter.dismiss() }
        windows?.show(call, actions, isPulsing: isRinging && !isIgnored)
        enable()
    }

    private func actions(of session: any CallSession) -> CallActions {
        if let actions, actions.session === session { return actions }
        let actions = CallActions(session) { [weak self] in self?.perform($0, for: session) }
        self.actions = actions
        return actions
    }

    private func enable() {
        guard let actions, let shown else { return }
        let canAnswer = shown.controls.canAccept && looking == nil
        actions.enable(
            shown.controls, canAnswer: canAnswer, isEnded: shown.screen == .ended,
            isCollapsed: windows?.isCollapsed ?? false)
    }

    private func perform(_ wish: CallActions.Wish, for session: any CallSession) {
        guard session === presenter.call else { return }
        switch wish {
        case .collapse, .expand, .toggleSize, .askToShare, .askAboutClearMedia: windows?.perform(wish, for: session)
        case .close: presenter.dismiss()
        case .block:
            presenter.dismiss()
            onBlock(session)
        case .callAgain:
            presenter.dismiss()
            onCall(session.contact, session.kind)
        }
    }

    /// Tells that somebody calls.
    private func ring(_ call: CallPresentation, _ session: any CallSession) {
        guard !isRinging else { return }
        isRinging = true
        look()
        deciding = Task { [weak self, decide] in
            let decision = await decide()
            guard !Task.isCancelled else { return }
            self?.ring(call, session, as: decision)
        }
    }

    private func ring(_ call: CallPresentation, _ session: any CallSession, as decision: RingDecision) {
        guard !isIgnored else { return }
        if decision.isHeard {
            isHeard = true
            onHeard()
        }
        guard let urgency = decision.urgency else { return }
        notifications.ring(call, kind: session.kind, urgency: urgency) { [weak self] in
            if decision.opensWindow { self?.openRingWindow() }
        } onAnswer: { [weak self] answer, token in
            self?.take(answer, to: session, token: token)
        }
    }

    private func openRingWindow() {
        onDisplay()
        guard let windows, let actions, let shown, isRinging, !isIgnored else { return }
        windows.openRing(shown, actions, showsCaller: notifications.showsCaller) { [weak self] in
            guard let self, let session = presenter.call else { return }
            take(.ignore, to: session, token: nil)
        }
        look()
        enable()
    }

    private func look() {
        looking?.cancel()
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
        guard session === presenter.call, session.snapshot.stage == .ringingIn, let actions else { return }
        if [.accept, .acceptWithSoundOnly, .open].contains(answer) { onOpen(token) }
        switch answer {
        // Nobody is in a call that can't be seen.
        case .accept: if windows != nil { actions.answer(.accept) }
        case .acceptWithSoundOnly: if windows != nil { actions.answer(.acceptAudio) }
        case .decline: actions.answer(.decline)
        case .ignore:
            isIgnored = true
            notifications.stopRinging()
            windows?.ignoreRing()
            isHeard = false
            onIgnore()
        case .open: break
        }
    }

    private func stopRinging() {
        (isRinging, isIgnored, isHeard) = (false, false, false)
        deciding?.cancel()
        deciding = nil
        notifications.stopRinging()
        looking?.cancel()
        looking = nil
    }

    private func leave() {
        stopRinging()
        actions = nil
        windows?.leave()
    }
}
