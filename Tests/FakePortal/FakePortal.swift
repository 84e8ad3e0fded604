import Portal
import Synchronization

/// Plays the desktop's portal on a bus of a test's own.
///
/// A test says how each method is answered; what was called is kept.
public final class FakePortal: Sendable {
    /// How a method is answered.
    public enum Answer: Sendable {
        /// As a request: its object's path now, then the response with this code (0 yes, 1 no, 2 ended) and results.
        case response(UInt32, [String: BusValue] = [:])
        /// As a request for a session, with the session's path in the results.
        case session
        /// As a request that is never answered.
        case silence
        /// At once, with values and descriptors.
        case values([BusValue], descriptors: [Int32] = [])
        /// At once, with an error.
        case error(String, String)
    }

    /// A call as it came.
    public struct Call: Sendable, Equatable {
        /// The object.
        public var path: String
        /// The interface.
        public var interface: String
        /// The method.
        public var name: String
        /// The arguments.
        public var arguments: [BusValue]
    }

    private struct State {
        var answers: [String: @Sendable (BusCall) -> Answer] = [:]
        var properties: [String: BusValue] = [:]
        var calls: [Call] = []
        /// By path, whom they belong to.
        var sessions: [String: String] = [:]
    }

    /// The bus it is on, which lives as long.
    public let home: PrivateBus
    private let bus: Bus
    private let state = Mutex(State())

    /// Takes the portal's name on a bus.
    public init(on home: PrivateBus) async throws {
        self.home = home
        bus = try await Bus.connect(address: home.address)
        bus.serve { [weak self] in self?.take($0) }
        try await bus.own(DesktopPortal.name)
    }

    /// Says how a method of an interface is answered from now on.
    public func on(_ interface: String, _ method: String, _ answer: @escaping @Sendable (BusCall) -> Answer) {
        state.withLock { $0.answers["\(interface).\(method)"] = answer }
    }

    /// Sets a property of an interface, such as `version`.
    public func set(_ property: String, of interface: String, to value: BusValue) {
        state.withLock { $0.properties["\(interface).\(property)"] = value }
    }

    /// All calls so far, those for properties left out.
    public var calls: [Call] { state.withLock { $0.calls } }

    /// The sessions that are open.
    public var sessions: [String] { state.withLock { $0.sessions.keys.sorted() } }

    /// Ends a session as the desktop does when the person stops it there.
    public func endSession(_ path: String) throws {
        guard let owner = state.withLock({ $0.sessions.removeValue(forKey: path) }) else { return }
        try bus.emit(
            path: path, interface: "org.freedesktop.portal.Session", name: "Closed", [.dictionary([:])], to: owner)
    }

    /// Emits a signal of the portal's own object, to all.
    public func emit(_ interface: String, _ name: String, _ values: [BusValue]) throws {
        try bus.emit(path: DesktopPortal.path, interface: interface, name: name, values)
    }

    /// Leaves the bus, as a portal that crashed.
    public func close() async { await bus.close() }

    private func take(_ call: BusCall) {
        if call.interface == "org.freedesktop.DBus.Properties" { return tellProperty(call) }
        let answer = state.withLock { state in
            state.calls.append(
                Call(path: call.path, interface: call.interface, name: call.name, arguments: call.arguments))
            return state.answers["\(call.interface).\(call.name)"]
        }
        switch (call.interface, call.name) {
        case ("org.freedesktop.portal.Request", "Close"): call.answer()
        case ("org.freedesktop.portal.Session", "Close"):
            state.withLock { _ = $0.sessions.removeValue(forKey: call.path) }
            call.answer()
        default:
            guard let answer else {
                return call.refuse("org.freedesktop.DBus.Error.UnknownMethod", "No such method")
            }
            give(answer(call), to: call)
        }
    }

    private func tellProperty(_ call: BusCall) {
        let name = call.arguments.compactMap(\.string).joined(separator: ".")
        guard let value = state.withLock({ $0.properties[name] }) else {
            return call.refuse("org.freedesktop.DBus.Error.InvalidArgs", "No such interface")
        }
        call.answer([.variant(value)])
    }

    private func give(_ answer: Answer, to call: BusCall) {
        let options = call.arguments.last?.entries ?? [:]
        let sender = call.sender.drop { $0 == ":" }.map { $0 == "." ? "_" : String($0) }.joined()
        let request = "\(DesktopPortal.path)/request/\(sender)/\(options["handle_token"]?.string ?? "t")"
        switch answer {
        case .response(let code, let results):
            call.answer([.objectPath(request)])
            respond(request, code, results, to: call.sender)
        case .session:
            let session = "\(DesktopPortal.path)/session/\(sender)/\(options["session_handle_token"]?.string ?? "t")"
            state.withLock { $0.sessions[session] = call.sender }
            call.answer([.objectPath(request)])
            respond(request, 0, ["session_handle": .string(session)], to: call.sender)
        case .silence: call.answer([.objectPath(request)])
        case .values(let values, let descriptors): call.answer(values, descriptors: descriptors)
        case .error(let name, let sentence): call.refuse(name, sentence)
        }
    }

    private func respond(_ request: String, _ code: UInt32, _ results: [String: BusValue], to destination: String) {
        try? bus.emit(
            path: request, interface: "org.freedesktop.portal.Request", name: "Response",
            [.uint32(code), .dictionary(results)], to: destination)
    }
}
