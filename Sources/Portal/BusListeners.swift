import BaseKit
import CGLib
import Synchronization

/// Who listens on a connection. Called on GDBus's thread with every message that comes in.
final class BusListeners: Sendable {
    private let signals = Broadcaster<BusSignal>()
    private let service = Mutex<(@Sendable (OpaquePointer) -> Bool)?>(nil)

    /// The signals that a filter accepts; `onLeave` is called when whoever reads them has gone before the connection.
    func signals(_ filter: BusSignalFilter, onLeave: @escaping @Sendable () -> Void) -> AsyncStream<BusSignal> {
        signals.stream(where: { filter.accepts($0) }, onLeave: onLeave)
    }

    func serve(_ body: @escaping @Sendable (OpaquePointer) -> Bool) { service.withLock { $0 = body } }

    func finish() {
        service.withLock { $0 = nil }
        signals.finish()
    }

    /// Passes a message on; gives nil when it has been dealt with.
    func filter(_ message: OpaquePointer) -> OpaquePointer? {
        if let signal = BusSignal(message) {
            signals.send(signal)
            return message
        }
        guard g_dbus_message_get_message_type(message) == G_DBUS_MESSAGE_TYPE_METHOD_CALL,
            let service = service.withLock({ $0 }), service(message)
        else { return message }
        g_object_unref(UnsafeMutableRawPointer(message))
        return nil
    }
}
