import BaseKit
import GLibKit
import Portal

/// Whether the person has told the desktop not to disturb them.
///
/// Each desktop keeps it somewhere else; all places are asked side by side, and none of the services is started for it. What is
/// missing, hangs or answers nonsense does not count as "do not disturb": rather one ring too many than a call that nobody hears.
public struct DoNotDisturb: Sendable {
    private static let server = "org.freedesktop.Notifications"
    private static let serverPath = "/org/freedesktop/Notifications"
    private static let xfconf = "org.xfce.Xfconf"
    private static let xfconfPath = "/org/xfce/Xfconf"
    private static let channel = "xfce4-notifyd"
    /// How long a service may take to answer, in ms.
    private static let patience: Int32 = 1_000
    /// How long all of them may take, whatever they do.
    private static let limit: Duration = .seconds(2)

    private let bus: Bus

    /// - Parameter bus: the session bus, on which the desktop's services are asked.
    public init(bus: Bus) { self.bus = bus }

    /// Whether the desktop is not to be disturbed. Takes as long as the service that is believed, and two seconds at most.
    public func isOn() async -> Bool {
        let (findings, tell) = AsyncStream<QuietDesktop.Finding>.makeStream()
        let asking = Task {
            await withDiscardingTaskGroup { group in
                group.addTask { await askServer(tell) }
                group.addTask { tell.yield(.answer(.xfce, await xfceSetting())) }
                group.addTask { tell.yield(.answer(.gnome, await Self.gnomeSetting())) }
            }
            tell.finish()
        }
        let alarm = Task {
            try? await Task.sleep(for: Self.limit)
            tell.finish()
        }
        defer {
            asking.cancel()
            alarm.cancel()
        }
        var desktop = QuietDesktop()
        for await finding in findings {
            desktop.learn(finding)
            if let isQuiet = desktop.isQuiet { return isQuiet }
        }
        return false
    }

    /// Whether the desktop is not to be disturbed: now, and whenever that changes, for one listener. Ends with the bus.
    ///
    /// dunst, Xfce and servers with `Inhibited` tell of changes; GNOME's setting is read again only when one of these does.
    public func states() -> AsyncStream<Bool> {
        let (states, tell) = AsyncStream<Bool>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let watching = Task {
            // However many signals come, it is asked once at a time.
            let (hints, hint) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
            let changes = await self.changes()
            hint.yield()
            await withDiscardingTaskGroup { group in
                group.addTask {
                    await withDiscardingTaskGroup { group in
                        for signals in changes { group.addTask { for await _ in signals { hint.yield() } } }
                    }
                    hint.finish()
                }
                var last: Bool?
                for await _ in hints {
                    let isOn = await isOn()
                    if isOn != last { tell.yield(isOn) }
                    last = isOn
                }
            }
            tell.finish()
        }
        tell.onTermination = { _ in watching.cancel() }
        return states
    }

    /// What may mean that it has changed. Anybody may send such signals: they only have it asked again.
    private func changes() async -> [AsyncStream<BusSignal>] {
        let filters = [
            BusSignalFilter(
                path: Self.serverPath, interface: "org.freedesktop.DBus.Properties", name: "PropertiesChanged"),
            BusSignalFilter(
                path: Self.xfconfPath, interface: Self.xfconf, name: "PropertyChanged", firstText: Self.channel),
        ]
        var changes: [AsyncStream<BusSignal>] = []
        for filter in filters {
            if let signals = try? await bus.signals(filter) { changes.append(signals) }
        }
        if let owners = try? await bus.ownerChanges(of: Self.server) { changes.append(owners) }
        return changes
    }

    // MARK: The places

    private func askServer(_ tell: AsyncStream<QuietDesktop.Finding>.Continuation) async {
        guard let owner = await owner(of: Self.server) else {
            tell.yield(.server(nil))
            return
        }
        await withDiscardingTaskGroup { group in
            group.addTask {
                let answer = await call(
                    BusMethod(
                        destination: owner, path: Self.serverPath, interface: Self.server, name: "GetServerInformation")
                )
                tell.yield(.server(answer.first?.string ?? ""))
            }
            group.addTask { tell.yield(.answer(.dunst, await property("paused", of: "org.dunstproject.cmd0", owner))) }
            group.addTask { tell.yield(.answer(.inhibited, await property("Inhibited", of: Self.server, owner))) }
        }
    }

    private func property(_ name: String, of interface: String, _ owner: String) async -> Bool? {
        await call(
            BusMethod(
                destination: owner, path: Self.serverPath, interface: "org.freedesktop.DBus.Properties", name: "Get"),
            [.string(interface), .string(name)]
        ).first?.bool
    }

    private func xfceSetting() async -> Bool? {
        guard let owner = await owner(of: Self.xfconf) else { return nil }
        return await call(
            BusMethod(destination: owner, path: Self.xfconfPath, interface: Self.xfconf, name: "GetProperty"),
            [.string(Self.channel), .string("/do-not-disturb")]
        ).first?.bool
    }

    /// Where no thread of Swift's pool waits for the settings' files.
    private static func gnomeSetting() async -> Bool? {
        await withCheckedContinuation { continuation in
            WorkerThreads.shared.run {
                let key = "show-banners"
                let settings = try? Settings(schema: "org.gnome.desktop.notifications")
                guard let settings, settings.hasKey(key) else { return continuation.resume(returning: nil) }
                continuation.resume(returning: !settings[flag: key])
            }
        }
    }

    /// Who has a name; a service that isn't there is not to be started for this.
    private func owner(of name: String) async -> String? {
        guard let owner = try? await bus.owner(of: name), !owner.isEmpty else { return nil }
        return owner
    }

    private func call(_ method: BusMethod, _ arguments: [BusValue] = []) async -> [BusValue] {
        (try? await bus.call(method, arguments, timeout: Self.patience).values) ?? []
    }
}
