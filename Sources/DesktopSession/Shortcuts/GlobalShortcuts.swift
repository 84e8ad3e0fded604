import Portal

/// Keys that work wherever the person is typing, given by the desktop's portal (XDG desktop portal,
/// `org.freedesktop.portal.GlobalShortcuts`).
///
/// The desktop asks the person which keys they are; it may give others than were wished for, or none.
public final class GlobalShortcuts: Sendable {
    /// Something that can be done by a key.
    public struct Shortcut: Sendable, Hashable {
        /// What ``GlobalShortcuts/activations`` tells.
        public var identifier: String
        /// What it does, for the desktop's dialog.
        public var description: String
        /// Which keys it would like, such as `CTRL+ALT+h` (XDG shortcuts specification); nil for none.
        public var wishedKeys: String?

        /// A shortcut.
        public init(_ identifier: String, description: String, wishedKeys: String? = nil) {
            self.identifier = identifier
            self.description = description
            self.wishedKeys = wishedKeys
        }
    }

    static let interface = "org.freedesktop.portal.GlobalShortcuts"

    /// The identifiers of shortcuts that were pressed, in order, for one listener. Ends with ``close()``, or when the desktop ends it.
    public let activations: AsyncStream<String>
    /// The keys that the desktop has given, as it shows them, by identifier; what is not there has none.
    public let keys: [String: String]

    private let session: PortalSession
    private let tell: AsyncStream<String>.Continuation
    private let listening: Task<Void, Never>

    /// Asks the desktop for shortcuts, which may ask the person. Asks nothing where the desktop has no such portal.
    ///
    /// - Parameters:
    ///   - shortcuts: what they are to do.
    ///   - application: the program's identifier, that of its desktop entry.
    ///   - portal: the desktop's portal, on a connection that was used for nothing else: portals know a program by its first call.
    /// - Throws: ``PortalError``: `.unsupported` where the desktop does not have them, `.denied` when the person, or the desktop, says no.
    public static func bind(
        _ shortcuts: [Shortcut], for application: String, on portal: DesktopPortal
    ) async throws(PortalError) -> GlobalShortcuts {
        await register(application, with: portal)
        _ = try await portal.property("version", of: interface)
        let (activations, tell) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingNewest(16))
        // Before the session, as keys may be pressed as soon as there is one.
        let signals = try await portal.signals(of: interface, "Activated")
        let session = try await portal.makeSession(interface) { tell.finish() }
        do throws(PortalError) {
            let results = try await portal.request(
                interface, "BindShortcuts",
                [.objectPath(session.path), .array(shortcuts.map(value), of: "(sa{sv})"), .string("")])
            let identifiers = Set(shortcuts.map(\.identifier))
            let keys = try keys(in: results, of: identifiers)
            return GlobalShortcuts(session, keys, activations, tell, signals, identifiers)
        } catch {
            await session.close()
            throw error
        }
    }

    private init(
        _ session: PortalSession, _ keys: [String: String], _ activations: AsyncStream<String>,
        _ tell: AsyncStream<String>.Continuation, _ signals: AsyncStream<BusSignal>, _ identifiers: Set<String>
    ) {
        (self.session, self.keys, self.activations, self.tell) = (session, keys, activations, tell)
        let path = session.path
        listening = Task {
            for await signal in signals {
                guard signal.values.first == .objectPath(path), signal.values.count == 4,
                    case .string(let identifier) = signal.values[1], identifiers.contains(identifier)
                else { continue }
                tell.yield(identifier)
            }
            tell.finish()
        }
    }

    deinit {
        listening.cancel()
        tell.finish()
        let session = session
        Task { await session.close() }
    }

    /// Gives the keys back. Further calls do nothing.
    public func close() async {
        listening.cancel()
        tell.finish()
        await session.close()
    }

    /// Tells the portal which program this is. Only portals from 1.20 on have it, and they want it from programs of no sandbox.
    private static func register(_ application: String, with portal: DesktopPortal) async {
        _ = try? await portal.call(
            "org.freedesktop.host.portal.Registry", "Register", [.string(application), .dictionary([:])])
    }

    private static func value(of shortcut: Shortcut) -> BusValue {
        var about: [String: BusValue] = ["description": .string(shortcut.description)]
        if let keys = shortcut.wishedKeys { about["preferred_trigger"] = .string(keys) }
        return .tuple([.string(shortcut.identifier), .dictionary(about)])
    }

    private static func keys(
        in results: [String: BusValue], of identifiers: Set<String>
    ) throws(PortalError) -> [String: String] {
        guard let given = results["shortcuts"]?.members else { throw .unexpectedAnswer("shortcuts") }
        var keys: [String: String] = [:]
        for shortcut in given {
            guard let parts = shortcut.members, parts.count == 2, let identifier = parts[0].string,
                let about = parts[1].entries
            else { throw .unexpectedAnswer("shortcuts") }
            guard identifiers.contains(identifier) else { continue }
            keys[identifier] = about["trigger_description"]?.string
        }
        return keys
    }
}
