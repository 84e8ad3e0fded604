import GLibKit
import MediaRules
import Signaling

/// What a person can do to one call. Each call has groups of its own, for the pages and windows that show it: a click that GTK
/// delivers late (it waits 250 ms after a key before a button counts as clicked) never reaches the next call.
@MainActor final class CallActions {
    /// The name of the groups in widgets.
    static let groupName = "call"

    /// Everything that can be done.
    enum Name: String, CaseIterable {
        case mute, camera, speaker, hand, people
        case groupView = "group-view"
        case addPeople = "add-people"
        case unmuteSystem = "unmute-system"
        case flipCamera = "flip-camera"
        case shareScreen = "share-screen"
        case stopSharing = "stop-sharing"
        case collapse, expand
        case toggleSize = "toggle-size"
        case fullScreen = "full-screen"
        case leaveFullScreen = "leave-full-screen"
        case fitPicture = "fit-picture"
        case connection
        case endCall = "end-call"
        case hold, resume
        case decline, ignore
        case declineAndCallBack = "decline-and-call-back"
        case declineForNow = "decline-for-now"
        case declineComingSoon = "decline-coming-soon"
        case declineAndWrite = "decline-and-write"
        case write
        case block
        case holdAndAccept = "hold-and-accept"
        case endAndAccept = "end-and-accept"
        case acceptAudio = "accept-audio"
        case acceptVideo = "accept-video"
        case accept
        case callAgain = "call-again"
        case closeCall = "close-call"
    }

    /// What is to be done for it outside of the call.
    enum Wish: Equatable {
        case windows(WindowWish)
        case callAgain, close
        /// Invite one more contact to a call of several.
        case invite(ContactItem)
        /// Let it ring on unheard.
        case ignore
        /// Let their calls ring nowhere any more.
        case block
        /// Open the messages with them.
        case write
        /// Send them a sentence.
        case reply(QuickReply)
    }

    /// What the windows have to do for it.
    enum WindowWish: Equatable {
        case collapse, expand, toggleSize
        case fullScreen, leaveFullScreen
        /// Let the picture fill the window, or show it whole.
        case fitPicture
        /// Show who takes part in a call of several, or hide that.
        case people
        /// Show somebody in a call of several large, or no longer.
        case pin(MemberNumber)
        /// Show who speaks in a call of several large, or all of them in a grid.
        case groupView
        /// Ask who is to be added to a call of two.
        case addPeople
        /// Show how good the connection is, and the security code.
        case connection
        /// Show the code to compare with somebody in a call of several.
        case compare(MemberNumber)
        /// Ask how the screen is to be shared.
        case askToShare
        /// Ask whether a call that rings is wanted without end-to-end encryption.
        case askAboutClearMedia(CallKind, makingRoom: MakingRoom? = nil)

        /// Whether it is possible only for the call that the windows show.
        var needsFront: Bool { if case .askAboutClearMedia = self { false } else { true } }
    }

    /// The call.
    let session: any CallSession
    private let group = ActionGroup(CallActions.groupName)
    /// The switches alone, for windows in which other keys of a call mean something else.
    private let switches = ActionGroup(CallActions.groupName)
    private let onWish: @MainActor (Wish) -> Void
    private var microphone: Task<Void, Never>?
    private var camera: Task<Void, Never>?
    private var sound: Task<Void, Never>?
    private var hand: Task<Void, Never>?

    /// How it is taken out of another call: with our camera only if that is seen there.
    var kindFromAnotherCall = CallKind.audio
    /// Whether somebody can be added to the call, which is one of two.
    var canAddPeople = false

    /// Makes the actions of a call; none is possible before `enable`.
    init(_ session: any CallSession, onWish: @escaping @MainActor (Wish) -> Void) {
        self.session = session
        self.onWish = onWish
        for name in Name.allCases {
            group.add(name.rawValue) { [weak self] in self?.perform(name) }
            group.set(name.rawValue, false)
        }
        for name in [Name.mute, .camera] { switches.add(name.rawValue) { [weak self] in self?.perform(name) } }
    }

    /// Makes all actions known in a widget that shows this call.
    func insert(into widget: Widget) { group.insert(into: widget) }

    /// Makes microphone and camera known in a window that lies over the call.
    func insertSwitches(into widget: Widget) { switches.insert(into: widget) }

