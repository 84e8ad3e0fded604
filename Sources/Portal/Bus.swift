import BaseKit
import CGLib
import GLibKit

/// A connection of our own to a message bus. Needs no main loop of the program: signals are read on GDBus's own thread.
///
/// What the desktop grants hangs on the connection: closing it ends the portal sessions made over it. Closed when the last
/// reference goes.
///
/// Unchecked: `GDBusConnection` may be used from any thread; the rest is locked inside.
public final class Bus: @unchecked Sendable {
    private let connection: OpaquePointer
    private let listeners: BusListeners
    private let filter: guint

    /// The person's session bus. Throws ``PortalError/noBus(_:)``.
    public static func session() async throws(PortalError) -> Bus { try await open(G_BUS_TYPE_SESSION) }

    /// The machine's bus, on which services such as logind are. Throws ``PortalError/noBus(_:)``.
    public static func system() async throws(PortalError) -> Bus { try await open(G_BUS_TYPE_SYSTEM) }

    private static func open(_ type: GBusType) async throws(PortalError) -> Bus {
        try await onLoop { () throws(PortalError) in
            let address: UnsafeMutablePointer<CChar>?
            do {
                address = try GLibError.check { g_dbus_address_get_for_bus_sync(type, nil, $0) }
            } catch {
                throw .noBus("\(error)")
            }
            guard let address else { throw .noBus("no address") }
            defer { g_free(address) }
            return try Bus(address: String(cString: address))
        }
    }

    /// A bus at an address such as `unix:path=…`. Throws ``PortalError/noBus(_:)``.
    public static func connect(address: String) async throws(PortalError) -> Bus {
        try await onLoop { () throws(PortalError) in try Bus(address: address) }
    }

    private init(address: String) throws(PortalError) {
        let flags = GDBusConnectionFlags(
            G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
        let made: OpaquePointer?
        do {
            made = try GLibError.check { g_dbus_connection_new_for_address_sync(address, flags, nil, nil, $0) }
        } catch {
            throw .noBus("\(error)")
        }
        guard let made else { throw .noBus("no connection") }
        connection = made
        let listeners = BusListeners()
        self.listeners = listeners
        Object(retaining: UnsafeMutableRawPointer(made)).connectOnEmittingThread("closed") { _ in listeners.finish() }
        filter = g_dbus_connection_add_filter(
            connection,
            { _, message, isIncoming, data in
                guard let message, let data else { return message }
                let listeners = CallbackData.value(BusListeners.self, at: data)
                return isIncoming != 0 ? listeners.filter(message) : message
            }, CallbackData.keeping(listeners), CallbackData.release)
    }

    deinit {
        g_dbus_connection_remove_filter(connection, filter)
        g_dbus_connection_close(connection, nil, nil, nil)
        g_object_unref(UnsafeMutableRawPointer(connection))
        listeners.finish()
    }

    /// Our name on the bus, such as `:1.42`.
    var uniqueName: String {
        g_dbus_connection_get_unique_name(connection).map { String(cString: $0) } ?? ""
    }

    /// Ends the connection: all streams of signals end, as they do when the bus goes; further calls throw.
    public func close() async {
        listeners.finish()
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            WorkerThreads.shared.run { [self] in
                g_dbus_connection_close_sync(connection, nil, nil)
                continuation.resume()
            }
        }
    }

    /// Calls a method and waits for its answer. `timeout` in milliseconds, nil for GDBus's 25 s. Throws ``PortalError``.
    @discardableResult
    public func call(
        _ method: BusMethod, _ arguments: [BusValue] = [], timeout: Int32? = nil
    ) async throws(PortalError) -> BusReply {
        try await Self.run { [self] () throws(PortalError) in
            try callNow(method, arguments, timeout: timeout)
        }
    }

    private func callNow(
        _ method: BusMethod, _ arguments: [BusValue], timeout: Int32?
    ) throws(PortalError) -> BusReply {
        let parameters = try BusValue.tuple(arguments).makeVariant()
        var list: UnsafeMutablePointer<GUnixFDList>?
        var error: UnsafeMutablePointer<GError>?
        let answer = g_dbus_connection_call_with_unix_fd_list_sync(
            connection, method.destination, method.path, method.interface, method.name, parameters, nil,
            G_DBUS_CALL_FLAGS_NONE, timeout ?? -1, nil, &list, nil, &error)
        defer { if let list { g_object_unref(list) } }
        if let error { throw PortalError(adopting: error, method: method) }
        guard let answer else { throw .unexpectedAnswer(method.name) }
        defer { g_variant_unref(answer) }
        guard let values = BusValue(answer)?.members else { throw .unexpectedAnswer(method.name) }
        return BusReply(values: values, descriptors: Self.descriptors(of: list))
    }

    private static func descriptors(of list: UnsafeMutablePointer<GUnixFDList>?) -> [FileDescriptor] {
        guard let list else { return [] }
        return (0..<g_unix_fd_list_get_length(list)).compactMap { index in
            let number = g_unix_fd_list_get(list, index, nil)
            return number >= 0 ? FileDescriptor(adopting: number) : nil
        }
    }

    /// The signals that a filter accepts, from the moment this returns. Throws ``PortalError``.
    public func signals(_ filter: BusSignalFilter) async throws(PortalError) -> AsyncStream<BusSignal> {
        try await signals(ofAny: [filter])
    }

