import Portal

/// Why nothing can be announced or found in this network.
public enum DiscoveryError: Error, Equatable, Sendable {
    /// There is no Avahi on this machine, or it does not run.
    case noService
    /// It answered with an error. (the name, such as `org.freedesktop.Avahi.TimeoutError`)
    case failed(String)
    /// It answered with something that can't be understood.
    case unexpectedAnswer

    init(_ error: PortalError) {
        switch error {
        case .noBus, .noPortal, .unsupported, .ended, .cancelled, .denied, .notCarried: self = .noService
        case .unexpectedAnswer: self = .unexpectedAnswer
        case .failed(let name, _): self = .failed(name)
        }
    }
}
