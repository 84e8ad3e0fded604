import BaseKit
import Signaling

/// What becomes of an invitation to a group call, before anything of it is anybody's call.
///
/// An invitation older than 180 seconds does not ring; it is noted as missed, without a reply. One that waited at the relay rings once
/// everything was read that waited behind it, unless it was taken back there. During another call, and while the person takes no calls,
/// who invites is told so. Who invites too often is only counted.
///
/// An invitation that names the very call of two that the person is in with who invites is a question within that call, and rings
/// nowhere. One that names another call is like any other.
struct GroupDoor: Sendable {
    /// An invitation that has come in.
    struct Arrival: Sendable, Equatable {
        let callID: CallID
        let contact: ContactID
        let invitation: GroupInvitation
        /// When it came in, in seconds since 1970.
        let arrivedAt: Int64
    }

    /// What is to be done.
    enum Verdict: Sendable, Equatable {
        case ring
        /// The contact of the call of two that the person is in asks whether both go over into this one.
        case ask
        /// It waits for the rest of the mailbox.
        case hold
        /// It does not ring, for this reason; `tells`: whether the inviter is told that the person is busy.
        case miss(CallEndReason, tells: Bool)
        case reject(MessageRejection)
    }

    /// What the person does besides.
    struct Occupation: Sendable, Equatable {
        /// Whether there is any other call.
        var hasCall: Bool
        /// Whether the person takes no calls.
        var isBusy: Bool
        /// The call of two that the person is in, where it is the only one.
        var talk: CallOfTwo?
    }

    /// How old an invitation may be (Calls fact sheet §4, as for calls of two).
    static let oldest: Duration = .seconds(180)

    private var held: [Arrival] = []
    private var budget = ContactBudget.ringing

    private static let mostHeld = 8

    /// - Parameter age: how long ago the relay took it.
    mutating func receive(
        _ arrival: Arrival, age: Duration, isLive: Bool, _ occupation: Occupation, at now: Instant
    ) -> Verdict {
        guard !held.contains(where: { $0.callID == arrival.callID }) else { return .reject(.duplicate) }
        guard budget.admits(arrival.contact, at: now) else { return .reject(.tooOften) }
        guard age <= Self.oldest else { return .miss(.missed, tells: false) }
        guard isLive else {
            guard held.count < Self.mostHeld else { return .reject(.tooMany) }
            held.append(arrival)
            return .hold
        }
        return Self.verdict(arrival, occupation)
    }

    /// What becomes of one that is not too old, once nothing waits behind it.
    static func verdict(_ arrival: Arrival, _ occupation: Occupation) -> Verdict {
        if let talk = occupation.talk, let origin = arrival.invitation.origin, origin.call == talk.callID,
            arrival.contact == talk.contact
        {
            return .ask
        }
        if occupation.isBusy { return .miss(.missedInBusyMode, tells: true) }
        return occupation.hasCall ? .miss(.missedWhileBusy, tells: true) : .ring
    }

    /// The contact takes back what waits; gives what that was.
    mutating func takeBack(_ call: CallID, by contact: ContactID) -> Arrival? {
        guard let index = held.firstIndex(where: { $0.callID == call && $0.contact == contact }) else { return nil }
        return held.remove(at: index)
    }

    /// Everything was read that waited at the relay for a contact: gives its newest invitation, and those that it makes void.
    mutating func caughtUp(with contact: ContactID) -> (newest: Arrival, others: [Arrival])? {
        let all = held.filter { $0.contact == contact }
        held.removeAll { $0.contact == contact }
        guard let newest = all.last else { return nil }
        return (newest, Array(all.dropLast()))
    }

    /// A call that the person takes costs nothing.
    mutating func accepted(_ contact: ContactID) { budget.giveBack(contact) }
}