    /// The signals that any of the filters accepts, in the order in which they came, from the moment this returns. Throws
    /// ``PortalError``.
    public func signals(ofAny filters: [BusSignalFilter]) async throws(PortalError) -> AsyncStream<BusSignal> {
        let rules = filters.map(\.rule)
        let stream = listeners.signals(ofAny: filters) { [weak self] in
            guard let self else { return }
            WorkerThreads.shared.run {
                for rule in rules { _ = try? self.callNow(.bus("RemoveMatch"), [.string(rule)], timeout: nil) }
            }
        }
        for rule in rules { try await call(.bus("AddMatch"), [.string(rule)]) }
        return stream
    }

    /// Tells whenever a name gets another owner: the name, the old and the new one, each empty for nobody. Throws ``PortalError``.
    public func ownerChanges(of name: String) async throws(PortalError) -> AsyncStream<BusSignal> {
        try await signals(
            BusSignalFilter(
                sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", name: "NameOwnerChanged",
                firstText: name))
    }

    /// Has the bus start the service of a name, where it knows how. Does nothing when it runs. Throws ``PortalError``.
    public func start(_ name: String) async throws(PortalError) {
        try await call(.bus("StartServiceByName"), [.string(name), .uint32(0)])
    }

    /// Who has a name; nil when nobody has.
    public func owner(of name: String) async throws(PortalError) -> String? {
        do {
            return try await call(.bus("GetNameOwner"), [.string(name)]).values.first?.string
        } catch .noPortal {
            return nil
        }
    }

    /// The process that has a name; nil when nobody has.
    public func processID(of name: String) async throws(PortalError) -> Int32? {
        let reply: BusReply
        do {
            reply = try await call(.bus("GetConnectionUnixProcessID"), [.string(name)])
        } catch .noPortal {
            return nil
        }
        guard let number = reply.values.first?.integer.flatMap(Int32.init(exactly:)) else {
            throw .unexpectedAnswer("GetConnectionUnixProcessID")
        }
        return number
    }

    /// Takes a name on the bus, as a service does. Throws ``PortalError``.
    /// - Returns: Whether it is ours now; a name that somebody else has stays theirs.
    @discardableResult
    public func own(_ name: String) async throws(PortalError) -> Bool {
        // Without a place in the queue behind its present owner.
        let reply = try await call(.bus("RequestName"), [.string(name), .uint32(4)])
        // 1: it is, 4: it was before (D-Bus specification, "RequestName").
        return [1, 4].contains(reply.values.first?.integer)
    }

    /// Answers the calls that others make to this connection, as a service does. `body` runs on GDBus's thread and must not
    /// wait.
    public func serve(_ body: @escaping @Sendable (BusCall) -> Void) { serve(under: "/", body) }

    /// Answers the calls to a path and to those below it, such as `/im/parley/Parley/calls`. Of several servers the nearest
    /// above a path has its calls; another one for the same path takes its place. `org.freedesktop.DBus.Peer` and calls to
    /// paths that nobody serves are GDBus's. `body` runs on GDBus's thread and must not wait.
    public func serve(under path: String, _ body: @escaping @Sendable (BusCall) -> Void) {
        listeners.serve(under: path) { [weak self] message in
            guard let self, let call = BusCall(message, bus: self), call.interface != "org.freedesktop.DBus.Peer" else {
                return false
            }
            body(call)
            return true
        }
    }

    /// Leaves the calls under a path to whoever serves above it.
    public func stopServing(under path: String) { listeners.serve(under: path, nil) }

    /// Emits a signal, to one name or to all who listen. Throws ``PortalError``.
    public func emit(
        path: String, interface: String, name: String, _ values: [BusValue], to destination: String? = nil
    ) throws(PortalError) {
        let parameters = try BusValue.tuple(values).makeVariant()
        g_dbus_connection_emit_signal(connection, destination, path, interface, name, parameters, nil)
    }

    func send(_ message: OpaquePointer) {
        g_dbus_connection_send_message(connection, message, G_DBUS_SEND_MESSAGE_FLAGS_NONE, nil, nil)
    }

    /// Makes a connection on the thread that will hear of its end.
    private static func onLoop(
        _ body: @escaping @Sendable () throws(PortalError) -> Bus
    ) async throws(PortalError) -> Bus {
        let outcome: Swift.Result<Bus, PortalError> = await withCheckedContinuation { continuation in
            BusLoop.shared.run { continuation.resume(returning: Swift.Result(catching: body)) }
        }
        return try outcome.get()
    }

    /// Runs what may block where no thread of Swift's pool has to wait for it.
    private static func run<Result: Sendable>(
        _ body: @escaping @Sendable () throws(PortalError) -> Result
    ) async throws(PortalError) -> Result {
        let outcome: Swift.Result<Result, PortalError> = await withCheckedContinuation { continuation in
            WorkerThreads.shared.run { continuation.resume(returning: Swift.Result(catching: body)) }
        }
        return try outcome.get()
    }
}

extension BusMethod {
    /// A method of the bus itself.
    static func bus(_ name: String) -> BusMethod {
        BusMethod(
            destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            name: name)
    }
}
