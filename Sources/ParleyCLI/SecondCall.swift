import ArgumentParser
import Calling
import Parley
import Wording

/// What becomes of a call that comes while there is another.
enum SecondCall: String, CaseIterable, Sendable, ExpressibleByArgument {
    /// It is taken, and the other one put on hold.
    case hold
    /// It is taken, and the other one ended.
    case end
    case decline
    /// It rings on and is not taken.
    case ignore
    /// Who calls is told at once that the person is busy.
    case busy

    /// How many calls there can be at once, on hold and ringing included.
    var mostCalls: Int { self == .busy ? 1 : 4 }

    /// What becomes of the call there is when the second one is taken; nil: it is not taken.
    fileprivate var present: PresentCall? {
        switch self {
        case .hold: .hold
        case .end: .end
        case .decline, .ignore, .busy: nil
        }
    }

    /// Does it to a call that rings.
    func meet(_ call: Call, at desk: CallDesk) async {
        switch self {
        case .decline: await call.decline()
        case .ignore: await call.ignore()
        case .busy: break
        case .hold, .end:
            // A call that is still being connected makes no room: it will be, or end.
            let changes = desk.callChanges()
            guard call.state.isRinging, await !isTaken(call) else { return }
            for await _ in changes { guard call.state.isRinging, await !isTaken(call) else { return } }
        }
    }

    /// - Returns: Whether nothing more is to be done; a call that is over meanwhile says so itself.
    private func isTaken(_ call: Call) async -> Bool {
        do throws(CallError) {
            try await call.accept(media: call.media, present: present)
            return true
        } catch {
            return error != .busy
        }
    }
}

/// What becomes of a second call.
struct SecondCallOptions: ParsableArguments {
    @Option(
        name: .customLong("on-second-call"),
        help: ArgumentHelp(
            """
            What becomes of a call that comes during another: hold or end the other one and take it, decline or ignore it, or \
            say at once that you are busy.
            """, valueName: "hold|end|decline|ignore|busy"))
    var choice = SecondCall.busy
}
