/// What went wrong with a relay (TURN) server.
public enum RelayServerError: Error, Equatable, Sendable {
    /// The name of the host leads nowhere. (host)
    case unknownHost(String)
    /// Nobody answers there. (host and port, the system's reason)
    case unreachable(String, reason: String)
    /// The server's certificate is not good for its name. (host and port, OpenSSL's reason)
    case certificate(String, reason: String)
    /// TLS could not be agreed on. (host and port, OpenSSL's reason)
    case handshake(String, reason: String)
    /// The file with certificate authorities can't be used. (path)
    case authorities(String)
    /// No way into the tunnel could be opened on this machine. (the system's reason)
    case local(String)
    /// No server gave a relayed address in time. (hosts and ports)
    case noCandidates([String])
    /// Calls are to go only through relays, and there is none among the servers.
    case noneConfigured
}
