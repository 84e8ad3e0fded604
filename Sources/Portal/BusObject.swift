/// An object as others find it on the bus.
package struct BusObject {
    /// An interface with the values of its properties.
    package struct Facet {
        var interface: BusInterface
        var properties: [String: BusValue]

        /// An interface; its properties are those that it says it has.
        package init(interface: BusInterface, properties: [String: BusValue] = [:]) {
            self.interface = interface
            self.properties = properties
        }
    }

    private var facets: [Facet]
    private var children: [String]

    /// An object. `children` are the last parts of the paths of the objects right below.
    package init(facets: [Facet] = [], children: [String] = []) {
        self.facets = facets
        self.children = children
    }

    private static let standard = [BusInterface.properties, .introspectable]

    /// Answers what is the same for all objects; nil for a method of the object's own, whose arguments have the right types, and for
    /// `Set` of a property that can be set, whose value may be of any type.
    package func answer(_ call: MethodCall) throws(BusFailure) -> [BusValue]? {
        guard let interface = (facets.map(\.interface) + Self.standard).first(where: { $0.name == call.interface })
        else { throw .unknownInterface(call.interface) }
        guard let method = interface.methods.first(where: { $0.name == call.name }) else {
            throw .unknownMethod(call.name)
        }
        guard call.signature == method.signature, call.arguments.count == method.takes.count else {
            throw .invalidArguments(call.name)
        }
        switch (interface.name, method.name) {
        case (BusInterface.introspectableName, _): return [.string(xml)]
        case (BusInterface.propertiesName, "Get"):
            let texts = try call.texts(2)
            return [.variant(try property(texts[1], of: texts[0]))]
        case (BusInterface.propertiesName, "GetAll"): return [.dictionary(try properties(of: try call.texts(1)[0]))]
        case (BusInterface.propertiesName, _):
            guard let interface = call.arguments.first?.string, let name = call.arguments.dropFirst().first?.string
            else { throw .invalidArguments(call.name) }
            _ = try property(name, of: interface)
            let described = facets.first { $0.interface.name == interface }?.interface.properties
            let isWritable = described?.contains { $0.name == name && $0.isWritable } ?? false
            guard isWritable else { throw .readOnly(name) }
            return nil
        default: return nil
        }
    }

    private func property(_ name: String, of interface: String) throws(BusFailure) -> BusValue {
        guard let value = try properties(of: interface)[name] else { throw .unknownProperty(name) }
        return value
    }

    private func properties(of interface: String) throws(BusFailure) -> [String: BusValue] {
        if let facet = facets.first(where: { $0.interface.name == interface }) { return facet.properties }
        guard Self.standard.contains(where: { $0.name == interface }) else { throw .unknownInterface(interface) }
        return [:]
    }

    private var xml: String {
        var lines = [
            #"<!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN""#,
            #" "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">"#, "<node>",
        ]
        for interface in facets.map(\.interface) + Self.standard { lines += interface.xml }
        for child in children { lines.append(#"  <node name="\#(child)"/>"#) }
        return (lines + ["</node>", ""]).joined(separator: "\n")
    }
}
