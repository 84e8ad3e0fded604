import BaseKit

/// The keys of all other members of a group call, by number.
///
/// Every frame of a member is opened here, on whichever way it came: on each way once, and none that is far behind what came by any. Which
/// of several ways counts is for ``PictureOrder`` and ``SoundOrder`` to say. Not `Sendable`: it holds cipher contexts for one thread at a
/// time.
package struct KeyRing {
    private let call: [UInt8]
    private var members: [UInt8: MemberKeys] = [:]
    /// How many keys were given.
    private var given = 0

    /// For the call with this identifier of 16 bytes.
    package init(call: [UInt8]) throws(GroupFrameError) {
        guard call.count == GroupFrameCipher.callSize else { throw .invalidKey }
        self.call = call
    }

    /// The epoch and step of a member that are known last; nil without a key.
    package func newest(of member: UInt8) -> (epoch: UInt8, step: UInt8)? { members[member]?.newest }

    /// A member has given its key.
    package mutating func give(_ key: GroupFrameKey, of member: UInt8, now: Instant) throws(GroupFrameError) {
        guard member > 0 else { throw .invalidKey }
        given += 1
        try members[member, default: MemberKeys(member: member, call: call)].give(key, generation: given, now: now)
    }

    /// Forgets all keys of a member that is no longer in the call.
    package mutating func remove(_ member: UInt8) { members[member] = nil }

    /// Forgets the keys whose time is over.
    package mutating func expire(now: Instant) { for member in members.keys { members[member]?.expire(now: now) } }

    /// Writes the plain form of a frame that came from `member` by a `way` to `output`, which has `frame.count - GroupFrameCipher.overhead` bytes,
    /// and gives what it is of the member's streams.
    ///
    /// When this throws, `output` holds nothing of use and must not be passed on.
    package mutating func open(
        _ frame: UnsafeRawBufferPointer, from member: UInt8, by way: Int = 0,
        into output: UnsafeMutableRawBufferPointer, now: Instant
    ) throws(GroupFrameError) -> FramePlace {
        let trailer = try GroupFrameTrailer(endOf: frame)
        guard trailer.member == member else { throw .foreignMember }
        guard let place = try members[member]?.open(frame, trailer, by: way, into: output, now: now) else {
            throw .unknownKey
        }
        return place
    }

    /// The plain form of a frame that came from `member`.
    package mutating func open(
        _ frame: [UInt8], from member: UInt8, by way: Int = 0, now: Instant
    ) throws(GroupFrameError) -> [UInt8] {
        guard frame.count >= GroupFrameCipher.overhead else { throw .tooShort }
        var output = [UInt8](repeating: 0, count: frame.count - GroupFrameCipher.overhead)
        let result = frame.withUnsafeBytes { frame in
            output.withUnsafeMutableBytes { output in
                Result { () throws(GroupFrameError) in try open(frame, from: member, by: way, into: output, now: now) }
            }
        }
        _ = try result.get()
        return output
    }
}
