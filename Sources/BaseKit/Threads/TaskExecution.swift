// What is imported is not settled yet (SE-0505 and what came before it), and may be called otherwise in a later version. Without it tasks
// run where they always did.
#if compiler(<6.4)
    @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

    extension WorkerThreads {
        /// Has what Swift's runtime would give to libdispatch's global queues carried out here: all tasks but the main actor's and those
        /// of actors with an executor of their own. At the beginning of a program, before its first task, once.
        public static func takeTasks() { _createExecutors(factory: Executors.self) }
    }

    private struct Executors: ExecutorFactory {
        static var mainExecutor: any MainExecutor { PlatformExecutorFactory.mainExecutor }
        static let defaultExecutor: any TaskExecutor = ThreadsExecutor(threads: .shared)
    }

    /// The threads as the runtime's executor for tasks that belong to none.
    private final class ThreadsExecutor: TaskExecutor, SchedulingExecutor {
        private let threads: WorkerThreads

        init(threads: WorkerThreads) { self.threads = threads }

        func enqueue(_ job: consuming ExecutorJob) { threads.run(UnownedJob(job)) }

        func enqueue<C: Clock>(
            _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
        ) {
            enqueue(job, after: clock.now.duration(to: instant), tolerance: tolerance, clock: clock)
        }

        func enqueue<C: Clock>(
            _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
        ) {
            // A clock whose time is no duration is somebody's own, and waits by itself: none comes here.
            let delay = delay as? Duration ?? .zero
            threads.run(UnownedJob(job), after: delay, by: clock is SuspendingClock ? .suspending : .continuous)
        }
    }
#else
    extension WorkerThreads {
        /// Does nothing in this version of Swift.
        public static func takeTasks() {}
    }
#endif
