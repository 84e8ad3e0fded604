import GLibKit

/// Puts the shown call into the right window: pages of the main window, or the mini window while it is collapsed.
@MainActor final class CallWindows {
    private let window: MainWindow
    private let actions: Actions
    private let presenter: CallPresenter
    private let callView: CallView
    private let incomingView = FaceView(template: "incoming-call")
    private let endedView = FaceView(template: "ended-call")
    private let application: Object
    private var mini: MiniWindow?
    private var shown: CallPresentation?
    private var question: ClearMediaDialog?
    private var sharing: ShareDialog?

    /// Adds the call's pages to the main window. `onDevice` is told which device the person chooses.
    init(
        application: Object, window: MainWindow, actions: Actions, presenter: CallPresenter,
        onDevice: @escaping DeviceMenu.Choice
    ) {
        self.application = application
        self.window = window
        self.actions = actions
        self.presenter = presenter
        callView = CallView(
            remote: presenter.remote, screen: presenter.screen, local: presenter.local, onDevice: onDevice)
        window.add(.call, callView.root)
        window.add(.incoming, incomingView.root)
        window.add(.ended, endedView.root)
        actions.enable(nil, isCollapsed: false)
        presenter.onChange = { [weak self] in self?.show($0) }
        presenter.onLevel = { [weak self] in self?.callView.show(level: $0) }
    }

    /// Whether the call is small.
    var isCollapsed: Bool { mini != nil }

    /// Makes the call small or large.
    func setCollapsed(_ collapsed: Bool) {
        guard collapsed != isCollapsed, let shown, presenter.call != nil else { return }
        if collapsed {
            mini = MiniWindow(application: application, remote: presenter.remote, screen: presenter.screen) {
                [weak self] in self?.setCollapsed(false)
            }
            mini?.show(shown)
        } else {
            closeMini()
        }
        window.page = collapsed ? .contacts : .call
        if !collapsed { window.present() }
        actions.enable(shown.controls, isCollapsed: collapsed)
    }

    /// Asks how the screen is to be shared; what of it, the desktop asks then.
    func askToShare() {
        guard sharing == nil, let session = presenter.call else { return }
        sharing = ShareDialog(parent: mini?.root ?? window.root, name: session.contact.name) { [weak self] choice in
            self?.sharing = nil
            if let choice { Task { await session.startSharing(withSound: choice.withSound) } }
        }
    }

    private func dismissSharing() {
        sharing?.dismiss()
        sharing = nil
    }

    /// Closes what is open besides the main window, for good.
    func close() {
        dismissSharing()
        question?.dismiss()
        question = nil
        closeMini()
    }

    private func closeMini() {
        if mini != nil { dismissSharing() }
        mini?.destroy()
        mini = nil
    }

    private func show(_ call: CallPresentation?) {
        shown = call
        guard let call else { return leave() }
        callView.show(call)
        incomingView.show(call)
        endedView.show(call)
        mini?.show(call)
        ask(call)
        switch call.screen {
        case .incoming:
            incomingView.setShown("accept_video_button", presenter.call?.kind == .video)
            window.page = .incoming
        case .call:
            if !isCollapsed { window.page = .call }
        case .ended:
            end(call)
        }
        actions.enable(call.controls, isCollapsed: isCollapsed)
    }

    /// Asks about end-to-end encryption once, as long as the call needs the answer.
    private func ask(_ call: CallPresentation) {
        guard call.needsDecisionOnClearMedia else {
            question?.dismiss()
            question = nil
            return
        }
        guard question == nil, let session = presenter.call else { return }
        question = ClearMediaDialog(parent: window.root, name: call.name) { goesOn in
            Task { goesOn ? await session.continueWithClearMedia() : await session.hangUp() }
        }
    }

    private func end(_ call: CallPresentation) {
        dismissSharing()
        // A collapsed call must not take the contacts away from under the person's hands when it ends.
        guard isCollapsed else {
            window.page = .ended
            return
        }
        closeMini()
        window.toast(call.name + ": " + call.status)
        presenter.dismiss()
    }

    private func leave() {
        dismissSharing()
        question?.dismiss()
        question = nil
        closeMini()
        if [.call, .incoming, .ended].contains(window.page) { window.page = .contacts }
        actions.enable(nil, isCollapsed: false)
    }
}
