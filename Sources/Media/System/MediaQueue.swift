import BaseKit

/// Where calls into GStreamer wait that may block (opening devices, stopping threads), so that no thread of Swift's
/// cooperative pool has to.
enum MediaQueue {
    /// Runs `body` and gives what it gives or throws.
    static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            WorkerThreads.shared.run { continuation.resume(with: Swift.Result(catching: body)) }
        }
    }

    /// Runs `body`.
    static func run(_ body: @escaping @Sendable () -> Void) async {
        await WorkerThreads.shared.result(of: body)
    }

    /// Runs `body` and gives what it gives.
    static func run<Result: Sendable>(giving body: @escaping @Sendable () -> Result) async -> Result {
        await WorkerThreads.shared.result(of: body)
    }

    /// Starts `body` without waiting for it.
    static func start(_ body: @escaping @Sendable () -> Void) {
        WorkerThreads.shared.run(body)
    }
}
