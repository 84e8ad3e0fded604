import DesktopApplication
import Media

// Pretended servers for calls.
extension FakeProvider {
    func callServers() async -> CallServersItem? { servers }

    func addCallServer(_ address: String, name: String, password: String) async throws {
        guard ["stun:", "turn:", "turns:"].contains(where: address.hasPrefix) else {
            throw Refusal("The address of a server for calls begins with stun:, turn: or turns:.")
        }
        let login: CallServersItem.Login = name.isEmpty ? password.isEmpty ? .none : .secret : .user(name)
        servers.servers = servers.servers.filter { $0.address != address } + [.init(address: address, login: login)]
    }

    func removeCallServer(_ address: String) async throws -> Restoration {
        let before = servers.servers
        servers.servers.removeAll { $0.address == address }
        return { [weak self] in self?.servers.servers = before }
    }

    /// Answers as a server would; one at “silent” does not.
    func testCallServer(_ address: String) async throws -> ServerTest.Answer? {
        guard let server = servers.servers.first(where: { $0.address == address }) else { return nil }
        try? await Task.sleep(for: pause)
        if address.contains("silent") { throw ServerTestError.silent(address) }
        return ServerTest.Answer(
            seen: "192.0.2.7:5000", relayed: server.login == .none ? nil : "198.51.100.2:6000", milliseconds: 12)
    }

    func setRelayOnly(_ isRelayOnly: Bool) async throws {
        servers.isRelayOnly = isRelayOnly
    }

    func setAsksRelays(_ asksRelays: Bool) async throws { servers.asksRelays = asksRelays }
}
