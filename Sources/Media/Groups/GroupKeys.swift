import BaseKit
import MediaRules

/// The keys of one group call, for all its chains: with the own one frames are sealed, with the other members' they are opened.
final class GroupKeys: Sendable {
    private struct Own: Sendable {
        var key: GroupFrameKey
        /// Another number for each key.
        var generation = 0
        var counters = GroupFrameCounters()
    }

    let call: [UInt8]
    /// The own number.
    let member: UInt8
    private let own: Lock<Own>
    private let ring: LockedRing

    /// Throws ``GroupFrameError/invalidKey`` for a call or member that there can't be.
    init(call: [UInt8], member: UInt8, key: GroupFrameKey) throws(GroupFrameError) {
        _ = try GroupFrameCipher(key, member: member, call: call)
        (self.call, self.member) = (call, member)
        own = Lock(Own(key: key))
        ring = try LockedRing(call: call)
    }

    /// Seals with another key from here on.
    func use(_ key: GroupFrameKey) {
        own.withLock { own in
            own.key = key
            own.generation += 1
        }
    }

    /// What the next frame of a stream is sealed with.
    func next(of stream: GroupStream) throws(GroupFrameError) -> (key: GroupFrameKey, generation: Int, counter: UInt32)
    {
        try own.withLock { own throws(GroupFrameError) in
            (own.key, own.generation, try own.counters.next(of: stream))
        }
    }

    /// A member has given its key.
    func give(_ key: GroupFrameKey, of member: UInt8) throws(GroupFrameError) {
        let now = Instant.now
        try ring.attempt { ring throws(GroupFrameError) in try ring.give(key, of: member, now: now) }
    }

    /// Forgets a member's keys.
    func remove(_ member: UInt8) { ring.with { $0.remove(member) } }

    /// Forgets keys whose time is over.
    func expire() {
        let now = Instant.now
        ring.with { $0.expire(now: now) }
    }

    /// The epoch and step of a member that are known last.
    func newest(of member: UInt8) -> (epoch: UInt8, step: UInt8)? { ring.with { $0.newest(of: member) } }

    /// Opens a frame of a member that came by a way; `output` has `frame.count - GroupFrameCipher.overhead` bytes.
    func open(
        _ frame: UnsafeRawBufferPointer, from member: UInt8, by way: Int, into output: UnsafeMutableRawBufferPointer
    ) throws(GroupFrameError) -> FramePlace {
        let now = Instant.now
        return try ring.attempt { ring throws(GroupFrameError) in
            try ring.open(frame, from: member, by: way, into: output, now: now)
        }
    }
}

/// The keys of the other members, which several streaming threads ask.
///
/// Unchecked: the ring is only touched under the lock.
private final class LockedRing: @unchecked Sendable {
    private let lock = Lock(())
    private var ring: KeyRing

    init(call: [UInt8]) throws(GroupFrameError) { ring = try KeyRing(call: call) }

    func attempt<Result: Sendable>(
        _ body: (inout KeyRing) throws(GroupFrameError) -> Result
    ) throws(GroupFrameError) -> Result {
        try lock.withLock { _ throws(GroupFrameError) in try body(&ring) }
    }

    func with<Result: Sendable>(_ body: (inout KeyRing) -> Result) -> Result { lock.withLock { _ in body(&ring) } }
}
