@testable import Agent

/// The clock of a world.
struct WorldClock: AgentClock {
    let scheduler: Scheduler

    var now: Int64 { scheduler.now }

    func sleep(milliseconds: Int64, isolation: isolated (any Actor)?) async throws {
        let nap = Nap()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation(isolation: isolation) { continuation in
                nap.begin(continuation, scheduler, milliseconds)
            }
        } onCancel: {
            nap.end(cancelled: true)
        }
    }
}
