import FakeNotifications
import Portal

/// The notification server of the session bus that the tests run on, as long as they do.
enum SessionNotifications {
    /// The server; started by whoever asks first.
    static func server() throws -> FakeNotificationServer { try started.get() }

    private static let started = Result {
        try blocking {
            let server = FakeNotificationServer(try await Bus.session())
            try await server.open()
            return server
        }
    }
}
