import Foundation
import Calling
import Parley

/// Prints a call's steps as they happen and hangs up after its time.
struct CallFollower {
    let printer: EventPrinter

    /// Follows `call` to its end.
    /// - Parameter seconds: How long to talk once both are connected; nil: until somebody hangs up.
    /// - Returns: The call's summary, which has been printed.
    func follow(_ call: Call, for seconds: Double?) async -> CallSummary {
        var seen: [String: Int] = [:]
        var noticed = 0
        var timer: Task<Void, any Error>?
        for await state in call.states() {
            for (name, milliseconds) in state.setup.steps where seen.updateValue(milliseconds, forKey: name) == nil {
                printer.event(
                    name, ["call": call.id.description, "contact": call.contact.name],
                    sentence: "\(name) after \(milliseconds) ms")
            }
            for notice in state.notices.dropFirst(noticed) {
                printer.event("notice", ["message": notice], sentence: notice)
            }
            noticed = max(noticed, state.notices.count)
            if case .active = state.phase, let seconds, timer == nil {
                timer = Task {
                    try await Task.sleep(for: .seconds(seconds))
                    await call.hangUp()
                }
            }
            if case .ended(let reason) = state.phase {
                printer.event(
                    "ended", ["call": call.id.description, "reason": reason.rawValue, "message": reason.sentence],
                    sentence: reason.sentence)
            }
        }
        timer?.cancel()
        let summary = await call.summary()
        printer.summary(summary, contact: call.contact.name)
        return summary
    }
}
