import Signaling

/// Where a group call stands. The name says who has consented.
public enum GroupCallStage: String, Sendable, Hashable, CaseIterable {
    /// Begun here; nobody has joined.
    case callingWithOwnConsent
    /// Somebody calls; nothing is opened, resolved or contacted.
    case ringingWithoutConsent
    /// Accepted, or come back; nobody is heard yet.
    case acceptedJoining
    /// It is on.
    case acceptedOn
    /// It was on, and nobody is heard.
    case acceptedReturning
    /// Over.
    case ended

    /// Whether the person here takes part.
    public var hasLocalConsent: Bool {
        switch self {
        case .callingWithOwnConsent, .acceptedJoining, .acceptedOn, .acceptedReturning: true
        case .ringingWithoutConsent, .ended: false
        }
    }
}

/// Why a group call is over.
public enum GroupCallEndReason: String, Error, Sendable, Hashable, CaseIterable {
    /// The person left.
    case hungUp
    /// The person took it back before anybody joined.
    case cancelled
    /// The person declined.
    case declined
    /// Nobody answered here in time, or the invitation was taken back.
    case missed
    /// Nobody who was invited joined.
    case nobodyJoined
    /// No relay of anybody who was called took the invitation.
    case nobodyReached
    /// It did not come about in time.
    case connectTimeout
    /// Nobody was heard any more, and it did not come back.
    case connectionLost
    /// Nobody else was left for a while.
    case alone
    /// The others have ended it.
    case over
    /// The host put this member out.
    case removed
}

/// Why nobody can be invited.
public enum GroupCallRefusal: Error, Sendable, Hashable {
    /// More than four need a call server.
    case needsServer
    /// There are as many as there can be.
    case full
    /// The call is not on, or this contact is in it.
    case notNow
}

/// The clocks of a group call.
public enum GroupTimer: Hashable, Sendable {
    /// It rings here.
    case ringing
    /// A contact that was invited has not answered.
    case invitation(MemberNumber)
    /// No relay has the invitation of a contact yet.
    case relay(MemberNumber)
    /// Nobody is heard after having accepted.
    case joining
    /// Nobody has let this member come back.
    case rejoin
    /// Nobody else is in.
    case alone
    /// Nobody is heard any more.
    case returning
    /// A member is not heard.
    case silence(MemberNumber)
    /// Not everybody has confirmed the next key.
    case rotation
    /// Something is to be confirmed or asked for again.
    case again
    /// A line has not come up.
    case line(MemberNumber)
    /// A path is not heard.
    case path(MemberNumber)
    /// The host has not given a number to somebody whom this member wants to invite.
    case ask
    /// A room is not made or entered yet, or is to be tried again.
    case room
    /// The server of the room is not heard.
    case roomLost
    /// The token for the room's server runs out before long.
    case token
    /// So few are in that they need no room.
    case calm
    /// The call goes directly again, and the room is still there.
    case retreat
    /// A member comes by the room and directly.
    case overlap(MemberNumber)
}

/// Periods of a group call; all are ours (docs/groups.md).
enum GroupTiming {
    static let ringing: Duration = .seconds(60)
    /// As in a call of two.
    static let relay = CallTiming.relay
    static let joining: Duration = .seconds(30)
    static let rejoin: Duration = .seconds(10)
    static let alone: Duration = .seconds(60)
    static let returning: Duration = .seconds(40)
    static let silence: Duration = .seconds(40)
    static let rotation: Duration = .seconds(1)
    static let rotationAfterRemoval: Duration = .milliseconds(500)
    static let again: Duration = .seconds(4)
    static let line: Duration = .seconds(15)
    static let path: Duration = .seconds(8)
    static let ask: Duration = .seconds(10)
    static let room: Duration = .seconds(20)
    static let roomLost: Duration = .seconds(10)
    static let (roomPause, longestRoomPause): (Duration, Duration) = (.seconds(2), .seconds(32))
    /// A token is good for 12 hours; another one is made so long after it, and asked for again where there was none.
    static let (token, tokenPause): (Duration, Duration) = (.seconds(11 * 3_600), .seconds(300))
    static let overlap: Duration = .seconds(5)
    static let retreat: Duration = .seconds(10)
    static let calm: Duration = .seconds(20)
    /// How often a member that others have given up comes back by itself.
    static let mostReturns = 3
    /// Members that reach each other directly.
    static let meshCapacity = 4
}
