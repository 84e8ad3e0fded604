import Parley
import SFURules
import Signaling

// The call server of the account.
extension AccountProvider {
    func groupServer() async -> GroupServerItem? { (try? opened())?.groupServer.map(GroupServerItem.init) }

    func setGroupServer(_ address: String, roomKey: String, tokenSecret: String) async throws {
        let account = try opened()
        let keys = SFUKeys(
            roomKey: roomKey.isEmpty ? nil : SecretText(roomKey),
            tokenSecret: tokenSecret.isEmpty ? nil : SecretText(tokenSecret))
        try await account.setGroupServer(
            GroupServer(
                address: try SFUAddress(parsing: address), keys: keys,
                isAlwaysUsed: account.groupServer?.isAlwaysUsed ?? false))
    }

    func removeGroupServer() async throws -> Restoration {
        let account = try opened()
        let removed = account.groupServer
        try await account.setGroupServer(nil)
        // One that was set meanwhile stays.
        return { if account.groupServer == nil { try await account.setGroupServer(removed) } }
    }

    func setGroupServerAlwaysUsed(_ isAlwaysUsed: Bool) async throws {
        let account = try opened()
        guard var server = account.groupServer else { return }
        server.isAlwaysUsed = isAlwaysUsed
        try await account.setGroupServer(server)
    }

    func testGroupServer() async throws -> AsyncThrowingStream<GroupServerTest.Step, any Error> {
        let account = try opened()
        let server = account.groupServer
        return AsyncThrowingStream(testing: { report in
            if let server { try await account.testGroupServer(server, report: report) }
        })
    }
}

extension GroupServerItem {
    /// The call server of an account.
    init(_ server: GroupServer) {
        self.init(
            address: server.address.text, hasRoomKey: server.keys.roomKey != nil,
            hasTokenSecret: server.keys.tokenSecret != nil, isAlwaysUsed: server.isAlwaysUsed)
    }
}
