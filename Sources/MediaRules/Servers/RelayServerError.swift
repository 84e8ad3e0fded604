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

extension RelayServerError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .unknownHost(let host): "The relay server \(host) is unknown: check its name."
        case .unreachable(let place, let reason): "The relay server \(place) can't be reached: \(reason)."
        case .certificate(let place, let reason):
            "The relay server \(place) was not used: its certificate is not to be trusted (\(reason))."
        case .handshake(let place, let reason):
            "The relay server \(place) was not used: no secure connection could be made (\(reason))."
        case .authorities(let path): "The file with certificate authorities \(path) can't be used."
        case .local(let reason): "The way to the relay server could not be prepared on this computer: \(reason)."
        case .noCandidates(let places):
            "No relay server gave an address for the call (\(places.joined(separator: ", "))): check address, user name and password."
        case .noneConfigured: "Calls are to go only through a relay server, and none is set up: add a TURN server."
        }
    }
}
