import BaseKit
import MediaRules
import Portal

/// Asks through the desktop's portal (XDG desktop portal, `org.freedesktop.portal.ScreenCast`): the desktop shows its own
/// dialog, and we see only what the person picks there.
struct PortalScreens: ScreenChoosing {
    static let interface = "org.freedesktop.portal.ScreenCast"

    /// Source types and cursor modes of the portal, as bits.
    private enum Bit {
        static let monitorsAndWindows: UInt32 = 1 | 2
        static let cursorInPicture: UInt32 = 2
    }

    /// Finds the portal.
    var connect: @Sendable () async throws(PortalError) -> DesktopPortal = { () async throws(PortalError) in
        try await DesktopPortal.connect()
    }

    func choose() async throws(MediaError) -> ChosenScreen? {
        do throws(PortalError) {
            return try await ask(try await connect())
        } catch {
            switch error {
            case .denied, .ended, .cancelled: return nil
            case .noBus, .noPortal, .unsupported, .unexpectedAnswer, .notCarried, .failed:
                throw .device(.screenNotGiven(Cause(error)))
            }
        }
    }

    private func ask(_ portal: DesktopPortal) async throws(PortalError) -> ChosenScreen {
        let wishes = try await wishes(portal)
        let end = Ending()
        let session = try await portal.makeSession(Self.interface) { end.come() }
        do throws(PortalError) {
            let subject = BusValue.objectPath(session.path)
            _ = try await portal.request(Self.interface, "SelectSources", [subject], options: wishes)
            let results = try await portal.request(Self.interface, "Start", [subject, .string("")])
            guard let stream = results["streams"]?.members?.first?.members?.first?.integer,
                let node = UInt32(exactly: stream)
            else { throw PortalError.unexpectedAnswer("streams") }
            let descriptor = try await portal.openPipeWireRemote(Self.interface, session: session)
            let chosen = ChosenScreen(descriptor: descriptor, node: node) { await session.close() }
            end.tell(chosen)
            return chosen
        } catch {
            await session.close()
            throw error
        }
    }

    /// One monitor or window, with the pointer in the picture, as far as this desktop can.
    private func wishes(_ portal: DesktopPortal) async throws(PortalError) -> [String: BusValue] {
        let types = try await bits("AvailableSourceTypes", portal) & Bit.monitorsAndWindows
        let cursor = try await bits("AvailableCursorModes", portal) & Bit.cursorInPicture
        var wishes: [String: BusValue] = ["multiple": .bool(false)]
        if types != 0 { wishes["types"] = .uint32(types) }
        if cursor != 0 { wishes["cursor_mode"] = .uint32(cursor) }
        return wishes
    }

    private func bits(_ property: String, _ portal: DesktopPortal) async throws(PortalError) -> UInt32 {
        let value = try await portal.property(property, of: Self.interface).integer
        guard let bits = value.flatMap({ UInt32(exactly: $0) }) else { throw .unexpectedAnswer(property) }
        return bits
    }
}

/// Brings the end of a session to its screen, whichever is there first.
private final class Ending: Sendable {
    private struct State {
        var hasCome = false
        weak var screen: ChosenScreen?
    }

    private let state = Lock(State())

    func come() {
        let screen = state.withLock { state in
            state.hasCome = true
            return state.screen
        }
        screen?.closedByDesktop()
    }

    func tell(_ screen: ChosenScreen) {
        let hasCome = state.withLock { state in
            state.screen = screen
            return state.hasCome
        }
        if hasCome { screen.closedByDesktop() }
    }
}
