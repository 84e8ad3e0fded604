import Portal

/// Hears when a keyring may have been unlocked (Secret Service API Draft 0.2), and looks now and then besides: GNOME Keyring, unlocked by
/// what logs the person in, tells nobody.
struct KeyringWatch: Sendable {
    /// How often it is looked without a word.
    private static let interval = Duration.seconds(15)
    /// How long after a look the next one waits: several signals tell of one change.
    private static let rest = Duration.milliseconds(200)
    private static let service = "org.freedesktop.secrets"
    private static let changes = [
        BusSignalFilter(interface: "org.freedesktop.Secret.Service"),
        BusSignalFilter(
            interface: "org.freedesktop.DBus.Properties", name: "PropertiesChanged",
            firstText: "org.freedesktop.Secret.Collection"),
        BusSignalFilter(
            sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", name: "NameOwnerChanged",
            firstText: service),
    ]

    /// Waits until `isOpen`.
    /// - Throws: `CancellationError`.
    func wait(until isOpen: @Sendable () async -> Bool) async throws {
        for await _ in looks {
            if await isOpen() { return }
            try await Task.sleep(for: Self.rest)
        }
        try Task.checkCancellation()
    }

    /// Tells what `look` finds, first at once and then each time that it is something else.
    func follow<State: Equatable & Sendable>(_ look: @escaping @Sendable () async -> State) -> AsyncStream<State> {
        let (states, tell) = AsyncStream<State>.makeStream()
        let task = Task {
            var last: State?
            for await _ in looks {
                let state = await look()
                if state != last { tell.yield(state) }
                last = state
                try? await Task.sleep(for: Self.rest)
            }
        }
        tell.onTermination = { _ in task.cancel() }
        return states
    }

    /// When to look: at once, when something was told, and now and then.
    private var looks: AsyncStream<Void> {
        let (news, tell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        tell.yield()
        let sources = [
            Task {
                guard let bus = try? await Bus.session(), let signals = try? await bus.signals(ofAny: Self.changes)
                else { return }
                // What has changed before the signals could come.
                tell.yield()
                for await _ in signals { tell.yield() }
            },
            Task { while (try? await Task.sleep(for: Self.interval)) != nil { tell.yield() } },
        ]
        tell.onTermination = { _ in for source in sources { source.cancel() } }
        return news
    }
}
