import Foundation
import XCTest

extension DesktopTestCase {
    /// Waits for what is done elsewhere: the accessibility bus wants the main thread, as long as a test lasts.
    @discardableResult
    func blocking<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) throws -> Result {
        let (done, answer) = (DispatchSemaphore(value: 0), Answer<Result>())
        Task.detached {
            do { answer.value = .success(try await body()) } catch { answer.value = .failure(error) }
            done.signal()
        }
        done.wait()
        return try XCTUnwrap(answer.value).get()
    }
}

/// Unchecked: written before the semaphore is signalled, read after.
private final class Answer<Value: Sendable>: @unchecked Sendable {
    var value: Swift.Result<Value, any Error>?
}
