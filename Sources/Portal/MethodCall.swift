/// What somebody calls, without who and how to answer.
package struct MethodCall: Equatable, Sendable {
    /// The object.
    package var path: String
    /// The interface.
    package var interface: String
    /// The method.
    package var name: String
    /// The types of the arguments.
    package var signature: String
    /// The arguments; fewer than the signature has when one is of a kind that can't be read.
    package var arguments: [BusValue]

    /// A call of a method.
    package init(
        path: String, interface: String, name: String, signature: String = "", arguments: [BusValue] = []
    ) {
        self.path = path
        self.interface = interface
        self.name = name
        self.signature = signature
        self.arguments = arguments
    }

    /// What has come over a bus.
    package init(_ call: BusCall) {
        self.init(
            path: call.path, interface: call.interface, name: call.name, signature: call.signature,
            arguments: call.arguments)
    }

    /// The arguments' texts, which must be all there is.
    func texts(_ count: Int) throws(BusFailure) -> [String] {
        let texts = arguments.compactMap(\.string)
        guard texts.count == count, arguments.count == count else { throw .invalidArguments(name) }
        return texts
    }
}
