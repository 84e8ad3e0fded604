import DesktopApplication
import MediaRules
import Parley
import SFURules

// A pretended call server. One on this machine (ws://…) is really tried.
extension FakeProvider {
    func groupServer() async -> GroupServerItem? { groupServerItem }

    func setGroupServer(_ address: String, roomKey: String, tokenSecret: String) async throws {
        groupServerItem = GroupServerItem(
            address: try SFUAddress(parsing: address).text, hasRoomKey: !roomKey.isEmpty,
            hasTokenSecret: !tokenSecret.isEmpty, isAlwaysUsed: groupServerItem?.isAlwaysUsed ?? false)
    }

    func removeGroupServer() async throws -> Restoration {
        let before = groupServerItem
        groupServerItem = nil
        return { [weak self] in self?.groupServerItem = before }
    }

    func setGroupServerAlwaysUsed(_ isAlwaysUsed: Bool) async throws { groupServerItem?.isAlwaysUsed = isAlwaysUsed }

    /// One at “keys” makes no rooms, one at “blocked” lets no media through, and one at “silent” says nothing after it has been found.
    func testGroupServer() async throws -> AsyncThrowingStream<GroupServerTest.Step, any Error> {
        let (pause, text) = (pause, groupServerItem?.address ?? "")
        let address = try SFUAddress(parsing: text)
        let onEnd = onServerTestEnd
        return AsyncThrowingStream(testing: { report in
            defer { Task { @MainActor in onEnd() } }
            guard address.isSecure else {
                return try await GroupServerTest.run(GroupServer(address: address), report: report)
            }
            let path = MediaPath(local: .host, remote: .host)
            let steps: [GroupServerTest.Step] = [
                .server(.connected(milliseconds: 12)), .server(.found(version: "1.1.2")), .server(.admitted),
                .server(.roomMade), .server(.joined), .media(.sent(path)), .media(.received(path)),
                .server(.roomDestroyed),
            ]
            for step in steps {
                try? await Task.sleep(for: pause)
                switch step {
                case .server(.roomMade) where text.contains("keys"):
                    throw GroupServerTest.Failure.server(.mayNotMakeRooms)
                case .server(.admitted) where text.contains("silent"): try await Task.sleep(for: .seconds(3_600))
                // The room is closed in any case.
                case .media where text.contains("blocked"): continue
                default: break
                }
                report(step)
            }
            if text.contains("blocked") { throw GroupServerTest.Failure.trial(.notReached) }
        })
    }
}
