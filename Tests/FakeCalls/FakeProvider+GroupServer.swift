import DesktopApplication
import SFU
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

    /// One at “keys” makes no rooms, and one at “silent” says nothing after it has been found.
    func testGroupServer() async throws -> AsyncThrowingStream<SFUTest.Step, any Error> {
        let (pause, text) = (pause, groupServerItem?.address ?? "")
        let address = try SFUAddress(parsing: text)
        let onEnd = onServerTestEnd
        return AsyncThrowingStream(testing: { report in
            defer { Task { @MainActor in onEnd() } }
            guard address.isSecure else { return try await SFUTest.run(address, keys: SFUKeys(), report: report) }
            let steps: [SFUTest.Step] = [
                .connected(milliseconds: 12), .found(version: "1.1.2"), .admitted, .roomMade, .joined, .roomDestroyed,
            ]
            for step in steps {
                try? await Task.sleep(for: pause)
                if step == .roomMade, text.contains("keys") { throw SFUError.mayNotMakeRooms }
                if step == .admitted, text.contains("silent") { try await Task.sleep(for: .seconds(3_600)) }
                report(step)
            }
        })
    }
}
