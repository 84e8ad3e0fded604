import CGLib
import Dispatch

/// The GLib main loop as the main actor's home.
public final class MainLoop: @unchecked Sendable {
    // Unchecked: GMainLoop is counted and `g_main_loop_quit` may be called from any thread; nothing else is stored.
    private let loop: OpaquePointer

    /// A loop over the default main context.
    public init() { loop = g_main_loop_new(nil, 0) }

    deinit { g_main_loop_unref(loop) }

    /// Runs until `quit()`. Never call it from inside a main-actor job: jobs queued meanwhile would wait for that job's end.
    @MainActor public func run() { g_main_loop_run(loop) }

    /// Ends `run()`.
    public func quit() { g_main_loop_quit(loop) }

    /// Makes every GLib loop over the default context run main-actor jobs, `Task.sleep` and `DispatchQueue.main`.
    ///
    /// Watches the event file descriptor of libdispatch's main queue, the way CoreFoundation's run loop does, so that an idle
    /// program never wakes up. `main` must be synchronous. Call once, early; further calls do nothing.
    @MainActor public static func serveMainActor() { _ = mainQueueSource }

    @MainActor private static let mainQueueSource: guint = {
        let onReady: GUnixFDSourceFunc = { descriptor, _, _ in
            var count: UInt64 = 0
            _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
            _dispatch_main_queue_callback_4CF(nil)
            return 1
        }
        return g_unix_fd_add_full(
            G_PRIORITY_DEFAULT, _dispatch_get_main_queue_handle_4CF(), G_IO_IN, onReady, nil, nil)
    }()
}
