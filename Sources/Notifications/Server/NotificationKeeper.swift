import Portal

/// Who keeps notifications beyond the end of the program (`org.gtk.Notifications`): GNOME Shell, and nobody on most other desktops.
///
/// It tells nothing of them; what a person presses comes as an action of the application's. Nobody is started for it.
struct NotificationKeeper: Sendable {
    /// What keepers have on the bus.
    static let name = "org.gtk.Notifications"

    /// Who it was at first, by the name of the connection; nil for nobody.
    let owner: String?
    /// Whoever it is from then on. Ends with the bus.
    let changes: AsyncStream<BusSignal>
    private let bus: Bus
    private let application: String

    /// Milliseconds that a keeper has for an answer.
    private static let patience: Int32 = 5_000

    /// Looks for the keeper on a bus. Throws ``NotificationError`` when there is no bus to ask.
    static func find(on bus: Bus, for sender: NotificationSender) async throws(NotificationError) -> NotificationKeeper
    {
        do {
            let changes = try await bus.ownerChanges(of: name)
            return NotificationKeeper(
                owner: try await bus.owner(of: name), changes: changes, bus: bus, application: sender.desktopEntry)
        } catch {
            throw NotificationError(error)
        }
    }

    private init(owner: String?, changes: AsyncStream<BusSignal>, bus: Bus, application: String) {
        (self.owner, self.changes, self.bus, self.application) = (owner, changes, bus, application)
    }

    /// Who it is after one of the ``changes``.
    static func owner(after change: BusSignal) -> String? {
        change.values.last?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Has an owner keep a notification, in the place of the one that it has under this name. Throws ``NotificationError``: GNOME
    /// Shell refuses those of programs without a desktop entry.
    func add(_ notification: LastingNotification, as id: String, at owner: String) async throws(NotificationError) {
        try await call("AddNotification", [.string(application), .string(id), notification.content], at: owner)
    }

    /// Has it taken away; nothing when it is not there any more. Throws ``NotificationError``.
    func remove(_ id: String, at owner: String) async throws(NotificationError) {
        try await call("RemoveNotification", [.string(application), .string(id)], at: owner)
    }

    private func call(_ method: String, _ arguments: [BusValue], at owner: String) async throws(NotificationError) {
        do {
            try await bus.call(
                BusMethod(destination: owner, path: "/org/gtk/Notifications", interface: Self.name, name: method),
                arguments, timeout: Self.patience)
        } catch {
            throw NotificationError(error)
        }
    }
}