    /// Says what is possible now.
    ///
    /// - Parameter canHoldPresent: Whether the call that the person is in can be put on hold, if they are in another one.
    func enable(
        _ controls: ControlState, canAnswer: Bool, canHoldPresent: Bool = false, isEnded: Bool, isCollapsed: Bool
    ) {
        for group in [group, switches] {
            group.set(Name.mute.rawValue, controls.microphone.isEnabled)
            group.set(Name.camera.rawValue, controls.camera.isEnabled)
        }
        set(.speaker, controls.speaker.isEnabled)
        set(.hand, controls.hand?.isEnabled == true)
        set(.people, controls.hand != nil && controls.canCollapse && !isCollapsed)
        set(.groupView, controls.canChooseView && !isCollapsed)
        set(.addPeople, canAddPeople)
        set(.unmuteSystem, controls.microphone.isEnabled)
        set(.flipCamera, controls.canFlip)
        set(.shareScreen, controls.share.isEnabled)
        set(.stopSharing, controls.share.isEnabled && controls.share.isActive)
        set(.collapse, controls.canCollapse && !isCollapsed)
        set(.expand, controls.canCollapse && isCollapsed)
        set(.toggleSize, controls.canCollapse)
        for name in [Name.fullScreen, .leaveFullScreen, .fitPicture] { set(name, controls.canCollapse && !isCollapsed) }
        set(.connection, controls.hold.isEnabled)
        set(.endCall, controls.canEnd)
        set(.hold, controls.hold.isEnabled)
        set(.resume, controls.hold.isEnabled && controls.hold.isActive)
        set(.holdAndAccept, canAnswer && canHoldPresent)
        for name in [Name.accept, .acceptAudio, .acceptVideo, .endAndAccept, .decline, .ignore, .block] {
            set(name, canAnswer)
        }
        for name in [Name.declineAndCallBack, .declineForNow, .declineComingSoon, .declineAndWrite] {
            set(name, canAnswer && canWrite)
        }
        set(.write, !isEnded && canWrite)
        for name in [Name.callAgain, .closeCall] { set(name, isEnded) }
    }

    /// Answers a call from elsewhere than its pages, whether or not they can already be used: `accept`, `acceptAudio`, `decline` or
    /// `block`.
    /// Does nothing once it does not ring any more.
    func answer(_ name: Name) { if session.snapshot.stage == .ringingIn { perform(name) } }

    /// Lets the person be heard, or not, as long as they hold a key.
    func talk(_ isTalking: Bool) {
        microphone = after(microphone) { await $0.setMicrophoneEnabled(isTalking) }
    }

    /// Makes the call louder or quieter.
    func choose(_ volumes: SoundVolumes) { sound = after(sound) { await $0.setVolumes(volumes) } }

    /// Makes somebody in a call of several louder or quieter here: 1 is as they come.
    func choose(_ volume: Double, of member: MemberNumber) {
        sound = after(sound) { await $0.several?.setVolume(volume, of: member) }
    }

    /// Puts somebody out of a call of several.
    func remove(_ member: MemberNumber) { act { await $0.several?.remove(member) } }

    /// Shows somebody in a call of several large, or no longer.
    func pin(_ member: MemberNumber) { onWish(.windows(.pin(member))) }

    /// Shows the code to compare with somebody in a call of several.
    func compare(_ member: MemberNumber) { onWish(.windows(.compare(member))) }

    /// Invites one more contact to a call of several.
    func invite(_ contact: ContactItem) { onWish(.invite(contact)) }

    private var canWrite: Bool { !session.contact.isTestCall }

    private func set(_ name: Name, _ isEnabled: Bool) { group.set(name.rawValue, isEnabled) }

