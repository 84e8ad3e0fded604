import Portal
import Synchronization

/// A power manager or screen saver, which remembers who keeps the machine awake.
public final class FakeScreenSaver: Sendable {
    /// How it answers.
    public enum Manner: Sendable { case obedient, hanging, broken }

    private let bus: Bus
    private let state = Mutex<(last: UInt32, inhibitors: [UInt32: String])>((6, [:]))

    /// One that is there under this name on the bus at this address.
    public init(_ name: String, _ manner: Manner = .obedient, at address: String) async throws {
        bus = try await Bus.connect(address: address)
        bus.serve { [weak self] call in self?.answer(call, manner) }
        try await bus.own(name)
    }

    /// Who keeps awake and why, such as `Parley: In a call`, sorted.
    public var inhibitors: [String] { state.withLock { $0.inhibitors.values.sorted() } }

    /// It leaves the bus.
    public func close() async { await bus.close() }

    private func answer(_ call: BusCall, _ manner: Manner) {
        switch (manner, call.name) {
        case (.hanging, _): break
        case (.broken, "Inhibit"): call.answer([.string("no cookie")])
        case (_, "Inhibit"):
            let text = call.arguments.compactMap(\.string).joined(separator: ": ")
            let cookie = state.withLock { state in
                state.last += 1
                state.inhibitors[state.last] = text
                return state.last
            }
            call.answer([.uint32(cookie)])
        case (_, "UnInhibit"):
            let cookie = call.arguments.first?.integer.flatMap(UInt32.init(exactly:)) ?? 0
            state.withLock { $0.inhibitors[cookie] = nil }
            call.answer()
        default: call.refuse("org.freedesktop.DBus.Error.UnknownMethod", call.name)
        }
    }
}
