import GLibKit
import Wording

/// The calls there are, in the order in which they came: follows each, and has the presenter show the one that is in front.
@MainActor final class CallRoster {
    /// One of them.
    @MainActor final class Line {
        /// The call.
        let session: any CallSession
        /// Which of all calls of this program it is.
        let number: Int
        /// What can be done to it.
        let actions: CallActions
        /// How it stands.
        fileprivate(set) var snapshot: CallSnapshot
        /// Whether the two were connected.
        fileprivate(set) var wasConnected = false
        fileprivate var following: Task<Void, Never>?

        fileprivate init(_ session: any CallSession, number: Int, _ actions: CallActions) {
            (self.session, self.number, self.actions, snapshot) = (session, number, actions, session.snapshot)
        }

        /// Looks how it stands at this moment: another call's news may have come first.
        fileprivate func look() {
            if !snapshot.stage.isEnded { snapshot = session.snapshot }
            if snapshot.stage.isFlowing { wasConnected = true }
        }

        /// The number of the profile whose call it is.
        var profile: Int { session.profile?.id ?? 1 }

        /// Whether nothing more comes of it.
        var isOver: Bool { snapshot.stage.isEnded || session.snapshot.stage.isEnded }

        /// What is shown of it where it is not in front.
        var presentation: CallPresentation {
            CallPresentation(
                contact: session.contact, kind: session.kind, snapshot: snapshot, cameraCount: 0,
                surroundings: .init(now: .now, profile: session.profile?.name))
        }
    }

    /// Shows the call in front.
    let presenter: CallPresenter
    /// All of them.
    private(set) var lines: [Line] = []
    /// Is told when there are other calls, one stands otherwise, or another one is in front.
    var onChange: () -> Void = {}
    /// Is told of the end of a call that another one has taken the place of, or that never was in front.
    var onEnd: (Line) -> Void = { _ in }
    /// Is told what the person wants of a call that is not for the call itself.
    var onWish: (CallActions.Wish, Line) -> Void = { _, _ in }

    private var arrangement = CallArrangement([], former: nil)
    private var count = 0
    private var isTurning = false

    /// Has calls shown by this presenter.
    init(_ presenter: CallPresenter) {
        self.presenter = presenter
        presenter.onState = { [weak self] in self?.told($0) }
    }

    /// The call in front.
    var front: Line? { arrangement.front.map { lines[$0] } }

    /// Those that ring behind it.
    var waiting: [Line] { arrangement.waiting.map { lines[$0] } }

    /// Those on hold behind it.
    var held: [Line] { arrangement.held.map { lines[$0] } }

    /// Whether there is a call that a program's end would end.
    var isBusy: Bool { lines.contains { !$0.isOver } }

    /// Those that the person takes part in, or has put on hold.
    var consented: [Line] { lines.filter { !$0.isOver && $0.snapshot.stage.isConsented } }

    /// The line of a call.
    func line(of session: any CallSession) -> Line? { lines.first { $0.session === session } }

    /// Whether another call takes the place of this one when that is over.
    func hasOther(than session: any CallSession) -> Bool { lines.contains { $0.session !== session && !$0.isOver } }

    /// Follows one more call.
    func add(_ session: any CallSession) {
        let actions = CallActions(session) { [weak self] wish in
            guard let self, let line = self.line(of: session) else { return }
            onWish(wish, line)
        }
        count += 1
        let line = Line(session, number: count, actions)
        lines.append(line)
        let states = session.states()
        line.following = Task { [weak self, weak line] in
            for await snapshot in states where !Task.isCancelled {
                guard let self, let line else { return }
                receive(snapshot, of: line)
            }
            guard !Task.isCancelled, let self, let line, !line.snapshot.stage.isEnded else { return }
            // It says nothing more: it is over, whether or not that was among what it said.
            var last = session.snapshot
            if !last.stage.isEnded { last.stage = .ended(sentence: tr("The call is over.")) }
            receive(last, of: line)
        }
        settle()
    }

    /// Forgets a call, which does not end it.
    func forget(_ line: Line) {
        guard lines.contains(where: { $0 === line }) else { return }
        // The presenter says that it has gone.
        if presenter.call === line.session { presenter.dismiss() } else { remove(line) }
    }

    private func receive(_ snapshot: CallSnapshot, of line: Line) {
        line.snapshot = snapshot
        settle()
    }

    /// The call that was shown has gone, or stands otherwise.
    private func told(_ snapshot: CallSnapshot?) {
        guard !isTurning else { return }
        guard snapshot == nil else {
            // The presenter may hear of it before we do, and what it shows then must be possible.
            for line in lines { line.look() }
            return onChange()
        }
        guard let front, presenter.call == nil else { return }
        remove(front)
    }

    private func remove(_ line: Line) {
        line.following?.cancel()
        lines.removeAll { $0 === line }
        arrangement = CallArrangement([], former: nil)
        settle()
    }

    private func settle() {
        for line in lines { line.look() }
        arrange()
        if let front, presenter.call !== front.session {
            isTurning = true
            presenter.turn(to: front.session)
            isTurning = false
        }
        let over = lines.filter { $0.snapshot.stage.isEnded && $0 !== front }
        for line in over { line.following?.cancel() }
        lines.removeAll { line in over.contains { $0 === line } }
        arrange()
        onChange()
        for line in over { onEnd(line) }
    }

    private func arrange() {
        arrangement = CallArrangement(
            lines.map(\.snapshot), former: lines.firstIndex { $0.session === presenter.call })
    }
}
