import GLibKit

/// Shows one call after the other: follows its state, keeps the duration running, feeds the pictures, and tells the windows.
@MainActor final class CallPresenter {
    /// The other side's picture.
    let remote = VideoPaintable(mirrored: false)
    /// The screen they share.
    let screen = VideoPaintable(mirrored: false)
    /// Our own.
    let local = VideoPaintable(mirrored: true)
    /// The call that is shown, if any.
    private(set) var call: (any CallSession)?
    /// Its newest state.
    private(set) var snapshot = CallSnapshot(stage: .connecting)
    /// Called whenever something to show has changed; nil when there is no call any more.
    var onChange: (CallPresentation?) -> Void = { _ in }

    private var following: Task<Void, Never>?
    private var ticking: Task<Void, Never>?
    private var shown: CallPresentation?

    init() {
        remote.onPictureChange = { [weak self] in self?.refresh() }
        screen.onPictureChange = { [weak self] in self?.refresh() }
        local.onPictureChange = { [weak self] in self?.refresh() }
    }

    /// Whether a call is under way that a second one would disturb.
    var isBusy: Bool { call != nil && !snapshot.stage.isEnded }

    /// Shows a call from now on.
    func show(_ call: any CallSession) {
        dismiss()
        self.call = call
        snapshot = CallSnapshot(
            stage: call.isIncoming ? .ringingIn : .ringingOut, cameraEnabled: call.kind == .video)
        refresh()
        let states = call.states()
        following = Task { [weak self] in
            for await snapshot in states { self?.take(snapshot) }
        }
    }

    /// Forgets the call, which does not end it.
    func dismiss() {
        following?.cancel()
        ticking?.cancel()
        (following, ticking, call, shown) = (nil, nil, nil, nil)
        detach()
        onChange(nil)
    }

    private func take(_ snapshot: CallSnapshot) {
        self.snapshot = snapshot
        if snapshot.stage.isEnded {
            detach()
        } else {
            remote.attach(call?.remoteVideo)
            screen.attach(call?.remoteScreen)
            local.attach(call?.localVideo)
        }
        if !snapshot.peerCamera { remote.clear() }
        if !snapshot.peerScreen { screen.clear() }
        if !snapshot.cameraEnabled { local.clear() }
        tickWhileActive()
        refresh()
    }

    private func detach() { for picture in [remote, screen, local] { picture.attach(nil) } }

    private func tickWhileActive() {
        guard case .active(let since) = snapshot.stage else {
            ticking?.cancel()
            ticking = nil
            return
        }
        guard ticking == nil else { return }
        ticking = Task { [weak self] in
            var next = since
            while !Task.isCancelled {
                while next <= .now { next += .seconds(1) }
                try? await Task.sleep(until: next, tolerance: .milliseconds(50))
                self?.refresh()
            }
        }
    }

    private func refresh() {
        guard let call else { return }
        let presentation = CallPresentation(
            contact: call.contact, kind: call.kind, snapshot: snapshot, cameraCount: call.cameraCount,
            surroundings: .init(
                now: .now, hasRemotePicture: remote.hasPicture, hasRemoteScreen: screen.hasPicture,
                hasLocalPicture: local.hasPicture))
        guard presentation != shown else { return }
        shown = presentation
        onChange(presentation)
    }
}
