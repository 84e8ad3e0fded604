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
