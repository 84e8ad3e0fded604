import Portal
import Synchronization

/// Plays on a bus who keeps notifications beyond the end of programs, as GNOME Shell does.
public final class FakeNotificationKeeper: Sendable {
    /// A notification as it came.
    public struct Added: Sendable, Equatable {
        /// The program it is of.
        public var application: String
        /// What it is called there.
        public var id: String
        /// What it says and does.
        public var content: [String: BusValue]
    }

    private struct State {
        var added: [Added] = []
        var removed: [String] = []
        var standing: Set<String> = []
        var refuses = false
    }

    /// What keepers have on the bus.
    public static let name = "org.gtk.Notifications"
    private let bus: Bus
    private let state = Mutex(State())

    /// Prepares a keeper on a connection of its own; nobody finds it before ``open()``.
    public init(_ bus: Bus) {
        self.bus = bus
        bus.serve { [weak self] in self?.take($0) }
    }

    /// Takes the keepers' name.
    public func open() async throws { try await bus.own(Self.name) }

    /// Leaves the bus, as a shell that crashed.
    public func close() async { await bus.close() }

    /// Keeps nothing from now on, as GNOME Shell does of programs without a desktop entry.
    public func refuse() { state.withLock { $0.refuses = true } }

    /// All that it was to keep so far.
    public var added: [Added] { state.withLock { $0.added } }

    /// The names of what was to be taken away, in order.
    public var removed: [String] { state.withLock { $0.removed } }

    /// The names of what stands there.
    public var standing: Set<String> { state.withLock { $0.standing } }

    private func take(_ call: BusCall) {
        let isDone = state.withLock { state in
            let names = call.arguments.prefix(2).compactMap(\.string)
            guard call.path == "/org/gtk/Notifications", call.interface == Self.name, names.count == 2 else {
                return false
            }
            switch call.name {
            case "AddNotification" where call.arguments.count == 3:
                let content = call.arguments[2].entries ?? [:]
                state.added.append(Added(application: names[0], id: names[1], content: content))
                guard !state.refuses else { return false }
                state.standing.insert(names[1])
            case "RemoveNotification" where call.arguments.count == 2:
                state.removed.append(names[1])
                state.standing.remove(names[1])
            default: return false
            }
            return true
        }
        if isDone {
            call.answer([])
        } else {
            call.refuse("org.gtk.Notifications.InvalidApp", "no")
        }
    }
}
