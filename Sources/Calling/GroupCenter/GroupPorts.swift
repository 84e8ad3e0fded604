import BaseKit
import Signaling

/// What group calls need from the messages' side.
public protocol GroupSignalingPort: Sendable {
    /// Hands a message over for sending; it returns when the message is kept safely. What is handed over for one peer is sent in that
    /// order. When the reader's device has it, tell the centre by ``GroupCallCenter/received(_:of:)``; of an invitation also when a relay
    /// has it, or it was given up, by ``GroupCallCenter/taken(_:of:)`` and ``GroupCallCenter/lost(_:of:)``. A message with the number of one
    /// that is still under way by the same way need not be sent again.
    /// - Throws: anything, when the message will not be sent.
    func send(_ message: GroupMessage, of call: CallID, to peer: GroupPeer, number: Int) async throws
    /// Makes a hidden connection for a line of a call, in the place of a former one to this member, and its one-time link.
    /// - Throws: anything, when there will be none.
    func makeLine(to member: MemberNumber, of call: CallID, as own: MemberNumber) async throws -> GroupLink
    /// Opens a member's link, in the place of a former line. What becomes of it comes by ``GroupCallCenter/line(_:_:of:)``.
    /// - Throws: anything, when there will be no line.
    func joinLine(_ link: GroupLink, to member: MemberNumber, of call: CallID, as own: MemberNumber) async throws
    /// Deletes a line; what was handed over before still goes out.
    func closeLine(to member: MemberNumber, of call: CallID) async
}

/// What group calls need from the media's side.
public protocol GroupMediaPort: Sendable {
    /// Opens devices. It is only ever called after the local person called or accepted.
    func open(_ plan: GroupMediaPlan) async throws -> any GroupMediaSession
}

/// What a group call opens.
public struct GroupMediaPlan: Sendable {
    /// The call.
    public let callID: CallID
    /// The own number.
    public let own: MemberNumber
    /// What is captured.
    public let media: CallMedia
    /// What own frames are sealed with at first.
    public let key: GroupKey

    /// Makes a plan.
    public init(callID: CallID, own: MemberNumber, media: CallMedia, key: GroupKey) {
        (self.callID, self.own, self.media, self.key) = (callID, own, media, key)
    }
}

/// The media of one group call.
public protocol GroupMediaSession: Sendable {
    /// What happens on paths, each with the number it was opened with, in order; it is read once.
    var events: AsyncStream<GroupMediaEvent> { get }
    /// Opens a path to a member, in the place of the former one, and makes its offer with the first candidates.
    func makeOffer(to member: MemberNumber, path: Int) async throws -> (SessionDescription, [ICECandidate])
    /// The same for a member's offer, with the answer.
    func makeAnswer(to offer: GroupDescription, from member: MemberNumber) async throws -> (
        SessionDescription, [ICECandidate]
    )
    /// Applies a member's answer.
    func apply(_ answer: GroupDescription, from member: MemberNumber) async throws
    /// Adds candidates of a member.
    func add(_ candidates: [ICECandidate], from member: MemberNumber, path: Int) async
    /// Closes the path to a member, if there is one.
    func closePath(to member: MemberNumber) async
    /// Enters a room with the own media, in the place of another one. What happens there comes with the room's number.
    func enter(_ room: GroupRoom) async throws
    /// Goes on in the room that was entered with the token and the PIN that it has now.
    func useAccess(of room: GroupRoom) async
    /// Leaves the room, if there is one; paths stay.
    func leaveRoom() async
    /// Seals own frames with this key from now on.
    func use(_ key: GroupKey) async
    /// Opens a member's frames with this key.
    func give(_ key: GroupKey, of member: MemberNumber) async
    /// Opens nothing more of a member.
    func dropKeys(of member: MemberNumber) async
    /// Closes devices and paths. It may come at any time, also while another function is running.
    func close() async
}

/// What the media of a group call tell.
public enum GroupMediaEvent: Sendable {
    /// Something happened on the path of this number.
    case path(MemberNumber, Int, GroupPathInput)
    /// Something happened in the room of this number.
    case room(Int, GroupRoomInput)
    /// The room of this number can't be entered.
    case roomFailed(Int, Cause)
    /// Nothing goes on.
    case failed(Cause)
}

/// What calls of several need from the own call server.
public protocol GroupRoomPort: Sendable {
    /// When calls go over it.
    var use: GroupServerUse { get }
    /// Makes a room, with its secret and a key for the names of its feeds. It is only ever called after the local person called or accepted.
    /// - Throws: anything, when there will be none.
    func make(_ number: Int) async throws -> GroupRoom
    /// Another token for a room that was made here, good for as long as the first; nil where there is none to be made.
    func renewToken(for room: GroupRoom) async -> SecretText?
    /// Gives a room of which the secret is known another PIN and another secret, and puts all out of it but these members.
    /// - Throws: anything, when the room stays as it is.
    func lock(
        _ room: GroupRoom, staying members: Set<MemberNumber>
    ) async throws -> (pin: SecretText, secret: SecretText)
    /// Closes a room of which the secret is known, as far as that is possible.
    func close(_ room: GroupRoom) async
}

/// No call server.
public struct NoRooms: GroupRoomPort {
    /// Nothing makes a room here.
    struct Unavailable: Error {}

    /// None.
    public init() {}

    public var use: GroupServerUse { .never }
    public func make(_ number: Int) async throws -> GroupRoom { throw Unavailable() }
    public func renewToken(for room: GroupRoom) async -> SecretText? { nil }
    public func lock(
        _ room: GroupRoom, staying members: Set<MemberNumber>
    ) async throws -> (pin: SecretText, secret: SecretText) { throw Unavailable() }
    public func close(_ room: GroupRoom) async {}
}
