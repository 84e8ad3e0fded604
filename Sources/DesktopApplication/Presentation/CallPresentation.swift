import BaseKit
import GLibKit
import MediaRules
import Signaling
import Wording

/// Everything the call's windows show, worked out in one place from the call's state.
struct CallPresentation: Equatable {
    /// Which of the three pages of a call is shown.
    enum Screen: Equatable { case incoming, call, ended }

    /// What the windows know besides the call itself.
    struct Surroundings: Equatable {
        var now: Instant
        /// How long media flowed, once the call is over; nil when none did.
        var lasted: Duration?
        var hasRemotePicture = false
        var hasRemoteScreen = false
        var hasLocalPicture = false
        var devices = MediaDevices()
        /// The name of the profile whose call it is; nil where that goes without saying.
        var profile: String?
        /// What is shown of those in a call of several.
        var group = GroupPresentation.Surroundings()
        /// The contacts among whom some can be added to a call of two; none where no calls of several are made.
        var others: [ContactItem] = []
    }

    /// A question within a call of two: whether others are added.
    struct Question: Equatable {
        /// Who is to be added.
        let names: String
        /// Whether the person here is asked; otherwise they ask.
        let isForUs: Bool
        /// The question in one sentence, for where there is no room for its buttons.
        let sentence: String
    }

    let screen: Screen
    let name: String
    /// Their picture, checked and not decoded.
    let picture: ProfilePicture?
    /// What the person has put on them; nil for nothing.
    let labels: String?
    let status: String
    /// The same, without how long it lasts.
    let standing: String
    /// The status without a name, also of a profile.
    let plainStatus: String
    /// What the button for another call says once this one is over: that one comes back into a call of several that goes on, or calls again.
    let again: String
    /// Says how long it was, once it is over.
    let length: String?
    /// Whether their camera is seen: large, or small beside their screen.
    let showsRemoteVideo: Bool
    /// Whether their screen is seen, large.
    let showsRemoteScreen: Bool
    let showsPreview: Bool
    /// Whether media flow: it is on and not on hold.
    let isFlowing: Bool
    let peerMutedSentence: String?
    /// Says that a video call shows nothing because they send no picture.
    let peerCameraSentence: String?
    /// Says that their camera is on and their link too slow for its pictures.
    let peerPausedSentence: String?
    /// Whether the status stays over the picture, as it alone says why that stands still.
    let keepsStatus: Bool
    /// Whether their face stands for them while they may be heard: a ring around it shows when they speak.
    let showsSpeaking: Bool
    /// What else the person is to know, the newest last.
    let notices: [String]
    /// Says that the desktop has muted our microphone; beside it, it can be unmuted.
    let systemMuteSentence: String?
    /// Says that our screen is seen by others.
    let sharingSentence: String?
    /// Says what comes in, and what becomes of the call that the person is in when they accept.
    let answerSentence: String
    /// The same without a name, also of a profile.
    let plainAnswerSentence: String
    /// Says that others on the way could hear and see it, as long as it is on, also on hold.
    let clearSentence: String?
    /// Says that it is on hold, and by whom.
    let holdSentence: String?
    let needsDecisionOnClearMedia: Bool
    /// Who is in a call of several; nil for a call of two.
    let group: GroupPresentation?
    /// What is asked within the call of two that the person is in; nil for a call of its own.
    let question: Question?
    /// Who can be added to a call of two now.
    let addable: [ContactItem]
    let controls: ControlState
    let devices: DeviceMenuContent

