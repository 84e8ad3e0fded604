import MediaRules

// The servers that help calls on their way. They lie in the sealed store, since they may hold passwords.
extension Account {
    static let callServersName = "call-servers"

    /// The servers, and whether calls go only through relays.
    public nonisolated var callServers: CallServers { servers.value }

    /// Uses these from the next call on, and after the next start.
    /// - Throws: `AccountError.callServer`, `.tooManyCallServers`, `.store`.
    func setCallServers(_ wanted: CallServers) async throws(AccountError) {
        try wanted.check()
        let bytes = try wanted.encoded()
        try await inAgent { try await agent.setApplicationData(Self.callServersName, to: bytes) }
        servers.value = wanted
    }

    /// Adds a server, or changes the one of the same URL.
    /// - Throws: `AccountError.callServer`, `.tooManyCallServers`, `.store`.
    public func addCallServer(_ server: ICEServer) async throws(AccountError) {
        var changed = callServers
        changed.servers = changed.servers.filter { $0.url != server.url } + [server]
        try await setCallServers(changed)
    }

    /// Forgets the server of this URL.
    /// - Returns: What ``restore(_:)`` needs to take that back; nil when it was not among them.
    /// - Throws: `AccountError.store`.
    @discardableResult
    public func removeCallServer(_ url: String) async throws(AccountError) -> RemovedCallServer? {
        var changed = callServers
        guard let place = changed.servers.firstIndex(where: { $0.url == url }) else { return nil }
        let removed = RemovedCallServer(server: changed.servers[place], place: place)
        changed.servers.removeAll { $0.url == url }
        try await setCallServers(changed)
        return removed
    }

    /// Uses a server that was removed, again, in its old place. Nothing changes when it has been added anew.
    /// - Throws: `AccountError.tooManyCallServers`, `.store`.
    public func restore(_ removed: RemovedCallServer) async throws(AccountError) {
        var changed = callServers
        guard !changed.servers.contains(where: { $0.url == removed.server.url }) else { return }
        changed.servers.insert(removed.server, at: min(removed.place, changed.servers.count))
        try await setCallServers(changed)
    }

    /// Lets calls go only through TURN servers, or every way.
    /// - Throws: `AccountError.store`.
    public func setRelayOnly(_ isRelayOnly: Bool) async throws(AccountError) {
        var changed = callServers
        changed.isRelayOnly = isRelayOnly
        try await setCallServers(changed)
    }

    /// Has the own relays asked in a call which address this machine has, where no STUN server is set, or nobody.
    /// - Throws: `AccountError.store`.
    public func setAsksRelays(_ asksRelays: Bool) async throws(AccountError) {
        var changed = callServers
        changed.asksRelays = asksRelays
        try await setCallServers(changed)
    }

    /// Takes what is remembered, and what the configuration asks for, which is remembered from now on.
    func loadCallServers(_ configuration: AccountConfiguration) async throws {
        let kept = try await agent.applicationData(Self.callServersName)
        var wanted = try kept.map(CallServers.init(decoding:)) ?? CallServers()
        servers.value = wanted
        if let list = configuration.callServers { wanted.servers = list }
        if let isRelayOnly = configuration.relayOnly { wanted.isRelayOnly = isRelayOnly }
        if let asksRelays = configuration.asksRelays { wanted.asksRelays = asksRelays }
        servers.setRelays(relays)
        if wanted != servers.value { try await setCallServers(wanted) }
    }
}

/// A server that a person has removed, with its login and its place, so that they can have it back.
public struct RemovedCallServer: Sendable {
    fileprivate let server: ICEServer
    fileprivate let place: Int
}
