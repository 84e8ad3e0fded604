import Dispatch
import FakeNotifications
import Portal
import Synchronization

/// The notification server of the session bus that the tests run on, as long as they do.
enum SessionNotifications {
    /// The server; started by whoever asks first.
    static func server() throws -> FakeNotificationServer { try started.get() }

    private static let started: Result<FakeNotificationServer, any Error> = {
        let end = DispatchSemaphore(value: 0)
        let shared = Shared()
        Task.detached {
            let result: Result<FakeNotificationServer, any Error>
            do {
                let server = FakeNotificationServer(try await Bus.session())
                try await server.open()
                result = .success(server)
            } catch {
                result = .failure(error)
            }
            shared.outcome.withLock { $0 = result }
            end.signal()
        }
        end.wait()
        return shared.outcome.withLock { $0 } ?? .failure(CancellationError())
    }()

    /// What the task and who waits for it both hold.
    private final class Shared: Sendable {
        let outcome = Mutex<Result<FakeNotificationServer, any Error>?>(nil)
    }
}
