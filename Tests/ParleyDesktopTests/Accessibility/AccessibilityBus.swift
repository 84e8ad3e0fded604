import CGLib
import GLibKit
import Synchronization

/// The bus on which programs show their widgets to assistive tools (AT-SPI).
///
/// Asked without libatspi, which asks for each name, role and state of each widget by a message of its own, and by listening makes programs
/// tell of every change.
enum AccessibilityBus {
    /// The programs by process, as they were found last.
    private static let programs = Mutex<[Int32: String]>([:])
    /// What is asked later than this, in milliseconds, is not answered: a program that is busy is not one that has gone.
    private static let timeout: Int32 = 15_000
    private static let connection = Connection()

    /// The connection, which may be used by any thread. Made when it is needed first; it stays for as long as the process.
    private struct Connection: @unchecked Sendable {
        let native: OpaquePointer?

        init() {
            guard let session = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil) else {
                native = nil
                return
            }
            defer { g_object_unref(UnsafeMutableRawPointer(session)) }
            let answer = g_dbus_connection_call_sync(
                session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", nil, nil,
                G_DBUS_CALL_FLAGS_NONE, AccessibilityBus.timeout, nil, nil)
            guard let address = answer.map(BusAnswer.init(adopting:))?[0]?.text else {
                native = nil
                return
            }
            let flags = GDBusConnectionFlags(
                G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                    | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
            native = g_dbus_connection_new_for_address_sync(address, flags, nil, nil, nil)
        }
    }

    /// Whether there is one.
    static var isThere: Bool { connection.native != nil }

    /// Asks an object of a program; nil when it has gone, does not know the method or refuses.
    static func ask(
        _ program: String, _ path: String, _ interface: String, _ method: String, _ arguments: [Argument] = []
    ) -> BusAnswer? {
        guard let native = connection.native else { return nil }
        let made = arguments.map { Optional($0.variant) }
        let parameters = made.isEmpty ? nil : g_variant_new_tuple(made, gsize(made.count))
        return g_dbus_connection_call_sync(
            native, program, path, interface, method, parameters, nil, G_DBUS_CALL_FLAGS_NO_AUTO_START, timeout, nil,
            nil
        ).map(BusAnswer.init(adopting:))
    }

    /// Asks an object of a program, and gives the answer to `answered`, nil as above, in the main context that is the thread's default now.
    static func ask(
        _ program: String, _ path: String, _ interface: String, _ method: String,
        answered: @escaping (BusAnswer?) -> Void
    ) {
        guard let native = connection.native else { return answered(nil) }
        g_dbus_connection_call(
            native, program, path, interface, method, nil, nil, G_DBUS_CALL_FLAGS_NO_AUTO_START, timeout, nil,
            { connection, result, data in
                guard let data else { return }
                let answered = Unmanaged<Answered>.fromOpaque(data).takeRetainedValue()
                answered.body(
                    g_dbus_connection_call_finish(OpaquePointer(connection), result, nil).map(BusAnswer.init(adopting:))
                )
            }, Unmanaged.passRetained(Answered(answered)).toOpaque())
    }

    private final class Answered {
        let body: (BusAnswer?) -> Void

        init(_ body: @escaping (BusAnswer?) -> Void) { self.body = body }
    }

    /// The name of a process on the bus; nil as long as it shows nothing there.
    static func program(of process: Int32) -> String? {
        if let known = programs.withLock({ $0[process] }) { return known }
        let shown = ask("org.a11y.atspi.Registry", root, "org.a11y.atspi.Accessible", "GetChildren")?[0]
        for reference in shown?.members ?? [] {
            guard let name = reference[0]?.text,
                let number = ask(
                    "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                    "GetConnectionUnixProcessID",
                    [.text(name)])?[0]?.number
            else { continue }
            programs.withLock { $0[Int32(truncatingIfNeeded: number)] = name }
            if Int(process) == number { return name }
        }
        return nil
    }

    /// Looks for it anew the next time.
    static func forget(_ process: Int32) { programs.withLock { _ = $0.removeValue(forKey: process) } }

    /// Where a program, and the list of all programs, begins.
    static let root = "/org/a11y/atspi/accessible/root"
}

extension AccessibilityBus {
    /// What a method is given.
    enum Argument {
        case text(String)
        case integer(Int32)
        case unsigned(UInt32)

        fileprivate var variant: OpaquePointer {
            switch self {
            case .text(let text): g_variant_new_string(text)
            case .integer(let number): g_variant_new_int32(number)
            case .unsigned(let number): g_variant_new_uint32(number)
            }
        }
    }
}

/// A value that came over the bus, or a part of one.
final class BusAnswer {
    private let variant: OpaquePointer

    init(adopting variant: OpaquePointer) { self.variant = variant }

    deinit { g_variant_unref(variant) }

    /// Its type, as D-Bus writes it.
    var type: String { String(cString: g_variant_get_type_string(variant)) }

    /// A part of a tuple or an array; nil when it has fewer. A value of any type is looked into.
    subscript(_ index: Int) -> BusAnswer? {
        guard g_variant_is_container(variant) != 0, index < Int(g_variant_n_children(variant)) else { return nil }
        let part = g_variant_get_child_value(variant, gsize(index)).map(BusAnswer.init(adopting:))
        return part?.type == "v" ? part?[0] : part
    }

    /// All parts; none of what has no parts.
    var members: [BusAnswer] {
        guard g_variant_is_container(variant) != 0 else { return [] }
        return (0..<Int(g_variant_n_children(variant))).compactMap { self[$0] }
    }

    /// The text, path or signature; nil when it is something else.
    var text: String? {
        ["s", "o", "g"].contains(type) ? String(cString: g_variant_get_string(variant, nil)) : nil
    }

    /// The whole number of 32 bits; nil when it is something else.
    var number: Int? {
        switch type {
        case "i": Int(g_variant_get_int32(variant))
        case "u": Int(g_variant_get_uint32(variant))
        default: nil
        }
    }

    /// Whether it is "true".
    var isTrue: Bool { type == "b" && g_variant_get_boolean(variant) != 0 }
}
