import BaseKit
import CallControl
import Foundation

/// Lets other programs of the session see the call there is, and control it. Nothing happens unseen: what needs the person waits until
/// they see it.
@MainActor final class CallExport {
    /// What is asked of the program.
    struct Requests {
        /// To call a contact, after the person has agreed; tells what came of it.
        var dial: @MainActor (_ contact: String, CallKind, @escaping @MainActor (CallOutcome) -> Void) -> Void
        /// To accept a call that rings; says whether there is a window to show it in. Another call that the person is in is put on
        /// hold.
        var accept: @MainActor (any CallSession, CallKind) -> Bool
        /// To show the window.
        var show: @MainActor () -> Void
        /// To take no calls from now on, or to take them; says whether that could be done.
        var setBusy: @MainActor (Bool) -> Bool
        /// To let a call that rings ring no more.
        var ignore: @MainActor (any CallSession) -> Void
        /// To block whoever makes a call that rings.
        var block: @MainActor (any CallSession) -> Void
    }

    private let service: CallService
    private let requests: Requests
    private var listening: Task<Void, Never>?
    private var calls: [(session: any CallSession, facts: CallFacts)] = []
    private var reachability = Reachability.connecting

    /// Exports calls by this service.
    init(_ service: CallService, requests: Requests) {
        self.requests = requests
        self.service = service
        listening = Task { [weak self, requests = service.requests] in
            for await request in requests { self?.handle(request) }
        }
    }

    isolated deinit { listening?.cancel() }

    /// Lets other programs control calls, or not.
    func setEnabled(_ isEnabled: Bool) { service.setEnabled(isEnabled) }

    /// Takes how far the account has come, and whether the person takes no calls by choice.
    func show(_ overview: AccountOverview, isLocked: Bool, isBusy: Bool) {
        service.update(isBusy: isBusy)
        let states = overview.relays.map(\.state)
        reachability =
            switch overview.opening {
            case _ where isLocked: .locked
            case .failed, .locked: .no
            case .new, .moved: .no
            case .begun: .connecting
            case .done: states.contains(.connected) ? .yes : states.isEmpty ? .no : .connecting
            }
        tell()
    }

    /// Takes the calls there are, and how they stand.
    func show(_ lines: [CallRoster.Line]) {
        calls = lines.map { line in
            let known = calls.first { $0.session === line.session }?.facts
            return (line.session, facts(of: line, known))
        }
        tell()
    }

    private func facts(of line: CallRoster.Line, _ known: CallFacts?) -> CallFacts {
        let (session, snapshot) = (line.session, line.snapshot)
        var facts =
            known
            ?? CallFacts(
                id: Self.name(of: line.number), name: session.contact.name, contact: session.contact.id,
                isIncoming: session.isIncoming)
        facts.profile = session.profile?.name ?? ""
        facts.isVideo = session.kind == .video
        facts.isMicrophoneOn = snapshot.microphoneEnabled
        facts.isCameraOn = snapshot.cameraEnabled
        facts.isEncrypted = snapshot.isEncrypted
        facts.isHeld = snapshot.isHeld
        facts.isHeldByPeer = snapshot.isHeldByPeer
        facts.isWaiting = snapshot.isWaiting || snapshot.isWaitingAtPeer
        facts.state = CallFacts.State(snapshot.stage)
        if case .active(let since) = snapshot.stage, facts.since == 0 {
            facts.since = Int64((Date.now.timeIntervalSince1970 * 1_000).rounded()) - (.now - since).wholeMilliseconds
        }
        facts.endReason = snapshot.endReason
        return facts
    }

    /// What a call is named here.
    static func name(of number: Int) -> String { "\(number)" }

    private func tell() { service.update(calls.map(\.facts), reachability) }

    private func handle(_ pending: PendingRequest) {
        if case .dial(let contact, let isVideo) = pending.request {
            return requests.dial(contact, isVideo ? .video : .audio) { pending.finish($0) }
        }
        if case .setBusy(let isBusy) = pending.request {
            return pending.finish(requests.setBusy(isBusy) ? .done : .refused(.notReachable))
        }
        guard let (session, facts) = calls.first(where: { $0.facts.id == pending.request.call }) else {
            return pending.finish(.refused(.noSuchCall))
        }
        switch pending.request {
        case .dial, .setBusy: break
        case .accept(_, let withCamera):
            pending.finish(requests.accept(session, withCamera ? session.kind : .audio) ? .done : .refused(.noDisplay))
        case .acceptAndEnd(_, let withCamera):
            requests.show()
            perform(pending) { await session.accept(withCamera ? session.kind : .audio, makingRoom: .end) }
        case .hold where session.snapshot.group != nil: pending.finish(.refused(.wrongState))
        case .hold where facts.isHeld, .resume where !facts.isHeld: pending.finish(.refused(.wrongState))
        case .hold: perform(pending) { await session.hold() }
        case .resume: perform(pending) { await session.resume() }
        case .ignore:
            requests.ignore(session)
            pending.finish(.done)
        case .block:
            // First: the call goes with it.
            pending.finish(.done)
            requests.block(session)
        case .decline: perform(pending) { await session.decline() }
        case .hangUp: perform(pending) { await session.hangUp() }
        case .setMicrophone(_, let isOn): perform(pending) { await session.setMicrophoneEnabled(isOn) }
        case .setCamera(_, let isOn):
            if isOn { requests.show() }
            perform(pending) { await session.setCameraEnabled(isOn) }
        }
    }

    private func perform(_ pending: PendingRequest, _ body: @escaping @MainActor () async -> Void) {
        Task {
            await body()
            pending.finish(.done)
        }
    }
}

extension CallFacts.State {
    /// Where a call stands, as it is told over the bus.
    init(_ stage: CallStage) {
        self =
            switch stage {
            case .ringingIn: .ringing
            case .ringingOut: .calling
            case .connecting: .connecting
            case .active: .active
            case .reconnecting: .reconnecting
            case .ended: .ended
            }
    }
}
