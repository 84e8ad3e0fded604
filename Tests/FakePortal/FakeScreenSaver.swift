import Portal
import Synchronization

/// A power manager or screen saver, which remembers who keeps the machine awake.
public final class FakeScreenSaver: Sendable {
    private let bus: Bus
    private let state = Mutex<(last: UInt32, inhibitors: [UInt32: String])>((6, [:]))

    /// One that is there under this name on the bus at this address.
    public init(_ name: String, answersNonsense: Bool = false, at address: String) async throws {
        bus = try await Bus.connect(address: address)
        bus.serve { [weak self] call in self?.answer(call, withNonsense: answersNonsense) }
        try await bus.own(name)
    }

    /// Who keeps awake and why, such as `Parley: In a call`, sorted.
    public var inhibitors: [String] { state.withLock { $0.inhibitors.values.sorted() } }

    private func answer(_ call: BusCall, withNonsense: Bool) {
        switch call.name {
        case "Inhibit" where withNonsense: call.answer([.string("no cookie")])
        case "Inhibit":
            let text = call.arguments.compactMap(\.string).joined(separator: ": ")
            let cookie = state.withLock { state in
                state.last += 1
                state.inhibitors[state.last] = text
                return state.last
            }
            call.answer([.uint32(cookie)])
        case "UnInhibit":
            let cookie = call.arguments.first?.integer.flatMap(UInt32.init(exactly:)) ?? 0
            state.withLock { $0.inhibitors[cookie] = nil }
            call.answer()
        default: call.refuse("org.freedesktop.DBus.Error.UnknownMethod", call.name)
        }
    }
}
