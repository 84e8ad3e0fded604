import CGLib
import Foundation
import GLibKit

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
    func run(_ body: @escaping Job) {
        g_main_context_invoke_full(
            context, G_PRIORITY_DEFAULT,
            { data in
                if let data { CallbackData.value(Job.self, at: data)() }
                return 0
            }, CallbackData.keeping(body), CallbackData.release)
    }

    typealias Job = @Sendable () -> Void
}
