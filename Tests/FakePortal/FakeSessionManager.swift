import Portal
import Synchronization

/// A desktop's session manager as far as programs ask it not to become idle (`org.gnome.SessionManager`).
public final class FakeSessionManager: Sendable {
    /// Why a program asked for what.
    public struct Inhibition: Sendable, Equatable {
        /// The program's id.
        public var application: String
        /// Why, for people.
        public var reason: String
        /// What is to stay away: 4 is sleep, 8 is idling.
        public var flags: Int
    }

    private static let client = "/org/gnome/SessionManager/Client1"

    private let bus: Bus
    private let state = Mutex<(last: UInt32, standing: [UInt32: Inhibition])>((0, [:]))

    /// What is asked for and not taken back.
    public var inhibitions: [Inhibition] { state.withLock { $0.standing.sorted { $0.key < $1.key }.map(\.value) } }

    /// One that is there on the bus at this address.
    public init(at address: String) async throws {
        bus = try await Bus.connect(address: address)
        bus.serve { [weak self] in self?.answer($0) }
        try await bus.own("org.gnome.SessionManager")
    }

    /// It ends.
    public func close() async { await bus.close() }

    private func answer(_ call: BusCall) {
        switch call.name {
        case "RegisterClient": call.answer([.objectPath(Self.client)])
        case "Inhibit":
            let words = call.arguments
            guard words.count == 4 else { return call.refuse("org.freedesktop.DBus.Error.InvalidArgs", call.name) }
            let cookie = state.withLock { state in
                state.last += 1
                state.standing[state.last] = Inhibition(
                    application: words[0].string ?? "", reason: words[2].string ?? "", flags: words[3].integer ?? 0)
                return state.last
            }
            call.answer([.uint32(cookie)])
        case "Uninhibit":
            state.withLock { $0.standing[UInt32(call.arguments.first?.integer ?? 0)] = nil }
            call.answer()
        case "GetAll": call.answer([.dictionary([:])])
        default: call.refuse("org.freedesktop.DBus.Error.UnknownMethod", call.name)
        }
    }
}