    /// Works it out.
    init(contact: ContactItem, kind: CallKind, snapshot: CallSnapshot, cameraCount: Int, surroundings: Surroundings) {
        screen =
            switch snapshot.stage {
            case .ringingIn: .incoming
            case .ended: .ended
            case .ringingOut, .connecting, .active, .reconnecting: .call
            }
        group = snapshot.group.map { GroupPresentation($0, own: snapshot, surroundings.group) }
        name = screen == .incoming || snapshot.isQuestion ? contact.name : group?.title ?? contact.name
        picture = contact.picture
        labels = contact.labels.isEmpty ? nil : contact.labels.map(\.text).joined(separator: " · ")
        let others = (snapshot.group?.members ?? []).filter { $0.isThere && $0.contact?.id != contact.id }.map(\.name)
        status = Self.status(
            snapshot, kind: kind, now: surroundings.now, others: others, profile: surroundings.profile)
        again = snapshot.group?.goesOn == true ? tr("Come Back") : tr("Call again")
        length = snapshot.stage.isEnded ? surroundings.lasted.map { tr("The call lasted %s.", Self.text($0)) } : nil
        standing = Self.isTimed(snapshot) ? tr("Connected") : status
        plainStatus = Self.status(snapshot, kind: kind, now: surroundings.now)
        answerSentence = Self.answerSentence(status, snapshot)
        plainAnswerSentence = Self.answerSentence(plainStatus, snapshot)
        holdSentence = Self.holdSentence(snapshot, name: contact.name)
        // What is on hold shows and tells nothing of its media: they stand still.
        isFlowing = snapshot.stage.isFlowing && holdSentence == nil
        let isOfTwo = snapshot.group == nil
        question = snapshot.isQuestion ? Question(snapshot, contact) : nil
        let canAdd = isOfTwo && isFlowing && snapshot.stage != .reconnecting
        let isKnown = surroundings.others.contains { $0.id == contact.id && $0.canJoin }
        addable = canAdd && isKnown ? surroundings.others.filter { $0.id != contact.id && $0.canJoin } : []
        showsRemoteVideo = isFlowing && snapshot.peerCamera && surroundings.hasRemotePicture
        showsRemoteScreen = isFlowing && snapshot.peerScreen && surroundings.hasRemoteScreen
        showsPreview =
            snapshot.stage.isConsented && !snapshot.isHeld && snapshot.cameraEnabled && surroundings.hasLocalPicture
        clearSentence = snapshot.stage.isFlowing && snapshot.isClear ? tr("Not encrypted end to end") : nil
        peerMutedSentence =
            isFlowing && isOfTwo && !snapshot.peerMicrophone ? tr("%s’s microphone is off", contact.name) : nil
        var notices = snapshot.stage.isEnded ? [] : snapshot.notices
        let isMutedBySystem = isFlowing && snapshot.isMicrophoneMutedBySystem && snapshot.microphoneEnabled
        systemMuteSentence = isMutedBySystem ? tr("The system has muted the microphone") : nil
        if isFlowing, snapshot.isMicrophoneSilent, snapshot.microphoneEnabled, !isMutedBySystem {
            notices.append(DeviceKind.silentMicrophone)
        }
        if isFlowing, !snapshot.volumes.isSpeakerOn { notices.append(tr("You have turned their sound off")) }
        self.notices = notices
        peerCameraSentence =
            isFlowing && isOfTwo && kind == .video && !snapshot.peerCamera && !snapshot.isPeerPicturePaused
                && !showsRemoteScreen
            ? tr("%s’s camera is off", contact.name) : nil
        peerPausedSentence =
            isFlowing && snapshot.isPeerPicturePaused
            ? tr("%s’s picture is paused: their connection is too slow for it", contact.name) : nil
        keepsStatus = snapshot.stage == .reconnecting
        showsSpeaking =
            isFlowing && isOfTwo && snapshot.stage != .reconnecting && snapshot.peerMicrophone && !showsRemoteVideo
            && !showsRemoteScreen
        sharingSentence = isFlowing ? Self.sentence(snapshot.sharing) : nil
        needsDecisionOnClearMedia = snapshot.needsDecisionOnClearMedia && !snapshot.stage.isEnded
        controls = ControlState(snapshot, kind: kind, cameraCount: cameraCount)
        devices = DeviceMenuContent(surroundings.devices, inUse: snapshot.devices)
    }

    /// What the person is to know, in one text; nil without anything.
    var notice: String? {
        let all = notices + [peerCameraSentence, peerPausedSentence].compactMap(\.self)
        return all.isEmpty ? nil : all.joined(separator: "\n")
    }

