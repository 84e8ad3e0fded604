extension ProcessFootprint {
    /// Does something `warmUp` times, until what libraries keep for good is there, and then the rounds that count. Gives what
    /// the process held before and after these; `settled` waits until all that belongs to a round is gone.
    public static func around(
        _ rounds: Int, warmUp: Int, settled: () async throws -> Void, _ round: (Int) async throws -> Void
    ) async throws -> (before: ProcessFootprint, after: ProcessFootprint) {
        for number in 0..<warmUp { try await round(number) }
        try await settled()
        let before = now
        for number in 0..<rounds { try await round(number) }
        try await settled()
        // Idle threads of the runtimes end by themselves after some seconds.
        try await waitUntil("no more threads than before (\(before.threads))", within: .seconds(60)) {
            now.threads <= before.threads
        }
        return (before, now)
    }
}
