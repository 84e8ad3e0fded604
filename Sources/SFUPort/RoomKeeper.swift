import Cryptography
import MediaRules
import SFU
import SFURules
import Signaling

/// What the keeper of a room does when a member is removed from the call.
public enum RoomKeeper {
    /// How often it is tried, and how long to wait in between.
    private static let attempts = 3, pause: Duration = .seconds(2)

    /// Gives a room another lock, and puts all feeds out of it but those of these members: by what they know they can't come back. Gives the lock.
    ///
    /// `client` is connected if need be. Throws ``SFUError`` when the room keeps its lock. Who could not be put out stays until it goes, and
    /// receives what none of its keys opens; so does who stands there as a member that stays, as all members can make such names.
    public static func lock(
        _ room: SFUNumber, staying members: Set<UInt8>, feedsKey: SecretBytes, secret: SecretText,
        by client: SFURoomClient
    ) async throws(SFUError) -> SFURoomLock {
        let lock = SFURoomLock.random()
        try await change(room, secret: secret, to: lock, by: client)
        guard let all = try? await client.participants(of: room) else { return lock }
        for one in all {
            let name = FeedName(one.feed.display, feed: FeedID(one.feed.id), key: feedsKey)
            if name.map({ members.contains($0.member) }) ?? false { continue }
            try? await client.kick(one.feed.id, from: room, secret: lock.secret)
        }
        return lock
    }

    private static func change(
        _ room: SFUNumber, secret: SecretText, to lock: SFURoomLock, by client: SFURoomClient
    ) async throws(SFUError) {
        for attempt in 1... {
            do throws(SFUError) {
                return try await client.lockRoom(room, secret: secret, lock)
            } catch .wrongSecret where attempt > 1 {
                // Only the answer to the attempt before was lost.
                return
            } catch .lost where attempt < attempts {
                try? await Task.sleep(for: pause)
            }
        }
    }
}
