import Glibc

/// The machine's monotonic clock, which never goes back (CLOCK_MONOTONIC, that of GLib and GStreamer too).
enum SteadyClock {
    /// Milliseconds.
    static var now: Int64 { microseconds / 1_000 }

    /// Microseconds.
    static var microseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
