import Media
import MediaRules
import Parley

// Servers for the account's calls.
extension AccountProvider {
    func callServers() async -> CallServersItem? {
        guard let account = try? opened() else { return nil }
        return CallServersItem(account.callServers)
    }

    func addCallServer(_ address: String, name: String, password: String) async throws {
        let account = try opened()
        let isShared = name.isEmpty && !password.isEmpty
        let server =
            isShared
            ? ICEServer(url: address, secret: password)
            : ICEServer(
                url: address, username: name.isEmpty ? nil : name, credential: password.isEmpty ? nil : password)
        try await account.addCallServer(server)
    }

    func removeCallServer(_ address: String) async throws -> Restoration {
        let account = try opened()
        let removed = try await account.removeCallServer(address)
        return { if let removed { try await account.restore(removed) } }
    }

    func testCallServer(_ address: String) async throws -> ServerTest.Answer? {
        guard let server = try opened().callServers.servers.first(where: { $0.url == address }) else { return nil }
        return try await ServerTest.run(server)
    }

    func setRelayOnly(_ isRelayOnly: Bool) async throws { try await opened().setRelayOnly(isRelayOnly) }

    func setAsksRelays(_ asksRelays: Bool) async throws { try await opened().setAsksRelays(asksRelays) }
}

extension CallServersItem {
    /// The servers of an account.
    init(_ servers: CallServers) {
        self.init(
            servers: servers.servers.map { server in
                let login: Login = server.secret != nil ? .secret : server.username.map(Login.user) ?? .none
                return Server(address: server.url, login: login)
            }, isRelayOnly: servers.isRelayOnly, asksRelays: servers.asksRelays)
    }
}
