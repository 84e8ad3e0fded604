// The call server for calls of several. It lies in the sealed store, since what it wants to see are secrets.
extension Account {
    static let groupServerName = "group-server"

    /// The call server that calls of several go over which this person begins; nil without one.
    public nonisolated var groupServer: GroupServer? { groupServers.value }

    /// Uses this one from the next call on, and after the next start; nil: none. It is in place of what the configuration asked for.
    /// - Throws: `AccountError.textTooLong` for keys of more than 1,024 bytes, `.store`; then nothing has changed.
    public func setGroupServer(_ server: GroupServer?) async throws(AccountError) {
        try server?.check()
        let bytes = try server.map { server throws(AccountError) in try server.encoded() }
        try await inAgent { try await agent.setApplicationData(Self.groupServerName, to: bytes) }
        groupServers.value = server
        // More, or fewer, can be called together.
        listeners.send(.takesGroupCalls(groups.isOn))
    }

    /// The most people in a call of several that begins here: more with a call server.
    public nonisolated var mostInGroupCall: Int { groups.center.capacity }

    /// Tries a call server, be it the one that is set or not, by the STUN and TURN servers of calls, as ``GroupServerTest`` says.
    public nonisolated func testGroupServer(
        _ server: GroupServer, report: @Sendable (GroupServerTest.Step) -> Void
    ) async throws(GroupServerTest.Failure) {
        try await GroupServerTest.run(server, by: servers.forCall, report: report)
    }

    /// Takes what is remembered, or what the configuration asks for, for this run alone.
    func loadGroupServer(_ configuration: AccountConfiguration) async throws {
        let kept = try await agent.applicationData(Self.groupServerName)
        groupServers.value = try configuration.groupServer ?? kept.map(GroupServer.init(decoding:))
    }
}
