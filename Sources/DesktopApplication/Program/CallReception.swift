import GLibKit
import Notifications

/// Receives the calls there are, whether or not a window is open: tells of one that rings, takes the answer, and hands what is to be seen
/// to the windows.
@MainActor final class CallReception {
    /// How long a call is shown before it can be answered: a click or a key may have been meant for what was there before.
    static let timeToLook = Duration.seconds(1)

    typealias Line = CallRoster.Line

    /// The windows of calls, once there is a display for them.
    var windows: CallWindows? { didSet { windows?.onCollapse = { [weak self] in self?.enable() } } }
    /// Is told when there are other calls, or one stands otherwise.
    var onCalls: () -> Void = {}
    /// Is asked to have the windows ready, without opening one.
    var onDisplay: () -> Void = {}
    /// Is asked to open the main window, with what lets it come to the front.
    var onOpen: (_ token: String?) -> Void = { _ in }
    /// Is told that the person wants to hear no more of the call that rings.
    var onIgnore: () -> Void = {}
    /// Is told that the call that rings is to be heard.
    var onHeard: () -> Void = {}
    /// Is told whom the person wants to call again.
    var onCall: (ContactItem, CallKind) -> Void = { _, _ in }
    /// Is told who of a call of several the person wants to call again together.
    var onCallTogether: ([ContactItem], CallKind) -> Void = { _, _ in }
    /// Is told with whom the person wants to come back into a call of several that goes on.
    var onComeBack: (ContactItem) -> Void = { _ in }
    /// Is told whom the person invites to a call of several.
    var onInvite: (ContactItem, any GroupCallSession) -> Void = { _, _ in }
    /// Is told whose call, which rings, is the last that is to be heard of.
    var onBlock: (any CallSession) -> Void = { _ in }
    /// Is told to whom the person wants to write.
    var onWrite: (ContactItem) -> Void = { _ in }
    /// Is told what is to be written to whom.
    var onReply: (String, ContactItem) -> Void = { _, _ in }
    /// Whether the call that is told is to be heard.
    private(set) var isHeard = false

    private let roster: CallRoster
    private let notifications: CallNotifications
    private let decide: @MainActor () async -> RingDecision
    private var shown: CallPresentation?
    /// The call that rings and is told, and whether it is in front.
    private var told: (line: Line, isFront: Bool)?
    private var isIgnored = false
    private var deciding: Task<Void, Never>?
    /// The questions that have come up so far, by the numbers of their calls.
    private var asked: Set<Int> = []
    /// Calls that have not been shown for long enough to be answered, by their numbers.
    private var looking: [Int: Task<Void, Never>] = [:]

    /// Receives these calls, and has `notifications` tell of those that ring; `decide` says how much they may make themselves felt.
    init(
        _ roster: CallRoster, _ notifications: CallNotifications,
        decide: @escaping @MainActor () async -> RingDecision
    ) {
        (self.roster, self.notifications, self.decide) = (roster, notifications, decide)
        roster.presenter.onChange = { [weak self] in self?.show($0) }
        roster.onChange = { [weak self] in self?.callsChanged() }
        roster.onWish = { [weak self] in self?.perform($0, for: $1) }
    }

    /// Whether the call that is told rings behind another one, and is to be heard.
    var isWaitingHeard: Bool { isHeard && told?.isFront == false }

    /// Whether the call in front may make itself felt: one that rings must be heard.
    var isFrontFelt: Bool {
        guard let front = roster.front, front.snapshot.stage == .ringingIn else { return roster.front != nil }
        return isHeard && told?.line === front
    }

    /// The main window has been opened. What it shows of a call came up unasked, too.
    func mainWindowOpened() {
        if let told { look(at: told.line) }
        if let shown { show(shown) }
        showOthers()
    }

    /// Takes an answer from elsewhere to the call that is told, or else is in front, if it rings.
    func answer(_ answer: RingingNotification.Answer, token: String?) {
        guard let line = told?.line ?? roster.front else { return }
        receive(answer, to: line, token: token)
    }

    /// Takes an answer from elsewhere to a call, if it rings.
    func answer(_ answer: RingingNotification.Answer, to session: any CallSession) {
        if let line = roster.line(of: session) { receive(answer, to: line, token: nil) }
    }

    /// Blocks whoever makes a call that rings.
    func blockCaller(of session: any CallSession) { roster.line(of: session)?.actions.answer(.block) }

    /// Ends what is told of calls, for good.
    func close() {
        stopRinging()
        windows?.close()
    }

    private func show(_ call: CallPresentation?) {
        shown = call
        tellRinging()
        guard let call, let line = roster.front, line.session === roster.presenter.call else {
            windows?.leave()
            return
        }
        if call.screen == .ended {
            // Another call takes its place at once.
            guard !roster.hasOther(than: line.session) else { return }
            guard windows?.isOpen == true else { return roster.presenter.dismiss() }
        }
        // Before: a button takes the focus only if it can be used.
        enable()
        windows?.show(call, line.actions, isPulsing: told?.line === line && !isIgnored)
    }

    private func callsChanged() {
        tellRinging()
        // It comes up unasked, too, and rings nowhere.
        for line in roster.waiting where line.snapshot.isQuestion && asked.insert(line.number).inserted {
            look(at: line)
        }
        showOthers()
        enable()
        onCalls()
    }

