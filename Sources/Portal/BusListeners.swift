import BaseKit
import CGLib

/// Who listens on a connection. Called on GDBus's thread with every message that comes in.
final class BusListeners: Sendable {
    private let signals = Broadcaster<BusSignal>()
    /// By the path whose calls they take, with those to all paths below it.
    private let services = Lock<[String: Service]>([:])

    /// Deals with a call, or says that it leaves it to GDBus.
    typealias Service = @Sendable (OpaquePointer) -> Bool

    /// The signals that any of the filters accepts; `onLeave` is called when whoever reads them has gone before the connection.
    func signals(ofAny filters: [BusSignalFilter], onLeave: @escaping @Sendable () -> Void) -> AsyncStream<BusSignal> {
        signals.stream(where: { signal in filters.contains { $0.accepts(signal) } }, onLeave: onLeave)
    }

    /// Has a service take the calls under a path, in place of one that had them; nil: nobody.
    func serve(under path: String, _ service: Service?) {
        let former = services.withLock { services in
            defer { services[path] = service }
            return services[path]
        }
        // What it holds may go with it, and that may be the connection itself: not within the lock.
        withExtendedLifetime(former) {}
    }

    func finish() {
        let former = services.withLock { services in
            defer { services = [:] }
            return services
        }
        withExtendedLifetime(former) {}
        signals.finish()
    }

    /// Whoever serves a path: the nearest above it.
    private func service(of path: String) -> Service? {
        services.withLock { services in
            var path = path[...]
            while !path.isEmpty {
                if let service = services[String(path)] { return service }
                path = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
            }
            return services["/"]
        }
    }

    /// Passes a message on; gives nil when it has been dealt with.
    func filter(_ message: OpaquePointer) -> OpaquePointer? {
        if let signal = BusSignal(message) {
            signals.send(signal)
            return message
        }
        guard g_dbus_message_get_message_type(message) == G_DBUS_MESSAGE_TYPE_METHOD_CALL,
            let path = g_dbus_message_get_path(message), let service = service(of: String(cString: path)),
            service(message)
        else { return message }
        g_object_unref(UnsafeMutableRawPointer(message))
        return nil
    }
}
