import BaseKit
import Synchronization

/// What did not happen within its time.
public struct Overdue: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

/// Looks again and again until `condition` holds.
/// - Throws: `Overdue` after `limit`, which is generous on purpose: it only ends a test that has failed.
public func waitUntil(
    _ what: String, within limit: Duration = .seconds(60), isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async throws {
    let end = Instant.now + limit
    while try await !condition() {
        guard Instant.now < end else { throw Overdue("Not in time: \(what)") }
        try await Task.sleep(for: .milliseconds(20))
    }
}

/// Runs `work`, and gives up on it after `limit`, or when the test's task is cancelled, whether `work` heeds that or not.
/// - Throws: what `work` throws, or `Overdue`.
public func limited<Value: Sendable>(
    _ what: String, to limit: Duration = .seconds(60), _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let race = Race<Value>()
    let worker = Task {
        do { race.finish(.success(try await work())) } catch { race.finish(.failure(error)) }
    }
    let clock = Task {
        try await Task.sleep(for: limit)
        race.finish(.failure(Overdue("Not in time: \(what)")))
    }
    defer {
        worker.cancel()
        clock.cancel()
    }
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { race.begin($0) }
    } onCancel: {
        race.finish(.failure(CancellationError()))
    }
}

/// Whose first result counts.
private final class Race<Value: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Value, any Error>?
        var result: Result<Value, any Error>?
    }

    private let state = Mutex(State())

    func begin(_ continuation: CheckedContinuation<Value, any Error>) {
        let result = state.withLock { state in
            if state.result == nil { state.continuation = continuation }
            return state.result
        }
        if let result { continuation.resume(with: result) }
    }

    func finish(_ result: Result<Value, any Error>) {
        let continuation: CheckedContinuation<Value, any Error>? = state.withLock { state in
            guard state.result == nil else { return nil }
            state.result = result
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(with: result)
    }
}
