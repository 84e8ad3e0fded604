import GLibKit

/// Puts the shown call into the right window: pages of the main window, or the mini window while it is collapsed.
@MainActor final class CallWindows {
    private let window: MainWindow
    private let actions: Actions
    private let presenter: CallPresenter
    private let callView: CallView
    private let incomingView = FaceView(template: "incoming-call")
    private let endedView = FaceView(template: "ended-call")
    private let mini: MiniWindow
    private(set) var isCollapsed = false
    private var question: ClearMediaDialog?

    /// Adds the call's pages to the main window and makes the (hidden) mini window.
    init(application: Object, window: MainWindow, actions: Actions, presenter: CallPresenter) {
        self.window = window
        self.actions = actions
        self.presenter = presenter
        callView = CallView(remote: presenter.remote, local: presenter.local)
        window.add(.call, callView.root)
        window.add(.incoming, incomingView.root)
        window.add(.ended, endedView.root)
        weak var late: CallWindows?
        mini = MiniWindow(application: application, remote: presenter.remote) { late?.setCollapsed(false) }
        late = self
        actions.enable(nil, isCollapsed: false)
        presenter.onChange = { [weak self] in self?.show($0) }
    }

    /// Makes the call small or large.
    func setCollapsed(_ collapsed: Bool) {
        guard collapsed != isCollapsed, presenter.call != nil else { return }
        isCollapsed = collapsed
        mini.setShown(collapsed)
        window.page = collapsed ? .contacts : .call
        if !collapsed { window.present() }
        actions.enable(controls, isCollapsed: collapsed)
    }

    /// Closes the mini window for good.
    func close() { mini.destroy() }

    private var controls: ControlState?

    private func show(_ call: CallPresentation?) {
        controls = call?.controls
        guard let call else { return leave() }
        callView.show(call)
        incomingView.show(call)
        endedView.show(call)
        mini.show(call)
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
        actions.enable(controls, isCollapsed: isCollapsed)
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
        // A collapsed call must not take the contacts away from under the person's hands when it ends.
        guard isCollapsed else {
            window.page = .ended
            return
        }
        mini.setShown(false)
        isCollapsed = false
        window.toast(call.name + ": " + call.status)
        presenter.dismiss()
    }

    private func leave() {
        question?.dismiss()
        question = nil
        mini.setShown(false)
        isCollapsed = false
        if [.call, .incoming, .ended].contains(window.page) { window.page = .contacts }
        actions.enable(nil, isCollapsed: false)
    }
}
