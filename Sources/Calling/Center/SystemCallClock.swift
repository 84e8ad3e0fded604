#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The machine's own clocks.
public struct SystemCallClock: CallClock {
    private let origin = ContinuousClock.now

    /// A clock whose milliseconds begin now.
    public init() {}

    public func now() -> Int64 {
        let (seconds, attoseconds) = origin.duration(to: .now).components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }

    public func wallClock() -> Int64 { Int64(time(nil)) }

    public func sleep(milliseconds: Int64) async throws {
        try await Task.sleep(for: .milliseconds(milliseconds))
    }
}
