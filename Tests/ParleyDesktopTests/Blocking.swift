import BaseKit
import Dispatch
import Foundation
import Glibc
import Synchronization
import Testing

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

/// Looks again and again until something is so; a limit far above what it takes turns a hang into a failure, which ends the test.
func waitUntil(
    _ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () throws -> Bool
) throws {
    let limit = Instant.now + .seconds(60)
    var asked = Instant.now
    while try !condition() {
        guard Instant.now < limit else {
            Issue.record("waited in vain for \(what)", sourceLocation: sourceLocation)
            throw RunningProgram.NotSeen(what: what)
        }
        rest(after: asked)
        asked = .now
    }
}

/// Waits until something is asked again, for as long as it has taken since it was asked, between 50 ms and a second. A look at a
/// program's windows is a thousand messages through two others, and all that answer share the processors with whoever asks.
func rest(after asked: Instant) {
    usleep(UInt32(min(max((.now - asked).wholeMicroseconds, 50_000), 1_000_000)))
}

/// What the task and who waits for it both hold.
private final class Answer<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
}
