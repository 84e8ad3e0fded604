import CGLib
import Dispatch
import Glibc
import Synchronization

/// The process's first thread as a place for tests, as it is for the programs: GTK and the accessibility bus have to be used there.
///
/// `await` in the main function of a program, which that of the tests does, gives the first thread up on Linux; from then on the main actor
/// is on any thread of libdispatch's. Here it stays, and serves the main actor as well as what prefers this executor. What runs by that
/// preference runs outside of main-actor jobs, like the main function of the programs, so that a GLib loop in it serves the main actor.
final class MainThread: TaskExecutor {
    static let executor = MainThread()
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        // The thread waits for the main queue.
        DispatchQueue.main.async {}
    }

    private func serve() -> Never {
        let main = _dispatch_get_main_queue_handle_4CF()
        while true {
            while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                job.runSynchronously(on: asUnownedTaskExecutor())
            }
            var watched = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
            guard poll(&watched, 1, -1) > 0 else { continue }
            var count: UInt64 = 0
            _ = read(main, &count, MemoryLayout<UInt64>.size)
            _dispatch_main_queue_callback_4CF(nil)
        }
    }

    // MARK: The runtime's hook

    private typealias Original = @convention(thin) () -> Void
    private typealias Hook = @convention(thin) (Original, UnsafeRawPointer?) -> Void

    /// Called by the loader, as the tests' main function is SwiftPM's.
    @used @section(".init_array") private static let install: @convention(c) () -> Void = {
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "swift_task_asyncMainDrainQueue_hook") else { return }
        symbol.assumingMemoryBound(to: Hook?.self).pointee = { _, _ in MainThread.executor.serve() }
    }
}
