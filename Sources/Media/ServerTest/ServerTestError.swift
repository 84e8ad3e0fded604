import MediaRules

/// Why a STUN or TURN server is of no use now.
public enum ServerTestError: Error, Equatable, Sendable {
    /// It can't be used as it is written.
    case server(ICEServerError)
    /// There is no way to it, or none that is safe.
    case way(RelayServerError)
    /// It does not answer. (host and port)
    case silent(String)
    /// It does not take the user name or the password. (host and port)
    case loginRefused(String)
    /// It refuses something else. (host and port, the number of the error, the server's reason)
    case refused(String, Int, reason: String)
    /// Its answer can't be understood. (host and port)
    case malformed(String)
}

extension ServerTestError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .server(let error): error.description
        case .way(let error): error.description
        case .silent(let place): "The server \(place) does not answer: check address, port and firewall."
        case .loginRefused(let place): "The server \(place) refuses the user name or password: check them."
        case .refused(let place, let code, let reason):
            "The server \(place) refuses to work (error \(code)\(reason.isEmpty ? "" : ", “\(reason)”"))."
        case .malformed(let place): "The answer of \(place) can't be understood: it may be no STUN or TURN server."
        }
    }
}
