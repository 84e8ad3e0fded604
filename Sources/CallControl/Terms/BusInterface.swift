/// An interface of an object: what others can call, read and hear, in the order in which it is told.
struct BusInterface: Sendable {
    struct Argument: Sendable {
        var name: String
        var type: String

        init(_ name: String, _ type: String) {
            self.name = name
            self.type = type
        }
    }

    struct Method: Sendable {
        var name: String
        var takes: [Argument]
        var gives: [Argument]

        init(_ name: String, takes: [Argument] = [], gives: [Argument] = []) {
            self.name = name
            self.takes = takes
            self.gives = gives
        }

        /// The types of its arguments.
        var signature: String { takes.map(\.type).joined() }
    }

    struct Signal: Sendable {
        var name: String
        var carries: [Argument]
    }

    var name: String
    var methods: [Method] = []
    var signals: [Signal] = []
    /// All can be read, and none be set.
    var properties: [Argument] = []

    /// As `Introspect` tells it (D-Bus specification, "Introspection Data Format").
    var xml: [String] {
        var lines = [#"  <interface name="\#(name)">"#]
        for method in methods {
            let arguments =
                method.takes.map { Self.xml($0, direction: "in") }
                + method.gives.map { Self.xml($0, direction: "out") }
            lines += Self.element("method", method.name, arguments)
        }
        for signal in signals { lines += Self.element("signal", signal.name, signal.carries.map { Self.xml($0) }) }
        for property in properties {
            lines.append(#"    <property name="\#(property.name)" type="\#(property.type)" access="read"/>"#)
        }
        lines.append("  </interface>")
        return lines
    }

    private static func element(_ kind: String, _ name: String, _ arguments: [String]) -> [String] {
        guard !arguments.isEmpty else { return [#"    <\#(kind) name="\#(name)"/>"#] }
        return [#"    <\#(kind) name="\#(name)">"#] + arguments + ["    </\(kind)>"]
    }

    private static func xml(_ argument: Argument, direction: String? = nil) -> String {
        let direction = direction.map { #" direction="\#($0)""# } ?? ""
        return #"      <arg name="\#(argument.name)" type="\#(argument.type)"\#(direction)/>"#
    }
}

// What the D-Bus specification has for every program ("Standard Interfaces").
extension BusInterface {
    static let propertiesName = "org.freedesktop.DBus.Properties"
    static let introspectableName = "org.freedesktop.DBus.Introspectable"
    static let objectManagerName = "org.freedesktop.DBus.ObjectManager"

    static let properties = BusInterface(
        name: propertiesName,
        methods: [
            Method("Get", takes: [Argument("interface", "s"), Argument("name", "s")], gives: [Argument("value", "v")]),
            Method("GetAll", takes: [Argument("interface", "s")], gives: [Argument("properties", "a{sv}")]),
            Method("Set", takes: [Argument("interface", "s"), Argument("name", "s"), Argument("value", "v")]),
        ],
        signals: [
            Signal(
                name: "PropertiesChanged",
                carries: [
                    Argument("interface", "s"), Argument("changed", "a{sv}"), Argument("invalidated", "as"),
                ])
        ])

    static let introspectable = BusInterface(
        name: introspectableName, methods: [Method("Introspect", gives: [Argument("data", "s")])])

    static let objectManager = BusInterface(
        name: objectManagerName,
        methods: [Method("GetManagedObjects", gives: [Argument("objects", "a{oa{sa{sv}}}")])],
        signals: [
            Signal(
                name: "InterfacesAdded",
                carries: [Argument("object", "o"), Argument("interfaces", "a{sa{sv}}")]),
            Signal(
                name: "InterfacesRemoved", carries: [Argument("object", "o"), Argument("interfaces", "as")]),
        ])
}
