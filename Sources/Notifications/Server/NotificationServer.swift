import Portal

/// The desktop's notification server (`org.freedesktop.Notifications`), whichever it is at the moment.
///
/// Servers come and go, and answer as they like: what none of ours can have said is left out, calls have a limit of time.
package actor NotificationServer {
    /// What servers have on the bus.
    package static let name = "org.freedesktop.Notifications"

    /// What happens, in order, for one listener; begins with ``NotificationEvent/came(_:)`` when there is a server. Ends with the bus.
    package nonisolated let events: AsyncStream<NotificationEvent>
    private let channel: AsyncStream<NotificationEvent>.Continuation
    private let bus: Bus
    private let sender: NotificationSender
    private var present: (owner: String, features: NotificationFeatures)?
    private var reading: [Task<Void, Never>] = []

    /// Milliseconds that a server has for an answer.
    private static let patience: Int32 = 5_000
    private static let path = "/org/freedesktop/Notifications"

    /// Finds the server on a bus; starts it where the bus knows how. Without one it waits for one to come. Throws
    /// ``NotificationError`` when there is no bus to ask.
    package static func find(on bus: Bus, for sender: NotificationSender) async throws(NotificationError)
        -> NotificationServer
    {
        let server = NotificationServer(bus, sender)
        do {
            try await server.begin()
        } catch {
            throw NotificationError(error)
        }
        return server
    }

    private init(_ bus: Bus, _ sender: NotificationSender) {
        self.bus = bus
        self.sender = sender
        (events, channel) = AsyncStream.makeStream()
    }

    deinit {
        for task in reading { task.cancel() }
        channel.finish()
    }

    private func begin() async throws(PortalError) {
        let changes = try await bus.ownerChanges(of: Self.name)
        // All of the interface in one stream: a token comes before what was pressed.
        let signals = try await bus.signals(BusSignalFilter(path: Self.path, interface: Self.name))
        if let owner = try await bus.owner(of: Self.name) {
            await meet(owner)
        } else {
            start()
        }
        reading = [
            Task { [weak self] in
                for await change in changes { await self?.change(change.values.last?.string ?? "") }
                await self?.end()
            },
            Task { [weak self] in
                for await signal in signals { await self?.receive(signal) }
            },
        ]
    }

    /// Has the bus start a server where there is none and it knows how; without waiting for it.
    package func start() {
        guard present == nil else { return }
        Task { [bus] in try? await bus.start(Self.name) }
    }

    /// Shows a notification, in the place of another one if `id` names one that still stands; gives its number.
    ///
    /// What becomes of it may be among ``events`` before this returns. Throws ``NotificationError``.
    package func show(
        _ notification: DesktopNotification, replacing id: UInt32? = nil
    ) async throws(NotificationError) -> UInt32 {
        guard let present else { throw .noServer }
        let arguments = notification.arguments(from: sender, replacing: id, for: present.features)
        let reply: BusReply
        do {
            reply = try await bus.call(Self.method("Notify", of: present.owner), arguments, timeout: Self.patience)
        } catch {
            throw NotificationError(error)
        }
        guard case .uint32(let id)? = reply.values.first, id != 0 else { throw .unexpectedAnswer }
        return id
    }

    /// Takes a notification back; nothing when it is not there any more.
    package func close(_ id: UInt32) async {
        guard let present else { return }
        _ = try? await bus.call(
            Self.method("CloseNotification", of: present.owner), [.uint32(id)], timeout: Self.patience)
    }

    private static func method(_ name: String, of owner: String) -> BusMethod {
        BusMethod(destination: owner, path: path, interface: Self.name, name: name)
    }

    private func change(_ owner: String) async {
        if present != nil {
            present = nil
            channel.yield(.left)
        }
        if !owner.isEmpty { await meet(owner) }
    }

    /// Asks a server what it can do. One that does not say it shows a line of text, at least.
    private func meet(_ owner: String) async {
        let information = try? await bus.call(
            Self.method("GetServerInformation", of: owner), timeout: Self.patience)
        let capabilities = try? await bus.call(Self.method("GetCapabilities", of: owner), timeout: Self.patience)
        let features = NotificationFeatures(
            information: information?.values ?? [], capabilities: capabilities?.values ?? [])
        present = (owner, features)
        channel.yield(.came(features))
    }

    private func receive(_ signal: BusSignal) {
        // Any program may send such signals; one server even sends each a second time from another connection (GNOME Shell).
        guard signal.sender == present?.owner, let event = NotificationEvent(signal) else { return }
        channel.yield(event)
    }

    private func end() {
        if present != nil { channel.yield(.left) }
        present = nil
        channel.finish()
    }
}
