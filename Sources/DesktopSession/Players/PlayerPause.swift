import Logging
import Portal

/// Pauses what other programs play while a call lasts, and lets it go on afterwards (MPRIS D-Bus Interface Specification 2.2).
///
/// Only what was playing is paused, and only what nobody has touched since goes on.
public actor PlayerPause {
    private static let prefix = "org.mpris.MediaPlayer2."
    private static let path = "/org/mpris/MediaPlayer2"
    private static let interface = "org.mpris.MediaPlayer2.Player"
    /// How long a player may take to answer, in ms. One that hangs holds up nothing else.
    private static let patience: Int32 = 1_000

    private let bus: Bus
    private let log = Logger(label: "session.players")
    private var machine = PlayersMachine()
    private var isWanted = false
    private var isPaused = false
    private var working: Task<Void, Never>?
    private var listening: Task<Void, Never>?

    /// - Parameter bus: the session bus, on which players are looked for.
    public init(bus: Bus) { self.bus = bus }

    deinit { listening?.cancel() }

    /// Whether no player waits for the call's end.
    var isNobodyHeld: Bool { machine.waiting.isEmpty }

    /// Says whether a call is under way. Returns once the players have been told.
    public func set(_ isInCall: Bool) async {
        isWanted = isInCall
        if working == nil { working = Task { await work() } }
        await working?.value
    }

    private func work() async {
        while isPaused != isWanted {
            isPaused = isWanted
            if isPaused { await pause() } else { await goOn() }
        }
        working = nil
    }

    private func pause() async {
        do {
            try await listen()
            let players = await found(try await names())
            let owners = machine.begin(players)
            await withDiscardingTaskGroup { group in
                for owner in owners { group.addTask { [self] in await tell(owner, "Pause") } }
            }
        } catch {
            log.debug("players can't be paused: \(error)")
        }
    }

    private func goOn() async {
        listening?.cancel()
        listening = nil
        let owners = machine.end()
        await withDiscardingTaskGroup { group in
            for owner in owners {
                group.addTask { [self] in if await status(of: owner) == .paused { await tell(owner, "Play") } }
            }
        }
    }

    private func listen() async throws(PortalError) {
        let changes = try await bus.signals(
            BusSignalFilter(
                path: Self.path, interface: "org.freedesktop.DBus.Properties", name: "PropertiesChanged"))
        listening?.cancel()
        listening = Task { [weak self] in
            for await change in changes { await self?.changed(change) }
        }
    }

    private func changed(_ change: BusSignal) {
        guard change.values.first?.string == Self.interface, change.values.count == 3 else { return }
        let status = "PlaybackStatus"
        if let value = change.values[1].entries?[status] {
            machine.changed(change.sender, to: value.string.flatMap(PlayersMachine.Status.init))
        } else if change.values[2].members?.contains(where: { $0.string == status }) == true {
            machine.changed(change.sender, to: nil)
        }
    }

    private func names() async throws(PortalError) -> [String] {
        let reply = try await bus.call(
            BusMethod(
                destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
                name: "ListNames"), timeout: Self.patience)
        return (reply.values.first?.members ?? []).compactMap(\.string).filter {
            // A call of this program, or of another one of its kind, is no player.
            $0.hasPrefix(Self.prefix) && !MediaKeys.isOwn($0)
        }
    }

    private func found(_ names: [String]) async -> [PlayersMachine.Player] {
        await withTaskGroup { group in
            for name in names {
                group.addTask { [self] in
                    guard let owner = try? await bus.owner(of: name), let status = await status(of: owner) else {
                        return nil as PlayersMachine.Player?
                    }
                    let canPause = await property("CanPause", of: owner)?.bool ?? false
                    return PlayersMachine.Player(owner: owner, status: status, canPause: canPause)
                }
            }
            var players: [PlayersMachine.Player] = []
            for await player in group { if let player { players.append(player) } }
            return players.sorted { $0.owner < $1.owner }
        }
    }

    private func status(of owner: String) async -> PlayersMachine.Status? {
        await property("PlaybackStatus", of: owner)?.string.flatMap(PlayersMachine.Status.init)
    }

    private func property(_ name: String, of owner: String) async -> BusValue? {
        let method = BusMethod(
            destination: owner, path: Self.path, interface: "org.freedesktop.DBus.Properties", name: "Get")
        return try? await bus.call(method, [.string(Self.interface), .string(name)], timeout: Self.patience).values
            .first
    }

    private func tell(_ owner: String, _ wish: String) async {
        do {
            try await bus.call(
                BusMethod(destination: owner, path: Self.path, interface: Self.interface, name: wish),
                timeout: Self.patience)
        } catch {
            log.debug("a player did not take \(wish): \(error)")
        }
    }
}
