import Glibc

/// Runs the tasks of a world that no actor holds.
///
/// The runtime hands such tasks to a pool of threads. While a world runs, those of its thread come here instead, by the hook
/// that the runtime has for this; tasks of all other threads go where they always go.
final class CommonLane: TaskExecutor {
    private unowned let scheduler: Scheduler
    private let lane: Int

    init(_ scheduler: Scheduler) {
        self.scheduler = scheduler
        lane = scheduler.makeLane()
    }

    func enqueue(_ job: consuming ExecutorJob) { add(UnownedJob(job)) }

    private func add(_ job: UnownedJob) {
        scheduler.enqueue({ job.runSynchronously(on: self.asUnownedTaskExecutor()) }, on: lane)
    }

    /// From here on this thread's tasks come here. The caller keeps this object until `remove`.
    func install() {
        _ = Self.hook
        pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
    }

    func remove() { pthread_setspecific(Self.key, nil) }

    // MARK: The runtime's hook

    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    private static let hook: Bool = {
        _ = key
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "swift_task_enqueueGlobal_hook") else { return false }
        symbol.assumingMemoryBound(to: Hook?.self).pointee = { job, original in
            guard let pointer = pthread_getspecific(CommonLane.key) else { return original(job) }
            Unmanaged<CommonLane>.fromOpaque(pointer).takeUnretainedValue().add(job)
        }
        return true
    }()
}
