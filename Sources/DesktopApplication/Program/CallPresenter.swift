import BaseKit
import GLibKit
import MediaRules
import Wording

/// Shows the call in front, one after the other: follows its state, keeps the duration running, feeds the pictures, and tells the windows.
@MainActor final class CallPresenter {
    /// The other side's picture.
    let remote = VideoPaintable(mirrored: false)
    /// The screen they share.
    let screen = VideoPaintable(mirrored: false)
    /// Our own.
    let local = VideoPaintable(mirrored: true)
    /// The others in a call of several.
    let faces = GroupFaces()
    /// Who could be invited to one.
    var contacts: [ContactItem] = [] { didSet { refresh() } }
    /// Whether calls of several are made.
    var takesGroupCalls = false { didSet { refresh() } }
    /// The call that is shown, if any.
    private(set) var call: (any CallSession)?
    /// Its newest state.
    private(set) var snapshot = CallSnapshot(stage: .connecting)
    /// Called whenever something to show has changed; nil when there is no call any more.
    var onChange: (CallPresentation?) -> Void = { _ in }
    /// Called with each state of the call, whether or not it changes what is shown; nil when there is no call any more.
    var onState: (CallSnapshot?) -> Void = { _ in }
    /// Is told when media begin to flow.
    var onFlow: () -> Void = {}
    /// Called with how loud our microphone is, from 0 to 1.
    var onLevel: (Double) -> Void = { _ in }
    /// Called with how loud they speak, from 0 to 3, while their face stands for them.
    var onSpeaking: (Int) -> Void = { _ in }

    private let look: Look
    private var following: Task<Void, Never>?
    private var ticking: Task<Void, Never>?
    private var looking: Task<Void, Never>?
    private var listening: Task<Void, Never>?
    private var hearing: Task<Void, Never>?
    private var shown: CallPresentation?
    /// What is shown of it; nil without a call.
    var presentation: CallPresentation? { shown }
    /// Since when media flow, or have flowed.
    private var flowingSince: Instant?
    private var lasted: Duration?
    private var devices = MediaDevices()
    private var notices = NoticeBoard()

    /// Tells the devices there are, whenever they change.
    typealias Look = @MainActor () async throws -> AsyncStream<MediaDevices>

    /// `look` is used once a call has devices.
    init(_ look: @escaping Look = { AsyncStream { $0.finish() } }) {
        self.look = look
        remote.onPictureChange = { [weak self] in self?.refresh() }
        screen.onPictureChange = { [weak self] in self?.refresh() }
        local.onPictureChange = { [weak self] in self?.refresh() }
        faces.onChange = { [weak self] in self?.refresh() }
    }

    /// Whether a call is under way that a second one would disturb.
    var isBusy: Bool { call.map { !$0.snapshot.stage.isEnded && !snapshot.stage.isEnded } ?? false }

    /// Shows a call from now on.
    func show(_ call: any CallSession) {
        dismiss()
        begin(call)
    }

    /// Shows another call from now on, in the windows where the former one is; that one goes on.
    func turn(to call: any CallSession) {
        guard let former = self.call, !former.snapshot.stage.isEnded, former.snapshot.stage != .ringingIn else {
            return show(call)
        }
        forget()
        begin(call)
    }

    private func begin(_ call: any CallSession) {
        self.call = call
        (flowingSince, lasted) = (nil, nil)
        snapshot = call.snapshot
        onState(snapshot)
        refresh()
        let states = call.states()
        following = Task { [weak self] in
            // What an earlier call said may still be on its way.
            for await snapshot in states where !Task.isCancelled { self?.receive(snapshot) }
            if !Task.isCancelled { self?.finish() }
        }
    }

    /// Forgets the call, which does not end it.
    func dismiss() {
        forget()
        // First: another call may be shown when its turn is told of.
        onChange(nil)
        onState(nil)
    }

    private func forget() {
        for task in [following, ticking, looking, listening, hearing] { task?.cancel() }
        (following, ticking, looking, listening, hearing, call, shown) = (nil, nil, nil, nil, nil, nil, nil)
        notices = NoticeBoard()
        detach()
    }

    /// The call says nothing more: it is over, whether or not that was among what it said.
    private func finish() {
        guard let call, !snapshot.stage.isEnded else { return }
        var last = call.snapshot
        if !last.stage.isEnded { last.stage = .ended(sentence: tr("The call is over.")) }
        receive(last)
    }

    private func receive(_ snapshot: CallSnapshot) {
        let begins = snapshot.stage.isFlowing && !self.snapshot.stage.isFlowing
        self.snapshot = snapshot
        onState(snapshot)
        if begins { onFlow() }
        if case .active(let since) = snapshot.stage { flowingSince = since }
        if snapshot.stage.isEnded, lasted == nil, let flowingSince { lasted = .now - flowingSince }
        notices.add(snapshot.notices, at: .now)
        if snapshot.devices != DevicesInUse() { lookAtDevices() }
        if snapshot.stage.isFlowing { listen() }
        if snapshot.stage.isEnded {
            detach()
        } else {
            remote.attach(call?.remoteVideo)
            screen.attach(call?.remoteScreen)
            local.attach(call?.localVideo)
            if let session = call?.several, let group = snapshot.group {
                faces.follow(session, group)
            }
        }
        if !snapshot.peerCamera { remote.clear() }
        if !snapshot.peerScreen { screen.clear() }
        if !snapshot.cameraEnabled { local.clear() }
        tickWhileActive()
        refresh()
    }

    private func detach() {
        for picture in [remote, screen, local] { picture.attach(nil) }
        faces.leave()
    }

    private func lookAtDevices() {
        guard looking == nil else { return }
        looking = Task { [weak self, look] in
            guard let changes = try? await look() else { return }
            for await devices in changes {
                self?.devices = devices
                self?.refresh()
            }
        }
    }

    private func listen() {
        guard listening == nil, let call else { return }
        let levels = call.microphoneLevels()
        listening = Task { [weak self] in
            for await level in levels { self?.onLevel(level) }
        }
    }

    /// Nobody measures how loud they are while nobody sees it.
    private func hear(_ isWanted: Bool) {
        guard isWanted != (hearing != nil) else { return }
        hearing?.cancel()
        hearing = nil
        guard isWanted, let call else { return onSpeaking(0) }
        let steps = call.speakingSteps()
        hearing = Task { [weak self] in
            for await step in steps where !Task.isCancelled { self?.onSpeaking(step) }
        }
    }

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
                try? await Task.sleep(for: next - .now, tolerance: .milliseconds(50))
                self?.refresh()
            }
        }
    }

    private func refresh() {
        guard let call else { return }
        var snapshot = snapshot
        snapshot.notices = notices.shown(at: .now)
        let presentation = CallPresentation(
            contact: call.contact, kind: call.kind, snapshot: snapshot, cameraCount: call.cameraCount,
            surroundings: .init(
                now: .now, lasted: lasted, hasRemotePicture: remote.hasPicture, hasRemoteScreen: screen.hasPicture,
                hasLocalPicture: local.hasPicture, devices: devices, profile: call.profile?.name,
                group: snapshot.group.map {
                    faces.surroundings(
                        of: $0, hasOwnPicture: snapshot.cameraEnabled && local.hasPicture, contacts: contacts)
                } ?? .init(), others: takesGroupCalls ? contacts : []))
        guard presentation != shown else { return }
        shown = presentation
        onChange(presentation)
        if self.call === call { hear(presentation.showsSpeaking) }
    }
}
