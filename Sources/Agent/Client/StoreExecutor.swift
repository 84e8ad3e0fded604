import Dispatch

/// Runs the agent on a queue of its own: the store syncs to disk inside the agent's steps, and that wait must not hold
/// a thread of the shared pool.
final class StoreExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "im.parley.agent")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }
}
