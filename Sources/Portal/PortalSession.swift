import BaseKit

/// A session with the desktop (`org.freedesktop.portal.Session`), such as a shared screen. Ends when it is closed, when the
/// desktop ends it, or when the connection goes.
public final class PortalSession: Sendable {
    /// The session's object.
    public let path: String
    private let portal: DesktopPortal
    private let watch = Lock<Task<Void, Never>?>(nil)
    private let isEnded = Lock(false)

    init(path: String, portal: DesktopPortal) {
        self.path = path
        self.portal = portal
    }

    deinit { watch.withLock { $0?.cancel() } }

    /// Calls `body` once when the desktop ends the session by itself, also when the desktop's portal stops.
    func onEnd(_ body: @escaping @Sendable () -> Void, closed: AsyncStream<BusSignal>, leaving: AsyncStream<BusSignal>)
    {
        let owner = portal.owner
        let task = Task { [weak self] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { for await _ in closed { return } }
                group.addTask { _ = await DesktopPortal.departure(leaving, of: owner)() }
                await group.next()
                group.cancelAll()
            }
            guard !Task.isCancelled, let self, self.end() else { return }
            body()
        }
        watch.withLock { $0 = task }
    }

    /// Ends the session. Further calls do nothing.
    public func close() async {
        guard end() else { return }
        watch.withLock { $0?.cancel() }
        _ = try? await portal.bus.call(
            BusMethod(
                destination: portal.owner, path: path, interface: "org.freedesktop.portal.Session", name: "Close"))
    }

    /// Whether it was not over yet.
    private func end() -> Bool {
        isEnded.withLock { isEnded in
            defer { isEnded = true }
            return !isEnded
        }
    }
}

extension DesktopPortal {
    /// Makes a session (`CreateSession` of an interface). `onEnd` is called once when the desktop ends it, not after
    /// ``PortalSession/close()``. Throws ``PortalError``.
    public func makeSession(
        _ interface: String, onEnd: @escaping @Sendable () -> Void
    ) async throws(PortalError) -> PortalSession {
        let results = try await request(
            interface, "CreateSession", options: ["session_handle_token": .string(Self.makeToken())])
        guard let path = results["session_handle"]?.string else { throw .unexpectedAnswer("session_handle") }
        let closed = try await bus.signals(
            BusSignalFilter(sender: owner, path: path, interface: "org.freedesktop.portal.Session", name: "Closed"))
        let leaving = try await bus.signals(Self.ownerChanges)
        let session = PortalSession(path: path, portal: self)
        session.onEnd(onEnd, closed: closed, leaving: leaving)
        return session
    }
}