    private func showOthers() {
        windows?.show(
            waiting: roster.waiting.first.map { ShownCall(presentation: $0.presentation, actions: $0.actions) },
            held: roster.held.map { ShownCall(presentation: $0.presentation, actions: $0.actions) })
    }

    private func enable() {
        let front = roster.front
        let isFlowing = front.map { $0.snapshot.stage.isFlowing && !$0.snapshot.isHeld } ?? false
        let canHold = isFlowing && front?.snapshot.group == nil
        for line in roster.lines {
            let controls = ControlState(
                line.snapshot, kind: line.session.kind, cameraCount: line.session.cameraCount)
            let isFront = line === front
            let isSeen = isFlowing && front?.snapshot.cameraEnabled == true
            line.actions.kindFromAnotherCall = isSeen ? line.session.kind : .audio
            line.actions.canAddPeople =
                isFront && roster.presenter.presentation?.addable.isEmpty == false
                && !roster.lines.contains { $0.snapshot.isQuestion }
            line.actions.enable(
                controls, canAnswer: controls.canAccept && looking[line.number] == nil,
                canHoldPresent: canHold && !isFront, isEnded: isFront && line.snapshot.stage.isEnded,
                isCollapsed: isFront && (windows?.isCollapsed ?? false))
        }
    }

    private func perform(_ wish: CallActions.Wish, for line: Line) {
        let isFront = line.session === roster.presenter.call
        switch wish {
        case .windows(let wish): if isFront || !wish.needsFront { windows?.perform(wish, for: line.session) }
        case .ignore: receive(.ignore, to: line, token: nil)
        case .write: onWrite(line.session.contact)
        case .reply(let reply): onReply(reply.sentence, line.session.contact)
        case .close: if isFront { roster.presenter.dismiss() }
        case .block:
            roster.forget(line)
            onBlock(line.session)
        case .callAgain:
            guard isFront else { return }
            let group = line.session.snapshot.group
            roster.presenter.dismiss()
            // A new call in its place would lose the way back into it.
            if group?.goesOn == true { return onComeBack(line.session.contact) }
            let contacts = (group?.members ?? []).compactMap(\.contact).filter(\.canJoin)
            guard contacts.isEmpty else { return onCallTogether(contacts, line.session.kind) }
            onCall(line.session.contact, line.session.kind)
        case .invite(let contact): if let call = line.session.several { onInvite(contact, call) }
        }
    }

    // MARK: A call that rings

    /// Tells of the call in front, if it rings, else of the first behind it that does.
    private func tellRinging() {
        let front = roster.front.flatMap {
            $0.snapshot.stage == .ringingIn && !$0.snapshot.isIgnored && !$0.snapshot.isQuestion ? $0 : nil
        }
        let line = front ?? roster.waiting.first { !$0.snapshot.isQuestion }
        guard line !== told?.line || (front != nil) != told?.isFront else { return }
        let hadBeen = told?.line === line
        stopRinging()
        guard let line else { return }
        told = (line, front != nil)
        if !hadBeen { look(at: line) }
        deciding = Task { [weak self, decide] in
            let decision = await decide()
            guard !Task.isCancelled else { return }
            self?.ring(line, as: decision)
        }
    }

    private func ring(_ line: Line, as decision: RingDecision) {
        guard !isIgnored, told?.line === line else { return }
        if decision.isHeard {
            isHeard = true
            onHeard()
        }
        guard let urgency = decision.urgency else { return }
        notifications.ring(
            line.presentation, kind: line.session.kind, isWaiting: line !== roster.front, urgency: urgency
        ) { [weak self] in
            if decision.opensWindow { self?.openRingWindow() }
        } onAnswer: { [weak self] answer, token in
            self?.receive(answer, to: line, token: token)
        }
    }

    private func openRingWindow() {
        onDisplay()
        guard let windows, let line = told?.line, !isIgnored else { return }
        windows.openRing(line.presentation, line.actions, showsCaller: notifications.showsCaller) { [weak self] in
            self?.receive(.ignore, to: line, token: nil)
        }
        look(at: line)
        enable()
    }

    private func look(at line: Line) {
        looking[line.number]?.cancel()
        looking[line.number] = Task { [weak self] in
            try? await Task.sleep(for: Self.timeToLook)
            guard !Task.isCancelled else { return }
            self?.looking[line.number] = nil
            self?.enable()
        }
    }

    /// Takes what the person answered to the notification of a call. A notification comes up unasked as a page does; it lets pass
    /// what is pressed in the first second by itself.
    private func receive(_ answer: RingingNotification.Answer, to line: Line, token: String?) {
        guard line.session.snapshot.stage == .ringingIn else { return }
        if [.accept, .acceptWithSoundOnly, .open].contains(answer) { onOpen(token) }
        switch answer {
        // Nobody is in a call that can't be seen.
        case .accept: if windows != nil { line.actions.answer(.accept) }
        case .acceptWithSoundOnly: if windows != nil { line.actions.answer(.acceptAudio) }
        case .decline: line.actions.answer(.decline)
        case .ignore:
            let session = line.session
            Task { await session.ignore() }
            guard told?.line === line else { return }
            isIgnored = true
            notifications.stopRinging()
            windows?.ignoreRing()
            isHeard = false
            onIgnore()
        case .open: break
        }
    }

    private func stopRinging() {
        (told, isIgnored, isHeard) = (nil, false, false)
        deciding?.cancel()
        deciding = nil
        notifications.stopRinging()
        windows?.ignoreRing()
        for task in looking.values { task.cancel() }
        looking = [:]
    }
}
