import CGLib

/// The desktop's portal: asks the person for things a program may not take by itself.
///
/// Every request is answered later, by a signal of an object made for it (XDG desktop portal, `org.freedesktop.portal.Request`).
public struct DesktopPortal: Sendable {
    /// The portal's name on the bus.
    public static let name = "org.freedesktop.portal.Desktop"
    /// The portal's object.
    public static let path = "/org/freedesktop/portal/desktop"

    /// The connection that requests and sessions hang on.
    public let bus: Bus
    /// The portal's unique name; answers of others don't count.
    let owner: String

    /// Finds the portal on a bus; starts it where the desktop can. Throws ``PortalError/noPortal``.
    public init(on bus: Bus) async throws(PortalError) {
        self.bus = bus
        do {
            try await bus.start(Self.name)
        } catch .failed, .noPortal {
            // It may run although nobody knows how to start it.
        }
        guard let owner = try await bus.owner(of: Self.name) else { throw .noPortal }
        self.owner = owner
    }

    /// Finds the portal on the person's session bus. Throws ``PortalError``.
    public static func connect() async throws(PortalError) -> DesktopPortal {
        try await DesktopPortal(on: try await Bus.session())
    }

    /// A property of one of the portal's interfaces, such as `version`. Throws ``PortalError/unsupported(_:)`` when there is no
    /// such interface.
    public func property(_ name: String, of interface: String) async throws(PortalError) -> BusValue {
        let method = BusMethod(
            destination: owner, path: Self.path, interface: "org.freedesktop.DBus.Properties", name: "Get")
        let reply: BusReply
        do {
            reply = try await bus.call(method, [.string(interface), .string(name)])
        } catch {
            if case .failed("org.freedesktop.DBus.Error.InvalidArgs", _) = error { throw .unsupported(interface) }
            throw error
        }
        guard let value = reply.values.first else { throw .unexpectedAnswer(name) }
        return value
    }

    /// Calls a method that answers at once. Throws ``PortalError``.
    @discardableResult
    public func call(_ interface: String, _ method: String, _ arguments: [BusValue]) async throws(PortalError)
        -> BusReply
    {
        try await bus.call(
            BusMethod(destination: owner, path: Self.path, interface: interface, name: method), arguments)
    }

    /// The signals that the portal emits by its own object, from the moment this returns. Throws ``PortalError``.
    public func signals(of interface: String, _ name: String) async throws(PortalError) -> AsyncStream<BusSignal> {
        try await bus.signals(BusSignalFilter(sender: owner, path: Self.path, interface: interface, name: name))
    }

    /// Opens the PipeWire connection that a grant gives (`OpenPipeWireRemote` of Camera and ScreenCast). Throws ``PortalError``.
    public func openPipeWireRemote(
        _ interface: String, session: PortalSession? = nil
    ) async throws(PortalError) -> FileDescriptor {
        let reply = try await call(
            interface, "OpenPipeWireRemote", (session.map { [.objectPath($0.path)] } ?? []) + [.dictionary([:])])
        guard let index = reply.values.first?.integer, reply.descriptors.indices.contains(index) else {
            throw .unexpectedAnswer("fd")
        }
        return reply.descriptors[index]
    }

    /// A token of our own for a request or session: hard to guess, so that nobody else can answer.
    static func makeToken() -> String { "parley\(UInt64.random(in: 0...UInt64.max))" }

    /// The path of an object that a portal makes for us (`/org/freedesktop/portal/desktop/KIND/SENDER/TOKEN`).
    static func objectPath(_ kind: String, sender: String, token: String) -> String {
        let name = sender.drop { $0 == ":" }.map { $0 == "." ? "_" : String($0) }.joined()
        return "\(path)/\(kind)/\(name)/\(token)"
    }
}