    private static func answerSentence(_ status: String, _ snapshot: CallSnapshot) -> String {
        snapshot.isWaiting ? tr("%s. Accepting puts the other call on hold.", status) : status
    }

    private static func holdSentence(_ snapshot: CallSnapshot, name: String) -> String? {
        guard snapshot.stage.isFlowing else { return nil }
        if snapshot.isHeld { return tr("You have put the call on hold") }
        return snapshot.isHeldByPeer ? tr("%s has put you on hold", name) : nil
    }

    private static func sentence(_ sharing: SharingState) -> String? {
        switch sharing {
        case .off: nil
        case .starting: tr("Choose what to share…")
        case .on(withSound: false): tr("You are sharing your screen")
        case .on(withSound: true): tr("You are sharing your screen and its sound")
        }
    }

    private static func text(_ time: Duration) -> String {
        DurationText.text(seconds: Int(time.components.seconds))
    }

    /// How it stands, and for which profile.
    private static func status(
        _ snapshot: CallSnapshot, kind: CallKind, now: Instant, others: [String], profile: String?
    ) -> String {
        let status = status(snapshot, kind: kind, now: now, others: others)
        guard let profile else { return status }
        switch snapshot.stage {
        case .ringingIn where snapshot.group == nil:
            return kind == .video ? tr("Incoming video call for %s", profile) : tr("Incoming call for %s", profile)
        case .ended: return status
        case .ringingIn, .ringingOut, .connecting, .active, .reconnecting: return status + " · " + profile
        }
    }

    /// A call of several that comes in, and with whom besides whoever invites.
    private static func incoming(_ kind: CallKind, with others: [String]) -> String {
        guard !others.isEmpty else {
            return kind == .video ? tr("Incoming video call of several people") : tr("Incoming call of several people")
        }
        let names = others.joined(separator: ", ")
        return kind == .video ? tr("Incoming video call with %s", names) : tr("Incoming call with %s", names)
    }

    /// Whether its status is how long it lasts.
    private static func isTimed(_ snapshot: CallSnapshot) -> Bool {
        guard case .active = snapshot.stage else { return false }
        if let group = snapshot.group, !group.members.contains(where: { $0.isThere }) { return false }
        return !snapshot.isHeld && !snapshot.isHeldByPeer
    }

    private static func status(
        _ snapshot: CallSnapshot, kind: CallKind, now: Instant, others: [String] = []
    ) -> String {
        switch snapshot.stage {
        case .ringingIn where snapshot.isQuestion:
            tr("Wants to add %s to the call", (snapshot.group?.adding ?? []).joined(separator: ", "))
        case .ringingOut where snapshot.isQuestion:
            tr("Is asked whether to add %s", (snapshot.group?.adding ?? []).joined(separator: ", "))
        case .ringingIn where snapshot.group != nil: incoming(kind, with: others)
        case .active where snapshot.group.map { !$0.members.contains { $0.isThere } } ?? false:
            tr("You are alone in the call")
        case .ringingOut where snapshot.isWaitingForRelay: tr("The relay can’t be reached. Trying again…")
        case .ringingOut where snapshot.isWaitingAtPeer: tr("In another call, and told that you call")
        case .active where snapshot.isHeld || snapshot.isHeldByPeer: tr("On hold")
        case .ringingOut: snapshot.isDelivered ? tr("Ringing…") : tr("Calling…")
        case .ringingIn: kind == .video ? tr("Incoming video call") : tr("Incoming call")
        case .connecting: tr("Connecting…")
        case .active(let since): text(now - since)
        case .reconnecting: tr("Reconnecting…")
        case .ended(let sentence): sentence
        }
    }
}

extension CallPresentation.Question {
    fileprivate init(_ snapshot: CallSnapshot, _ contact: ContactItem) {
        names = (snapshot.group?.adding ?? []).joined(separator: ", ")
        isForUs = snapshot.stage == .ringingIn
        sentence =
            isForUs
            ? tr("%1$s wants to add %2$s", contact.name, names) : tr("%1$s is asked about %2$s", contact.name, names)
    }
}