    private func perform(_ name: Name) {
        switch name {
        case .mute:
            microphone = after(microphone) { await $0.setMicrophoneEnabled(!$0.snapshot.microphoneEnabled) }
        case .speaker:
            sound = after(sound) {
                var volumes = $0.snapshot.volumes
                volumes.isSpeakerOn.toggle()
                await $0.setVolumes(volumes)
            }
        case .hand:
            hand = after(hand) {
                guard let group = $0.snapshot.group else { return }
                await $0.several?.raiseHand(!group.hasRaisedHand)
            }
        case .people: onWish(.windows(.people))
        case .groupView: onWish(.windows(.groupView))
        case .addPeople: onWish(.windows(.addPeople))
        case .unmuteSystem: act { await $0.unmuteMicrophoneBySystem() }
        case .camera: camera = after(camera) { await $0.setCameraEnabled(!$0.snapshot.cameraEnabled) }
        case .flipCamera: camera = after(camera) { await $0.flipCamera() }
        case .shareScreen where session.snapshot.sharing == .off: onWish(.windows(.askToShare))
        case .shareScreen, .stopSharing: act { await $0.stopSharing() }
        case .endCall: act { await $0.hangUp() }
        case .hold: act { await $0.snapshot.isHeld ? $0.resume() : $0.hold() }
        case .resume: act { await $0.resume() }
        case .decline: act { await $0.decline() }
        case .declineAndCallBack: decline(.reply(.callBack))
        case .declineForNow: decline(.reply(.callLater))
        case .declineComingSoon: decline(.reply(.comingSoon))
        case .declineAndWrite: decline(.write)
        case .write: onWish(.write)
        case .ignore: if session.snapshot.stage == .ringingIn { onWish(.ignore) }
        case .holdAndAccept: accept(kindFromAnotherCall, makingRoom: .hold)
        case .endAndAccept: accept(kindFromAnotherCall, makingRoom: .end)
        case .block: if session.snapshot.stage == .ringingIn { onWish(.block) }
        // Out of another call, which is on hold then.
        case .accept where isWaiting: accept(kindFromAnotherCall, makingRoom: .hold)
        case .acceptAudio where isWaiting: accept(.audio, makingRoom: .hold)
        case .acceptVideo where isWaiting: accept(.video, makingRoom: .hold)
        case .accept: accept(session.kind)
        case .acceptAudio: accept(.audio)
        case .acceptVideo: accept(.video)
        case .collapse: onWish(.windows(.collapse))
        case .expand: onWish(.windows(.expand))
        case .toggleSize: onWish(.windows(.toggleSize))
        case .fullScreen: onWish(.windows(.fullScreen))
        case .leaveFullScreen: onWish(.windows(.leaveFullScreen))
        case .fitPicture: onWish(.windows(.fitPicture))
        case .connection: onWish(.windows(.connection))
        case .callAgain: onWish(.callAgain)
        case .closeCall: onWish(.close)
        }
    }

    private func accept(_ kind: CallKind, makingRoom room: MakingRoom? = nil) {
        guard !session.snapshot.needsDecisionOnClearMedia else {
            return onWish(.windows(.askAboutClearMedia(kind, makingRoom: room)))
        }
        act { await $0.accept(kind, makingRoom: room) }
    }

    /// Declines at once; what is written to them goes its own way.
    private func decline(_ wish: Wish) {
        guard session.snapshot.stage == .ringingIn else { return }
        act { await $0.decline() }
        onWish(wish)
    }

    private var isWaiting: Bool { session.snapshot.isWaiting }

    private func act(_ body: @escaping @MainActor (any CallSession) async -> Void) { _ = after(nil, body) }

    /// Does something to the call once something earlier is done, so that a switch that is pressed twice ends as it was.
    private func after(
        _ earlier: Task<Void, Never>?, _ body: @escaping @MainActor (any CallSession) async -> Void
    ) -> Task<Void, Never> {
        Task { [session] in
            await earlier?.value
            await body(session)
        }
    }
}

extension Object {
    /// Sets the keys for the actions of calls, on an application; they are those of `resources/ui/shortcuts.ui`.
    @MainActor func setCallKeys() {
        let keys: [(CallActions.Name, String)] = [
            (.mute, "<Control>m"), (.speaker, "<Control><Shift>m"), (.camera, "<Control>e"),
            (.flipCamera, "<Control>t"), (.shareScreen, "<Control>s"),
            (.toggleSize, "<Control>d"), (.fullScreen, "F11"), (.hand, "<Control>r"), (.people, "<Control>p"),
            (.groupView, "<Control>l"),
            (.addPeople, "<Control><Shift>p"),
            (.hold, "<Control>h"), (.accept, "<Control>Return"),
            (.connection, "<Control>i"), (.endCall, "<Control>BackSpace"),
        ]
        for (name, key) in keys { setKey(key, ofAction: CallActions.groupName + "." + name.rawValue) }
    }
}
