/// What can go wrong between this program and the desktop.
///
/// Each case has one sentence a person can act on (`description`).
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
    /// The desktop answered with something that can't be understood; the value says what was missing.
    case unexpectedAnswer(String)
    /// The call was answered with an error; the name is D-Bus's, such as `org.freedesktop.DBus.Error.Failed`.
    case failed(name: String, message: String)
}

extension PortalError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .noBus(let message): "The desktop can't be asked: there is no session bus (\(message))."
        case .noPortal: "The desktop can't be asked: its portal (xdg-desktop-portal) is not running."
        case .unsupported(let name): "This desktop does not offer what is needed (\(name))."
        case .denied: "The desktop did not allow it."
        case .ended: "The desktop ended the request."
        case .cancelled: "The request was taken back."
        case .unexpectedAnswer(let detail): "The desktop's answer can't be understood (\(detail))."
        case .failed(_, let message): "The desktop answered with an error: \(message)"
        }
    }
}
