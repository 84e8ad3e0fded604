import Portal

/// What can go wrong when the running Parley is asked for something.
package enum ServiceError: Error, Equatable, Sendable {
    /// It does not run.
    case notRunning
    /// It does not run, and the session does not know how to start it.
    case notInstalled
    /// The session could not start it; the value is the bus's message.
    case startFailed(String)
    /// It was told to end and has not in time.
    case stillRunning
    /// It will not, for this reason.
    case refused(CallRefusal)
    /// It ended before it answered.
    case ended
    /// It answered with something that can't be understood; the value is the name, in D-Bus's terms, of what was missing.
    case unexpectedAnswer(String)
    /// The bus can't be used.
    case bus(PortalError)

    /// What a call over the bus failed with.
    init(_ error: PortalError) {
        switch error {
        case .noPortal: self = .notRunning
        case .ended: self = .ended
        case .unexpectedAnswer(let detail): self = .unexpectedAnswer(detail)
        case .failed(let name, _):
            let refusal = name.hasPrefix(CallRefusal.prefix) ? name.dropFirst(CallRefusal.prefix.count) : ""
            self = CallRefusal(rawValue: String(refusal)).map { .refused($0) } ?? .bus(error)
        case .noBus, .unsupported, .denied, .cancelled, .notCarried: self = .bus(error)
        }
    }
}
