import CGLib
import Foundation

/// A thread with a GLib loop of its own, where GDBus tells that a connection has gone. It sleeps otherwise.
///
/// Unchecked: `GMainContext` may be used from any thread; nothing else is stored.
final class BusLoop: @unchecked Sendable {
    static let shared = BusLoop()

    private let context: OpaquePointer

    private init() {
        context = g_main_context_new()
        nonisolated(unsafe) let loop = g_main_loop_new(context, 0)  // counted and locked inside, never freed
        nonisolated(unsafe) let context = context  // likewise
        let thread = Thread {
            g_main_context_push_thread_default(context)
            g_main_loop_run(loop)
        }
        thread.name = "portal"
        thread.start()
    }

    /// Runs `body` on the thread.
    func run(_ body: @escaping @Sendable () -> Void) {
        g_main_context_invoke_full(
            context, G_PRIORITY_DEFAULT,
            { data in
                if let data { Unmanaged<Job>.fromOpaque(data).takeUnretainedValue().body() }
                return 0
            }, Unmanaged.passRetained(Job(body)).toOpaque(),
            { data in if let data { Unmanaged<Job>.fromOpaque(data).release() } })
    }

    private final class Job: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
