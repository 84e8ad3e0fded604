import Calling
import Media
import MediaRules
import Parley
import Wording

/// A call of the account behind the windows.
@MainActor final class AccountCall: CallSession {
    let contact: ContactItem
    let isIncoming: Bool
    /// The account’s.
    let call: Call
    private weak var provider: AccountProvider?
    private let lastProfile: ProfileLabel?
    private var remote: FeedSource?
    private var screen: FeedSource?
    private var local: FeedSource?

    /// A call of the account of `provider`.
    init(_ call: Call, of provider: AccountProvider? = nil) {
        (self.call, self.provider, lastProfile) = (call, provider, provider?.profileLabel)
        contact = ContactItem(call.contact)
        isIncoming = call.direction == .incoming
    }

    var profile: ProfileLabel? { provider?.profileLabel ?? lastProfile }
    var kind: CallKind { CallKind(call.state.media) }
    var snapshot: CallSnapshot { reading(call.state) }
    var cameraCount: Int { call.cameraCount }
    var remoteVideo: (any VideoSource)? { source(of: call.remoteVideo, kept: &remote) }
    var remoteScreen: (any VideoSource)? { source(of: call.remoteScreen, kept: &screen) }
    var localVideo: (any VideoSource)? { source(of: call.localVideo, kept: &local) }

    func states() -> AsyncStream<CallSnapshot> {
        let (stream, listener) = AsyncStream<CallSnapshot>.makeStream()
        let following = Task { [call, weak self] in
            for await state in call.states() {
                guard let self else { break }
                listener.yield(reading(state))
            }
            listener.finish()
        }
        listener.onTermination = { _ in following.cancel() }
        return stream
    }

    func accept(_ kind: CallKind, makingRoom room: MakingRoom?) async {
        guard await provider?.makeRoom?(room) ?? true else { return }
        // A call that is over by now says so through its state, and one that was not taken rings on.
        try? await call.accept(media: kind.media, present: room?.present)
    }

    func ignore() async { await call.ignore() }
    // What can't be done any more shows in the state.
    func hold() async { try? await call.hold() }
    func resume() async {
        guard await provider?.makeRoom?(.hold) ?? true else { return }
        try? await call.resume()
    }

    func decline() async { await call.decline() }
    func hangUp() async { await call.hangUp() }
    func continueWithClearMedia() async { await call.continueWithClearMedia() }
    func setMicrophoneEnabled(_ enabled: Bool) async { await call.setMicrophoneEnabled(enabled) }
    func setVolumes(_ volumes: SoundVolumes) async { await call.setVolumes(volumes) }
    func statistics() async -> MediaStatistics? { await call.statistics() }

    func securityCheck() async -> SecurityCheck? {
        guard let provider, let code = try? await provider.securityCode(of: contact) else { return nil }
        return SecurityCheck(code: code, isCompared: await provider.isCompared(contact))
    }

    func setCompared(_ code: String?) async throws { try await provider?.setCompared(code, of: contact) }
    func unmuteMicrophoneBySystem() async { await call.unmuteMicrophoneBySystem() }
    func setCameraEnabled(_ enabled: Bool) async { await call.setCameraEnabled(enabled) }
    func flipCamera() async { await call.flipCamera() }
    func microphoneLevels() -> AsyncStream<Double> { call.microphoneLevels() }
    func speakingSteps() -> AsyncStream<Int> { call.speakingSteps() }
    func startSharing(withSound: Bool, content: ScreenContent) async {
        await call.startScreen(withSound: withSound, content: content)
    }
    func stopSharing() async { await call.stopScreen() }

    private func reading(_ state: CallState) -> CallSnapshot {
        CallSnapshot(
            stage: stage(state), microphoneEnabled: state.microphoneEnabled,
            cameraEnabled: state.cameraEnabled, isEncrypted: state.isFrameEncrypted == true,
            isClear: state.isFrameEncrypted == false,
            endReason: endReason(state), isPeerBusy: state.phase == .ended(.peerBusy),
            isDelivered: state.isDelivered,
            isWaitingForRelay: state.isWaitingForRelay,
            peerMicrophone: state.peerMicrophone, peerCamera: state.peerCamera,
            isPeerPicturePaused: state.isPeerPicturePaused, peerScreen: state.peerScreen,
            sharing: SharingState(state.screenSharing),
            needsDecisionOnClearMedia: state.needsDecisionOnClearMedia,
            isMicrophoneSilent: state.isMicrophoneSilent, isMicrophoneMutedBySystem: state.isMicrophoneMutedBySystem,
            devices: state.devices, isWaiting: state.isWaiting,
            isIgnored: state.phase == .ringingIn && !state.isRinging, isWaitingAtPeer: state.isWaitingAtPeer,
            isHeld: state.hold.isHeldHere, isHeldByPeer: state.hold.isHeldByPeer,
            volumes: state.volumes, notices: state.notices.map(\.sentence))
    }

    private func endReason(_ state: CallState) -> String {
        if case .ended(let reason) = state.phase { reason.rawValue } else { "" }
    }

    private func stage(_ state: CallState) -> CallStage {
        switch state.phase {
        case .ringingOut: .ringingOut
        case .ringingIn: .ringingIn
        case .connecting: .connecting
        case .active(let since): .active(since: since)
        case .reconnecting: .reconnecting
        case .ended(let reason): .ended(sentence: state.endSentence ?? reason.sentence)
        }
    }

    private func source(of feed: VideoFeed?, kept: inout FeedSource?) -> FeedSource? {
        if let feed, kept?.feed !== feed { kept = FeedSource(feed) }
        return feed == nil ? nil : kept
    }
}

extension SharingState {
    init(_ sharing: ScreenSharing) {
        self =
            switch sharing {
            case .off: .off
            case .starting: .starting
            case .on(let withSound): .on(withSound: withSound)
            }
    }
}

/// A feed of the media floor as the windows use it.
package final class FeedSource: VideoSource {
    /// The feed itself.
    package let feed: VideoFeed

    /// Shows this feed.
    package init(_ feed: VideoFeed) { self.feed = feed }

    package func latest() -> (any VideoPicture)? { feed.latest() }

    package func setHandler(_ handler: (@Sendable () -> Void)?) { feed.setHandler(handler) }

    package func setShownSize(_ size: ShownSize) {
        switch size {
        case .unknown: feed.setShownSize(nil)
        case .hidden: feed.setShownSize(PictureSize(width: 0, height: 0))
        case .pixels(let width, let height): feed.setShownSize(PictureSize(width: width, height: height))
        }
    }
}

extension VideoFrame: VideoPicture {}
