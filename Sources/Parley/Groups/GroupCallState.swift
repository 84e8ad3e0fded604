import BaseKit
import Calling
import MediaRules
import Signaling

/// What is shown of a group call at one moment.
public struct GroupCallState: Sendable, Equatable {
    /// Somebody else in it, or who is called.
    public struct Member: Sendable, Equatable, Identifiable {
        /// Its number in the call.
        public let number: MemberNumber
        /// What it is called: a contact as it is called here, others as whoever invited them says.
        public let name: String
        /// The contact; nil for somebody who was introduced by another member.
        public let contact: ContactID?
        /// Where it stands.
        public let stage: GroupCallUpdate.MemberStage
        /// Whether it is the host.
        public let isHost: Bool
        /// Whether it was found to be somebody else than it said, and so is neither seen nor heard.
        public let isUntrusted: Bool
        /// Whether it comes by the room on a call server.
        public let isByRoom: Bool
        /// What of it is on and whom it has met, as it says.
        public let shows: GroupState
        /// Which key its frames are opened with; nil before it has given one.
        public let key: GroupCallSnapshot.KeyMark?
        /// Whether the code was compared in this call with somebody who is no contact.
        public fileprivate(set) var isCompared = false

        public var id: MemberNumber { number }
    }

    /// Where the call stands.
    public let stage: GroupCallStage
    /// The others, by number.
    public private(set) var members: [Member]
    /// The own number.
    public let own: MemberNumber
    /// Whether the person here is the host.
    public let isHost: Bool
    /// What it carries.
    public let media: CallMedia
    /// Which key own frames are sealed with; nil before media are open.
    public let key: GroupCallSnapshot.KeyMark?
    /// How far the room on a call server is; nil where there is none.
    public let room: GroupCallUpdate.RoomStage?
    /// Why that room could not be made or entered last.
    public let roomFailure: Cause?
    /// The most people that may be in.
    public let capacity: Int
    /// Why it is over; nil before.
    public let reason: GroupCallEndReason?
    /// Whom the contact of the call of two that the person is in is asked to add, or asks to; nil once that is agreed, and for a call that grows
    /// out of no other. It stays where the answer was no.
    public let adding: [String]?
    /// Whether the own microphone is on.
    public var microphoneEnabled = true
    /// Whether the own camera is on.
    public var cameraEnabled: Bool
    /// Whether the own screen is shared.
    public var screenSharing = ScreenSharing.off
    /// Whether the own hand is raised.
    public var hasRaisedHand = false
    /// How loud members are heard here, where that was changed; 1 is as they come.
    public var volumes: [MemberNumber: Double] = [:]
    /// The devices in use; without those that a test picture, a file or nothing stands for.
    public var devices = DevicesInUse()
    /// How many cameras could be used.
    public var cameraCount = 0
    /// Whether the own microphone, though on, gives no sound.
    public var isMicrophoneSilent = false
    /// Whether the system (the desktop's mixer, a key) has muted the own microphone, so that nothing of it is heard. Others are told that
    /// it is off.
    public var isMicrophoneMutedBySystem = false
    /// Whom the person here has met, as it is told to the others.
    var meetings = GroupMeetings()
    /// What is missing or went wrong without ending the call.
    public var notices: [MediaNotice] = []

    /// Whether others go on with it, now that it is over here.
    public var goesOn = false
    /// Whether the person lets it ring on unheard.
    public var isIgnored = false
    /// Whether it is to ring.
    public var isRinging: Bool { stage == .ringingWithoutConsent }

    /// What the others are told of this side.
    var shown: GroupState {
        GroupState(
            microphone: microphoneEnabled && !isMicrophoneMutedBySystem, camera: cameraEnabled,
            screen: screenSharing.isOn, hand: hasRaisedHand,
            heard: meetings.heard, seen: meetings.seen)
    }

    /// Who says whether it wants our large pictures by a call server, by number.
    var largeWishes: [UInt8: Bool] {
        members.reduce(into: [:]) { $0[$1.number.value] = $1.shows.large }
    }

    /// Whose pictures are of a shared screen, by number.
    var screens: Set<UInt8> { Set(members.filter(\.shows.screen).map(\.number.value)) }

    /// - Parameters:
    ///   - name: what a contact is called here.
    ///   - former: the state before, whose switches stay.
    init(_ snapshot: GroupCallSnapshot, former: GroupCallState? = nil, name: (ContactID) -> String?) {
        let update = snapshot.update
        stage = update.stage
        members = update.members.map { member in
            let contact = snapshot.contacts[member.number]
            return Member(
                number: member.number, name: contact.flatMap(name) ?? member.name.text, contact: contact,
                stage: member.stage, isHost: member.isHost, isUntrusted: member.isUntrusted,
                isByRoom: member.isByRoom, shows: member.state,
                key: snapshot.keys[member.number])
        }
        adding =
            switch update.stage {
            case .callingWithOwnConsent, .ringingWithoutConsent: snapshot.origin?.adding.map(\.text)
            case .ended: former?.adding
            case .acceptedJoining, .acceptedOn, .acceptedReturning: nil
            }
        goesOn = update.goesOn
        (room, roomFailure, capacity) = (update.room, snapshot.roomFailure, update.capacity)
        (own, isHost, media, key, reason) = (update.own, update.isHost, update.media, snapshot.ownKey, update.reason)
        cameraEnabled =
            former.map { $0.cameraEnabled && !($0.media == .video && update.media == .audio) }
            ?? (update.media == .video)
        guard let former else { return }
        for member in former.members where member.isCompared { mark(member.number, compared: true) }
        (microphoneEnabled, hasRaisedHand, notices) = (former.microphoneEnabled, former.hasRaisedHand, former.notices)
        (volumes, isIgnored, screenSharing) = (former.volumes, former.isIgnored, former.screenSharing)
        meetings = former.meetings
        (devices, cameraCount, isMicrophoneSilent) = (former.devices, former.cameraCount, former.isMicrophoneSilent)
        isMicrophoneMutedBySystem = former.isMicrophoneMutedBySystem
    }

    /// Notes whether the code of a member was compared.
    mutating func mark(_ member: MemberNumber, compared isCompared: Bool) {
        guard let index = members.firstIndex(where: { $0.number == member }) else { return }
        members[index].isCompared = isCompared
    }
}

/// Why a group call can't be made.
public enum GroupCallFault: Error, Equatable, Sendable {
    /// This program takes part in none.
    case notOffered
    /// The program of a contact takes part in none, as far as is known. (their name)
    case notTaken(String)
    /// There is a reason in the call itself.
    case refused(GroupCallRefusal)
    /// There is none to come back into.
    case noneLeft
}
