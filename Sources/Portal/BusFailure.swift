/// An error as D-Bus carries it. Its message is for developers, in English.
package struct BusFailure: Error, Equatable, Sendable {
    /// Its name, such as `org.freedesktop.DBus.Error.UnknownMethod`.
    package var name: String
    /// What is wrong.
    package var message: String

    /// An error of a name and a message.
    package init(name: String, message: String) {
        self.name = name
        self.message = message
    }

    private static func standard(_ name: String, _ message: String) -> BusFailure {
        BusFailure(name: "org.freedesktop.DBus.Error." + name, message: message)
    }

    package static func unknownObject(_ path: String) -> BusFailure { standard("UnknownObject", "no object \(path)") }

    static func unknownInterface(_ name: String) -> BusFailure {
        standard("UnknownInterface", "no interface “\(name)” here")
    }

    package static func unknownMethod(_ name: String) -> BusFailure {
        standard("UnknownMethod", "no method “\(name)” here")
    }

    static func unknownProperty(_ name: String) -> BusFailure {
        standard("UnknownProperty", "no property “\(name)” here")
    }

    package static func readOnly(_ name: String) -> BusFailure {
        standard("PropertyReadOnly", "the property “\(name)” can't be set")
    }

    package static func notSupported(_ message: String) -> BusFailure { standard("NotSupported", message) }

    package static func invalidArguments(_ method: String) -> BusFailure {
        standard("InvalidArgs", "these are no arguments of \(method)")
    }

    package static let tooMany = standard("LimitsExceeded", "too many calls wait for their answers")
}
