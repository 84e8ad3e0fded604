import Media

/// The servers that help calls on their way.
@MainActor package protocol CallServerProvider: AnyObject {
    /// The servers as they are now, and whether calls go only through relays; nil before the account is open.
    func callServers() async -> CallServersItem?
    /// Adds a server, or changes the one at this address. With a password and no name it is a secret shared with the server.
    func addCallServer(_ address: String, name: String, password: String) async throws
    /// Forgets a server. Gives what takes that back.
    func removeCallServer(_ address: String) async throws -> Restoration
    /// Asks a server what a call would ask it; nil when there is none at this address any more. Throws `ServerTestError`.
    func testCallServer(_ address: String) async throws -> ServerTest.Answer?
    /// Lets calls go only through TURN servers, or every way.
    func setRelayOnly(_ isRelayOnly: Bool) async throws
    /// Has the person's relays asked in calls which address this machine has, or nobody.
    func setAsksRelays(_ asksRelays: Bool) async throws
}

/// The servers for calls as the window shows them.
package struct CallServersItem: Sendable, Equatable {
    /// One of them.
    package struct Server: Sendable, Equatable, Identifiable {
        /// Such as `turn:example.org:3478`.
        package let address: String
        /// How one logs in there.
        package let login: Login

        package var id: String { address }

        /// A server at this address.
        package init(address: String, login: Login) {
            self.address = address
            self.login = login
        }
    }

    /// How one logs in at a server.
    package enum Login: Sendable, Equatable {
        case none
        case user(String)
        case secret
    }

    /// All of them.
    package var servers: [Server]
    /// Whether calls go only through TURN servers.
    package var isRelayOnly: Bool
    /// Whether the person's relays are asked which address this machine has.
    package var asksRelays: Bool

    /// These servers.
    package init(servers: [Server] = [], isRelayOnly: Bool = false, asksRelays: Bool = false) {
        self.servers = servers
        self.isRelayOnly = isRelayOnly
        self.asksRelays = asksRelays
    }
}
