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
        /// To accept the call that rings; says whether there is a window to show it in.
        var accept: @MainActor (CallKind) -> Bool
        /// To let the call that rings ring no more.
        var ignore: @MainActor () -> Void
        /// To block whoever calls.
        var block: @MainActor () -> Void
    }

    private let service: CallService
    private let requests: Requests
    private var listening: Task<Void, Never>?
    private var session: (any CallSession)?
    private var facts: CallFacts?
    private var reachability = Reachability.connecting
    private var count = 0

    /// Exports calls by this service.
    init(_ service: CallService, requests: Requests) {
        self.requests = requests
        self.service = service
        listening = Task { [weak self, requests = service.requests] in
            for await request in requests { self?.take(request) }
        }
    }

    isolated deinit { listening?.cancel() }

    /// Lets other programs control calls, or not.
    func setEnabled(_ isEnabled: Bool) { service.setEnabled(isEnabled) }

    /// Takes how far the account has come.
    func show(_ overview: AccountOverview, isLocked: Bool) {
        let states = overview.relays.map(\.state)
        reachability =
            switch overview.opening {
            case _ where isLocked: .locked
            case .failed: .no
            case .begun: .connecting
            case .done: states.contains(.connected) ? .yes : states.isEmpty ? .no : .connecting
            }
        tell()
    }

    /// Takes the call that is shown now, and how it stands; nil when there is none.
    func show(_ session: (any CallSession)?, _ snapshot: CallSnapshot?) {
        guard let session, let snapshot else {
            (self.session, facts) = (nil, nil)
            return tell()
        }
        if session !== self.session {
            self.session = session
            count += 1
            facts = CallFacts(
                id: "\(count)", name: session.contact.name, contact: session.contact.id,
                isIncoming: session.isIncoming)
        }
        facts?.isVideo = session.kind == .video
        facts?.isMicrophoneOn = snapshot.microphoneEnabled
        facts?.isCameraOn = snapshot.cameraEnabled
        facts?.isEncrypted = snapshot.isEncrypted
        facts?.state = CallFacts.State(snapshot.stage)
        if case .active(let since) = snapshot.stage, facts?.since == 0 {
            facts?.since = Int64((Date.now.timeIntervalSince1970 * 1_000).rounded()) - (.now - since).wholeMilliseconds
        }
        facts?.endReason = snapshot.endReason
        tell()
    }

    /// The name of the call that is shown.
    var call: String? { facts?.id }

    private func tell() { service.update(facts.map { [$0] } ?? [], reachability) }

    private func take(_ pending: PendingRequest) {
        if case .dial(let contact, let isVideo) = pending.request {
            return requests.dial(contact, isVideo ? .video : .audio) { pending.finish($0) }
        }
        guard let session, pending.request.call == facts?.id else { return pending.finish(.refused(.noSuchCall)) }
        switch pending.request {
        case .dial: break
        case .accept(_, let withCamera):
            pending.finish(requests.accept(withCamera ? session.kind : .audio) ? .done : .refused(.noDisplay))
        case .ignore:
            requests.ignore()
            pending.finish(.done)
        case .block:
            // First: the call goes with it.
            pending.finish(.done)
            requests.block()
        case .decline: perform(pending) { await session.decline() }
        case .hangUp: perform(pending) { await session.hangUp() }
        case .setMicrophone(_, let isOn): perform(pending) { await session.setMicrophoneEnabled(isOn) }
        case .setCamera(_, let isOn): perform(pending) { await session.setCameraEnabled(isOn) }
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
