/// The servers that help calls on their way.
@MainActor protocol CallServerProvider: AnyObject {
    /// The servers as they are now, and whether calls go only through relays; nil before the account is open.
    func callServers() async -> CallServersItem?
    /// Adds a server, or changes the one at this address. With a password and no name it is a secret shared with the server.
    func addCallServer(_ address: String, name: String, password: String) async throws
    /// Forgets a server.
    func removeCallServer(_ address: String) async throws
    /// Lets calls go only through TURN servers, or every way.
    func setRelayOnly(_ isRelayOnly: Bool) async throws
}

/// The servers for calls as the window shows them.
struct CallServersItem: Sendable, Equatable {
    /// One of them.
    struct Server: Sendable, Equatable {
        /// Such as `turn:example.org:3478`.
        let address: String
        /// How one logs in there.
        let login: Login
    }

    /// How one logs in at a server.
    enum Login: Sendable, Equatable {
        case none
        case user(String)
        case secret
    }

    /// All of them.
    var servers: [Server] = []
    /// Whether calls go only through TURN servers.
    var isRelayOnly = false
}
