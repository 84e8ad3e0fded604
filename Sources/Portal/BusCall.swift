import CGLib

/// A call that somebody makes to us, to be answered once.
///
/// Unchecked: the message is counted atomically and not changed after it has come.
public final class BusCall: @unchecked Sendable {
    /// The caller's unique name.
    public let sender: String
    /// The object.
    public let path: String
    /// The interface.
    public let interface: String
    /// The method.
    public let name: String
    /// The arguments, in order; none when one of them is of a kind that ``BusValue`` does not name.
    public let arguments: [BusValue]
    /// The types of the arguments as they came, such as `sb`.
    public let signature: String

    private let message: OpaquePointer
    private let bus: Bus

    init?(_ message: OpaquePointer, bus: Bus) {
        guard let sender = g_dbus_message_get_sender(message), let path = g_dbus_message_get_path(message),
            let interface = g_dbus_message_get_interface(message), let name = g_dbus_message_get_member(message)
        else { return nil }
        self.sender = String(cString: sender)
        self.path = String(cString: path)
        self.interface = String(cString: interface)
        self.name = String(cString: name)
        arguments = g_dbus_message_get_body(message).flatMap { BusValue($0)?.members } ?? []
        signature = g_dbus_message_get_signature(message).map { String(cString: $0) } ?? ""
        self.message = OpaquePointer(g_object_ref(UnsafeMutableRawPointer(message)))
        self.bus = bus
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(message)) }

    /// Answers with values. The descriptors are sent along as copies.
    public func answer(_ values: [BusValue] = [], descriptors: [Int32] = []) {
        guard let reply = g_dbus_message_new_method_reply(message) else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(reply)) }
        if let body = try? BusValue.tuple(values).makeVariant() { g_dbus_message_set_body(reply, body) }
        if !descriptors.isEmpty, let list = g_unix_fd_list_new() {
            for descriptor in descriptors { g_unix_fd_list_append(list, descriptor, nil) }
            g_dbus_message_set_unix_fd_list(reply, list)
            g_object_unref(list)
        }
        bus.send(reply)
    }

    /// Answers with an error such as `org.freedesktop.DBus.Error.UnknownMethod`.
    public func refuse(_ name: String, _ sentence: String) {
        guard let reply = g_dbus_message_new_method_error_literal(message, name, sentence) else { return }
        bus.send(reply)
        g_object_unref(UnsafeMutableRawPointer(reply))
    }
}
