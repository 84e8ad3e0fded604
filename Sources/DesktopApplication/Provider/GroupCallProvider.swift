import Calling
import Signaling

/// Calls of several people ([groups.md](../../../docs/groups.md)).
@MainActor package protocol GroupCallProvider: AnyObject {
    /// Whether they are made and taken in this profile; false before the account is open.
    var takesGroupCalls: Bool { get async }
    /// Makes and takes them from now on, or none; contacts are told.
    func setTakesGroupCalls(_ isOn: Bool) async throws
    /// Calls several contacts, who see and hear each other. The person must be in no other call.
    func callTogether(_ contacts: [ContactItem], kind: CallKind) async throws -> any GroupCallSession
    /// Asks the contact of a call of two that is on whether these are added: if they join, it goes over into a call of several.
    func addPeople(_ contacts: [ContactItem], to call: any CallSession) async throws -> any GroupCallSession
    /// Comes back into the call of several that the person was in last, and that goes on.
    func returnToGroupCall() async throws -> any GroupCallSession
}

/// A call of several, as far as the windows use it. Its snapshots have a ``GroupSnapshot``.
@MainActor package protocol GroupCallSession: CallSession {
    /// A member's picture, once media is open: of its camera, or of the screen that it shares.
    func video(of member: MemberNumber) async -> (any VideoSource)?
    /// How loud a member speaks, in steps from 0 (silent) to 3, each time it is another one.
    func speakingSteps(of member: MemberNumber) async -> AsyncStream<Int>
    /// Makes a member louder or quieter here, until the call ends: 1 is as it comes.
    func setVolume(_ factor: Double, of member: MemberNumber) async
    /// Raises the own hand, or takes it down.
    func raiseHand(_ isRaised: Bool) async
    /// Puts a member out; only the host can.
    func remove(_ member: MemberNumber) async
    /// Invites one more contact.
    func invite(_ contact: ContactItem) async throws
    /// The code to compare with a member, and whether it was; nil before there is a way to them.
    func securityCheck(of member: MemberNumber) async -> SecurityCheck?
    /// Remembers that both people have compared this code, or with nil that they have not. Throws when another one holds by now.
    func setCompared(_ code: String?, of member: MemberNumber) async throws
}

extension GroupCallSession {
    /// Itself.
    package var several: (any GroupCallSession)? { self }
}

/// What is told of a call of several besides what is told of any call.
package struct GroupSnapshot: Sendable, Equatable {
    /// One of the others.
    package struct Member: Sendable, Equatable, Identifiable {
        /// Its number in the call.
        package let id: MemberNumber
        /// What it is called.
        package var name: String
        /// Who it is among the contacts; nil for somebody who was introduced by another member.
        package var contact: ContactItem?
        /// Where it stands.
        package var stage: GroupCallUpdate.MemberStage
        /// Whether it is the host.
        package var isHost = false
        /// Whether it was found to be somebody else than it said, and so is neither seen nor heard.
        package var isUntrusted = false
        /// Whether its microphone is on, as it says.
        package var microphone = true
        /// Whether its camera is on, as it says.
        package var camera = false
        /// Whether it shares its screen, in the camera's place, as it says.
        package var screen = false
        /// Whether it has raised its hand.
        package var hand = false
        /// How loud it is heard here: 1 is as it comes.
        package var volume = 1.0
        /// Whether the code was compared in this call with somebody who is no contact.
        package var isCompared = false

        /// Somebody about whom nothing else is known.
        package init(id: MemberNumber, name: String, stage: GroupCallUpdate.MemberStage) {
            (self.id, self.name, self.stage) = (id, name, stage)
        }

        /// Whether its code was compared, in this call or, of a contact, at any time.
        var hasComparedCode: Bool { contact?.isCompared ?? isCompared }
    }

    /// The own number.
    package var own: MemberNumber
    /// Whether the person here is the host.
    package var isHost = false
    /// Whether the own hand is raised.
    package var hasRaisedHand = false
    /// Whom the contact of the call of two that the person is in asks to add, or is asked; nil once both go over into this call, and
    /// for a call that has nothing to do with another one.
    package var adding: [String]?
    /// The most people that may be in.
    package var capacity = 4
    /// Whether others go on with it, now that it is over here.
    package var goesOn = false
    /// The others, by number.
    package var members: [Member]

    /// Whether it rings at somebody who is called. Within a call of two nothing rings.
    package var rings: Bool { adding == nil && members.contains { $0.stage == .ringing } }

    /// Whether the invitations of all who are called wait for relays that can't be reached.
    var waitsForRelays: Bool {
        let invited = members.filter(\.stage.isInvited)
        return adding == nil && !invited.isEmpty && invited.allSatisfy { $0.stage == .unreachable }
    }

    /// A call of these.
    package init(own: MemberNumber, members: [Member]) { (self.own, self.members) = (own, members) }
}
