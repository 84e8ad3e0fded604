import Dispatch

/// Where calls into GStreamer wait that may block (opening devices, stopping threads), so that no thread of Swift's
/// cooperative pool has to.
enum MediaQueue {
    private static let queue = DispatchQueue(label: "im.parley.media", attributes: .concurrent)

    /// Runs `body` and gives what it gives or throws.
    static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result(catching: body)) }
        }
    }

    /// Runs `body`.
    static func run(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            queue.async {
                body()
                continuation.resume()
            }
        }
    }

    /// Runs `body` and gives what it gives.
    static func run<Result: Sendable>(giving body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }

    /// Starts `body` without waiting for it.
    static func start(_ body: @escaping @Sendable () -> Void) {
        queue.async(execute: body)
    }
}
