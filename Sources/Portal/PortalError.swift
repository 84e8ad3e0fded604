/// What can go wrong between this program and the desktop.
public enum PortalError: Error, Equatable, Sendable {
    /// There is no session bus; the value is the library's message.
    case noBus(String)
    /// Nobody on the bus is the desktop's portal.
    case noPortal
    /// The desktop's portal does not have this interface or method; the value is its name.
    case unsupported(String)
    /// The person, or a rule of the desktop, said no.
    case denied
    /// The desktop ended the request or the session by itself, for example because its own program stopped.
    case ended
    /// The task that waited was cancelled; the request has been taken back.
    case cancelled
    /// The desktop answered with something that can't be understood; the value is the name, in D-Bus's terms, of what was missing.
    case unexpectedAnswer(String)
    /// A text of ours has a character that D-Bus can't carry.
    case notCarried
    /// The call was answered with an error; the name is D-Bus's, such as `org.freedesktop.DBus.Error.Failed`.
    case failed(name: String, message: String)
}
