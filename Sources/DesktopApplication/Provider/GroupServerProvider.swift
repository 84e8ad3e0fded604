import Parley

/// The call server for calls of several.
@MainActor package protocol GroupServerProvider: AnyObject {
    /// The call server as it is now; nil without one, and before the account is open.
    func groupServer() async -> GroupServerItem?
    /// Uses the call server at this address, in place of another one; empty texts are keys that it does not want.
    func setGroupServer(_ address: String, roomKey: String, tokenSecret: String) async throws
    /// Forgets the call server. Gives what takes that back.
    func removeGroupServer() async throws -> Restoration
    /// Has all calls of several go over it, or only those of too many for another way.
    func setGroupServerAlwaysUsed(_ isAlwaysUsed: Bool) async throws
    /// Tries the call server: what has worked, one step after the other. It fails with the reason, and ends early when nobody reads on.
    func testGroupServer() async throws -> AsyncThrowingStream<GroupServerTest.Step, any Error>
}

/// The call server as the window shows it: not its keys.
package struct GroupServerItem: Sendable, Equatable {
    /// Such as `wss://calls.example.org/`.
    package var address: String
    /// Whether it wants a key for making rooms.
    package var hasRoomKey: Bool
    /// Whether tokens are made for it.
    package var hasTokenSecret: Bool
    /// Whether all calls of several go over it.
    package var isAlwaysUsed: Bool

    /// A call server at this address.
    package init(address: String, hasRoomKey: Bool, hasTokenSecret: Bool, isAlwaysUsed: Bool) {
        (self.address, self.hasRoomKey) = (address, hasRoomKey)
        (self.hasTokenSecret, self.isAlwaysUsed) = (hasTokenSecret, isAlwaysUsed)
    }
}

extension AsyncThrowingStream where Element == GroupServerTest.Step, Failure == any Error {
    /// The steps of a test that runs meanwhile, and is cancelled when nobody reads on.
    package init(
        testing test: @escaping @Sendable (@escaping @Sendable (GroupServerTest.Step) -> Void) async throws -> Void
    ) {
        self.init { continuation in
            let testing = Task {
                do {
                    try await test { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in testing.cancel() }
        }
    }
}
