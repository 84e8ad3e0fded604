import BaseKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The machine's own clocks.
public struct SystemCallClock: CallClock {
    /// Nothing is set up.
    public init() {}

    public var now: Instant { .now }

    public func wallClock() -> Int64 { Int64(time(nil)) }

    public func sleep(for time: Duration) async throws { try await Task.sleep(for: time) }
}
