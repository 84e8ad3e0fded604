import Portal
import Synchronization

/// A player on the bus, such as a program that plays music.
public final class FakePlayer: Sendable {
    /// What it does when it is asked.
    public enum Manner: Sendable {
        case obedient, hanging, broken
        /// Does what it is asked a while later.
        case slow
    }

    private static let path = "/org/mpris/MediaPlayer2"
    private static let interface = "org.mpris.MediaPlayer2.Player"

    private let bus: Bus
    private let state: Mutex<(status: String, heard: [String])>

    /// What it does now, such as `Playing`.
    public var status: String { state.withLock { $0.status } }
    /// The methods that were called, in order.
    public var heard: [String] { state.withLock { $0.heard } }

    /// One that is there under `org.mpris.MediaPlayer2.NAME` on the bus at this address.
    public init(_ name: String, _ status: String, _ manner: Manner = .obedient, at address: String) async throws {
        bus = try await Bus.connect(address: address)
        state = Mutex((status, []))
        bus.serve { [weak self] call in self?.answer(call, manner) }
        try await bus.own("org.mpris.MediaPlayer2." + name)
    }

    /// It ends.
    public func close() async { await bus.close() }

    private func answer(_ call: BusCall, _ manner: Manner) {
        switch (manner, call.name) {
        case (.hanging, _): break
        case (.broken, _): call.answer([.tuple([.uint32(1)]), .string("nonsense")])
        case (_, "Get") where call.arguments.last?.string == "PlaybackStatus": call.answer([.variant(.string(status))])
        case (_, "Get"): call.answer([.variant(.bool(true))])
        case (.slow, "Pause"), (.slow, "Play"):
            Task {
                try await Task.sleep(for: .milliseconds(300))
                obey(call, call.name == "Pause" ? "Paused" : "Playing")
            }
        case (_, "Pause"): obey(call, "Paused")
        case (_, "Play"): obey(call, "Playing")
        default: call.refuse("org.freedesktop.DBus.Error.UnknownMethod", call.name)
        }
    }

    private func obey(_ call: BusCall, _ status: String) {
        state.withLock { $0.heard.append(call.name) }
        become(status)
        call.answer()
    }

    /// It does something else now, as when the person presses its button.
    public func become(_ status: String) {
        state.withLock { $0.status = status }
        let changed: BusValue = .dictionary(["PlaybackStatus": .string(status)])
        try? bus.emit(
            path: Self.path, interface: "org.freedesktop.DBus.Properties", name: "PropertiesChanged",
            [.string(Self.interface), changed, .array([], of: "s")])
    }
}
