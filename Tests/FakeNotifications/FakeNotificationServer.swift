import Portal
import Synchronization

/// Plays the desktop's notification server on a bus, and does what no real one does when a test says so.
public final class FakeNotificationServer: Sendable {
    /// A notification as it came.
    public struct Shown: Sendable, Equatable {
        /// Its number.
        public var id: UInt32
        /// Which one it was to replace; 0 for none.
        public var replaces: UInt32
        /// Whom it is from.
        public var program: String
        /// Its icon.
        public var icon: String
        /// The first line.
        public var summary: String
        /// What is below.
        public var body: String
        /// Keys and labels.
        public var actions: [String]
        /// The rest.
        public var hints: [String: BusValue]
        /// Milliseconds that it may stand; 0 for ever.
        public var timeout: Int
    }

    private struct State {
        var shown: [Shown] = []
        var closed: [UInt32] = []
        var next: UInt32 = 1
        var answers: [String: [BusValue]] = [:]
        var isSilent = false
    }

    /// What servers have on the bus.
    public static let name = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"
    private let bus: Bus
    private let state = Mutex(State())

    /// Prepares a server on a connection of its own; nobody finds it before ``open()``. Its first notification gets the number `first`.
    public init(
        _ bus: Bus, capabilities: [String] = ["actions", "body", "body-markup", "persistence"], first: UInt32 = 1
    ) {
        self.bus = bus
        state.withLock {
            $0.next = first
            $0.answers["GetCapabilities"] = [.array(capabilities.map(BusValue.string), of: "s")]
            $0.answers["GetServerInformation"] = ["fake", "Parley", "1", "1.2"].map(BusValue.string)
        }
        bus.serve { [weak self] in self?.take($0) }
    }

    /// Takes the server's name.
    public func open() async throws { try await bus.own(Self.name) }

    /// Leaves the bus, as a server that crashed.
    public func close() async { await bus.close() }

    /// Says what a method answers, in place of what is right.
    public func answer(_ method: String, _ values: [BusValue]) { state.withLock { $0.answers[method] = values } }

    /// Answers a method as at first.
    public func forget(_ method: String) { state.withLock { $0.answers[method] = nil } }

    /// Leaves every call without an answer from now on.
    public func fallSilent() { state.withLock { $0.isSilent = true } }

    /// All notifications so far.
    public var shown: [Shown] { state.withLock { $0.shown } }

    /// The numbers that were to be closed, in order.
    public var closed: [UInt32] { state.withLock { $0.closed } }

    /// Sends a signal of a server's.
    public func emit(_ name: String, _ values: [BusValue]) throws {
        try bus.emit(path: Self.path, interface: Self.name, name: name, values)
    }

    /// Presses a button, as a person does who has seen it; closes the notification as servers do then.
    public func press(_ key: String, of id: UInt32, token: String? = nil) throws {
        if let token { try emit("ActivationToken", [.uint32(id), .string(token)]) }
        try emit("ActionInvoked", [.uint32(id), .string(key)])
        try dismiss(id)
    }

    /// Sends a notification away, as a person does.
    public func dismiss(_ id: UInt32) throws { try emit("NotificationClosed", [.uint32(id), .uint32(2)]) }

    private func take(_ call: BusCall) {
        let answer = state.withLock { state -> [BusValue]? in
            if state.isSilent { return nil }
            let values = call.arguments
            switch call.name {
            case "Notify" where values.count == 8:
                let replaced = UInt32(values[1].integer ?? 0)
                let id = replaced == 0 ? state.next : replaced
                if replaced == 0 { state.next += 1 }
                state.shown.append(
                    Shown(
                        id: id, replaces: replaced, program: values[0].string ?? "", icon: values[2].string ?? "",
                        summary: values[3].string ?? "", body: values[4].string ?? "",
                        actions: values[5].members?.compactMap(\.string) ?? [], hints: values[6].entries ?? [:],
                        timeout: values[7].integer ?? -1))
                return state.answers["Notify"] ?? [.uint32(id)]
            case "CloseNotification":
                state.closed.append(UInt32(values.first?.integer ?? 0))
                return []
            default: return state.answers[call.name]
            }
        }
        if let answer {
            call.answer(answer)
        } else if !isSilent {
            call.refuse("org.freedesktop.DBus.Error.Failed", "no")
        }
    }

    private var isSilent: Bool { state.withLock { $0.isSilent } }
}
