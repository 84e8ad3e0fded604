import CGLib

/// Which method of which object is called.
public struct BusMethod: Sendable, Hashable {
    /// The name on the bus, such as `org.freedesktop.portal.Desktop`.
    public var destination: String
    /// The object.
    public var path: String
    /// The interface.
    public var interface: String
    /// The method.
    public var name: String

    /// A method.
    public init(destination: String, path: String, interface: String, name: String) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.name = name
    }
}

/// What a method gave back.
public struct BusReply: Sendable {
    /// The values, in order.
    public var values: [BusValue]
    /// The descriptors that came along; a ``BusValue/handle(_:)`` is an index into them.
    public var descriptors: [FileDescriptor] = []
}

/// A signal as it came over the bus.
public struct BusSignal: Sendable, Equatable {
    /// The sender's unique name, such as `:1.42`.
    public var sender: String
    /// The object that emitted it.
    public var path: String
    /// Its interface.
    public var interface: String
    /// Its name.
    public var name: String
    /// What it carries, in order.
    public var values: [BusValue]
}

/// Which signals are wanted; nil is any.
public struct BusSignalFilter: Sendable, Hashable {
    /// The sender: its unique name.
    public var sender: String?
    /// The object.
    public var path: String?
    /// The interface.
    public var interface: String
    /// The name. One filter for all signals of an interface keeps their order.
    public var name: String?
    /// The first value, a text. Of signals with another one the bus does not even tell.
    public var firstText: String?

    /// A filter.
    public init(
        sender: String? = nil, path: String? = nil, interface: String, name: String? = nil, firstText: String? = nil
    ) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.name = name
        self.firstText = firstText
    }

    /// Whether a signal is wanted.
    func accepts(_ signal: BusSignal) -> Bool {
        (sender == nil || sender == signal.sender) && (path == nil || path == signal.path)
            && interface == signal.interface && (name == nil || name == signal.name)
            && (firstText == nil || firstText == signal.values.first?.string)
    }

    /// The rule for the bus (D-Bus specification, "Match Rules").
    var rule: String {
        let parts = [
            "type='signal'", sender.map { "sender='\($0)'" }, path.map { "path='\($0)'" }, "interface='\(interface)'",
            name.map { "member='\($0)'" }, firstText.map { "arg0='\($0)'" },
        ]
        return parts.compactMap { $0 }.joined(separator: ",")
    }
}

extension BusSignal {
    /// Reads a signal; nil for other messages.
    init?(_ message: OpaquePointer) {
        guard g_dbus_message_get_message_type(message) == G_DBUS_MESSAGE_TYPE_SIGNAL,
            let sender = g_dbus_message_get_sender(message), let path = g_dbus_message_get_path(message),
            let interface = g_dbus_message_get_interface(message), let name = g_dbus_message_get_member(message)
        else { return nil }
        self.sender = String(cString: sender)
        self.path = String(cString: path)
        self.interface = String(cString: interface)
        self.name = String(cString: name)
        values = g_dbus_message_get_body(message).flatMap { BusValue($0)?.members } ?? []
    }
}
