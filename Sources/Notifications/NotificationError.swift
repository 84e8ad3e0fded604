import Portal

/// Why a notification can't be shown.
package enum NotificationError: Error, Equatable, Sendable {
    /// Nobody on the bus shows notifications.
    case noServer
    /// The bus or the server went while it was asked, or did not answer in time.
    case ended
    /// The server's answer makes no sense.
    case unexpectedAnswer
    /// The server, or the bus, said no.
    case refused(PortalError)

    init(_ error: PortalError) {
        switch error {
        case .noPortal, .noBus: self = .noServer
        case .ended: self = .ended
        case .unexpectedAnswer: self = .unexpectedAnswer
        default: self = .refused(error)
        }
    }
}
