/// An interface of an object: what others can call, read and hear, in the order in which it is told.
package struct BusInterface: Sendable {
    /// An argument of a method or a signal, or a property.
    package struct Argument: Sendable {
        package var name: String
        var type: String
        /// Whether others can set it; of a property.
        var isWritable: Bool

        /// One of a type, such as `a{sv}`.
        package init(_ name: String, _ type: String, isWritable: Bool = false) {
            self.name = name
            self.type = type
            self.isWritable = isWritable
        }
    }

    /// A method.
    package struct Method: Sendable {
        package var name: String
        package var takes: [Argument]
        var gives: [Argument]

        /// A method with its arguments and results.
        package init(_ name: String, takes: [Argument] = [], gives: [Argument] = []) {
            self.name = name
            self.takes = takes
            self.gives = gives
        }

        /// The types of its arguments.
        package var signature: String { takes.map(\.type).joined() }
    }

    /// A signal.
    package struct Signal: Sendable {
        var name: String
        var carries: [Argument]

        /// A signal with what it carries.
        package init(_ name: String, carries: [Argument] = []) {
            self.name = name
            self.carries = carries
        }
    }

    /// Its name.
    package let name: String
    /// What can be called.
    package let methods: [Method]
    /// What can be heard.
    package let signals: [Signal]
    /// What can be read, and of some of it set.
    package let properties: [Argument]

    /// An interface.
    package init(
        name: String, methods: [Method] = [], signals: [Signal] = [], properties: [Argument] = []
    ) {
        self.name = name
        self.methods = methods
        self.signals = signals
        self.properties = properties
    }

    /// As `Introspect` tells it (D-Bus specification, "Introspection Data Format").
    package var xml: [String] {
        var lines = [#"  <interface name="\#(name)">"#]
        for method in methods {
            let arguments =
                method.takes.map { Self.xml($0, direction: "in") }
                + method.gives.map { Self.xml($0, direction: "out") }
            lines += Self.element("method", method.name, arguments)
        }
        for signal in signals { lines += Self.element("signal", signal.name, signal.carries.map { Self.xml($0) }) }
        for property in properties {
            let access = property.isWritable ? "readwrite" : "read"
            lines.append(#"    <property name="\#(property.name)" type="\#(property.type)" access="\#(access)"/>"#)
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
    package static let propertiesName = "org.freedesktop.DBus.Properties"
    package static let introspectableName = "org.freedesktop.DBus.Introspectable"
    package static let objectManagerName = "org.freedesktop.DBus.ObjectManager"

    static let properties = BusInterface(
        name: propertiesName,
        methods: [
            Method("Get", takes: [Argument("interface", "s"), Argument("name", "s")], gives: [Argument("value", "v")]),
            Method("GetAll", takes: [Argument("interface", "s")], gives: [Argument("properties", "a{sv}")]),
            Method("Set", takes: [Argument("interface", "s"), Argument("name", "s"), Argument("value", "v")]),
        ],
        signals: [
            Signal(
                "PropertiesChanged",
                carries: [
                    Argument("interface", "s"), Argument("changed", "a{sv}"), Argument("invalidated", "as"),
                ])
        ])

    static let introspectable = BusInterface(
        name: introspectableName, methods: [Method("Introspect", gives: [Argument("data", "s")])])

    package static let objectManager = BusInterface(
        name: objectManagerName,
        methods: [Method("GetManagedObjects", gives: [Argument("objects", "a{oa{sa{sv}}}")])],
        signals: [
            Signal(
                "InterfacesAdded",
                carries: [Argument("object", "o"), Argument("interfaces", "a{sa{sv}}")]),
            Signal(
                "InterfacesRemoved", carries: [Argument("object", "o"), Argument("interfaces", "as")]),
        ])
}
