import Dispatch
import Synchronization

/// Waits for what is done elsewhere: the accessibility bus wants the main thread, as long as a test lasts.
@discardableResult
func blocking<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let (done, answer) = (DispatchSemaphore(value: 0), Answer<Value>())
    Task.detached {
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        answer.result.withLock { $0 = result }
        done.signal()
    }
    done.wait()
    return try answer.result.withLock { $0 ?? .failure(CancellationError()) }.get()
}

/// What the task and who waits for it both hold.
private final class Answer<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
}
