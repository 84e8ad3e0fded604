import CGLib

/// Signals of the system, such as SIGTERM, on the GLib main loop.
public enum UnixSignals {
    /// Runs `body` on the main loop at the first signal of each of these numbers; the second one does what it does by default.
    ///
    /// - Parameter numbers: of those that GLib can watch: SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGWINCH.
    @MainActor public static func atFirst(of numbers: [Int32], _ body: @escaping @MainActor () -> Void) {
        for number in numbers {
            let onSignal: GSourceFunc = { data in
                guard let data else { return 0 }
                // The loop over the default context runs on the main thread.
                MainActor.assumeIsolated { CallbackData.value((@MainActor () -> Void).self, at: data)() }
                return 0
            }
            g_unix_signal_add_full(
                G_PRIORITY_DEFAULT, number, onSignal, CallbackData.keeping(body), CallbackData.release)
        }
    }
}
