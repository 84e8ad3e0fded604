import BaseKit
import Calling
import Media
import MediaRules
import Signaling

/// A call with a contact, from dialling or ringing to its end.
public final class Call: Sendable, Identifiable {
    /// The call's identifier on this side.
    public let id: CallID
    /// Who it is with.
    public let contact: Contact
    /// Who began it.
    public let direction: CallDirection
    /// What the one who began it wanted.
    public let media: CallMedia

    private let center: CallCenter
    private let versions: RelayVersions
    /// Finds out through which relay the contact's messages come; asked once.
    private let findRelay: @Sendable () async -> String?
    private let listeners = Broadcaster<CallState>()
    private let shared: Lock<Shared>

    private struct Shared {
        var state: CallState
        var session: PeerMediaSession?
        var wasActive = false
        /// Whether the person knows of an incoming call without frame encryption and wants it still.
        var takesClearMedia = false
        var relay: String?
    }

    init(
        _ update: CallUpdate, contact: Contact, center: CallCenter, versions: RelayVersions,
        relay: @escaping @Sendable () async -> String?
    ) {
        id = update.callID
        self.contact = contact
        direction = update.direction
        media = update.media
        self.center = center
        findRelay = relay
        self.versions = versions
        var state = CallState(media: update.media, phase: update.phase)
        state.apply(update)
        shared = Lock(Shared(state: state))
        if update.endReason != nil { listeners.finish() }
    }

    // MARK: What it shows

    /// The call's states, beginning with the present one; the stream ends with the call.
    public func states() -> AsyncStream<CallState> {
        // Under the lock, so that no state is missed or told twice.
        shared.withLock { listeners.stream(beginning: [$0.state]) }
    }

    /// The present state.
    public var state: CallState { shared.withLock { $0.state } }

    /// Where it stands.
    public var status: Status { state.status }

    /// The peer's picture, once media is open.
    public var remoteVideo: VideoFeed? { session?.remoteVideo }

    /// The screen that the peer shares, once media is open.
    public var remoteScreen: VideoFeed? { session?.remoteScreen }

    /// The own picture, once media is open.
    public var localVideo: VideoFeed? { session?.localVideo }

    /// How many cameras one can flip between.
    public var cameraCount: Int { state.cameraCount }

    // MARK: What a person does

    /// Takes an incoming call. `present` says what becomes of the call that the person takes part in; without it, there must be
    /// none. One without frame encryption is taken only after `continueWithClearMedia()`; until then
    /// it rings on.
    /// - Throws: `CallError.over` when it has ended, be it by the caller or because it rang for too long, `CallError.busy`
    ///   when the present call does not make room.
    public func accept(media: CallMedia, present: PresentCall? = nil) async throws(CallError) {
        let takesClearMedia = shared.withLock { $0.takesClearMedia }
        try await center.accept(id, media: media, clearMedia: takesClearMedia, present: present)
    }

    /// Lets an incoming call ring on unheard here; its caller is told nothing.
    public func ignore() async { await center.ignore(id) }

    /// Puts the call on hold: sound, pictures and a shared screen stop both ways, devices are closed, and the contact is told where
    /// its program understands it.
    /// - Throws: `CallError.noSuchCall` when the call is not on, `CallError.over` when it has ended.
    public func hold() async throws(CallError) { try await center.hold(id) }

    /// Goes on with the call on hold. The call that the person takes part in, if any, is put on hold.
    /// - Throws: `CallError.noSuchCall` when the call is not on hold, `CallError.over` when it has ended, `CallError.busy` when the
    ///   other one is still being set up.
    public func resume() async throws(CallError) { try await center.resume(id) }

    /// Refuses an incoming call.
    public func decline() async { await center.decline(id) }

    /// Ends the call.
    public func hangUp() async { await center.hangUp(id) }

    /// Goes on without frame encryption after having been asked. An incoming call rings on, and can be accepted now.
    public func continueWithClearMedia() async {
        guard direction == .outgoing else {
            shared.withLock { $0.takesClearMedia = true }
            return publish { $0.needsDecisionOnClearMedia = false }
        }
        await center.continueWithClearMedia(id)
    }

    /// Turns the own microphone on or off, also before media is open.
    public func setMicrophoneEnabled(_ enabled: Bool) async {
        publish { $0.microphoneEnabled = enabled }
        await session?.setMicrophoneEnabled(enabled)
    }

    /// Makes microphone and loudspeaker louder or quieter, or the loudspeaker silent, for this call; also before media is open.
    public func setVolumes(_ volumes: SoundVolumes) async {
        publish { $0.volumes = volumes }
        await session?.setVolumes(volumes)
    }

    /// Has the system unmute the microphone that it has muted; nothing happens before media is open. Whether it did is in
    /// ``CallState/isMicrophoneMutedBySystem``.
    public func unmuteMicrophoneBySystem() async { await session?.unmuteMicrophoneBySystem() }

    /// Turns the own camera on or off, also before media is open. Where there is none it stays off, with a notice.
    public func setCameraEnabled(_ enabled: Bool) async {
        publish { $0.cameraEnabled = enabled }
        guard let session else { return }
        await session.setCameraEnabled(enabled)
        if enabled { await showCameraOffWhereThereIsNone(session) }
    }

    /// A camera that is not there is off, also for whoever plugs one in later: it goes on when the person says so.
    private func showCameraOffWhereThereIsNone(_ session: PeerMediaSession) async {
        guard await !session.hasCamera else { return }
        publish { $0.cameraEnabled = false }
        await session.setCameraEnabled(false)
    }

    /// Changes to the next camera.
    public func flipCamera() async { await session?.flipCamera() }

    /// Changes camera, microphone or speaker for this call only, or with nil to the standard one; nothing happens before media
    /// is open. `Account.choose(_:as:)` remembers a choice.
    public func select(_ device: MediaDevice?, as kind: DeviceKind) async { await session?.select(device, as: kind) }

    func setSoundProcessing(_ processing: SoundProcessing) async { await session?.setSoundProcessing(processing) }

    func setPictures(_ pictures: PictureChoices) async { await session?.setPictures(pictures) }

    /// How loud the own microphone is, from 0 to 1, at most 20 times a second; nothing before media is open.
    public func microphoneLevels() -> AsyncStream<Double> { session?.microphoneLevels() ?? AsyncStream { $0.finish() } }

    /// How loud the contact speaks, in steps from 0 (silent) to 3, each time it is another one; nothing before media is open.
    public func speakingSteps() -> AsyncStream<Int> { session?.speakingSteps() ?? AsyncStream { $0.finish() } }

    /// Shares the own screen once the call is on: what the person chooses in the desktop's dialog unless the account or the
    /// caller says otherwise. What becomes of it is in `CallState.screenSharing` and `CallState.notices`.
    public func startScreen(
        _ source: ScreenSource? = nil, withSound: Bool = false, content: ScreenContent = .text
    ) async {
        await session?.startScreen(source, withSound: withSound, content: content)
    }

    /// Stops sharing the own screen.
    public func stopScreen() async { await session?.stopScreen() }

    /// Sends tones of a telephone's keys (`0` to `9`, `*`, `#`, `A` to `D`; a comma is a pause of two seconds) to a peer whose program
    /// takes them. Returns when they have been sent.
    public func send(tones: String) async throws(ToneError) {
        let sequence = try ToneSequence(parsing: tones)
        guard let session else { throw .notConnected }
        try await session.send(sequence)
    }

    /// What the call was like; complete once it has ended.
    public func summary() async -> CallSummary {
        let (state, session, wasActive) = shared.withLock { ($0.state, $0.session, $0.wasActive) }
        let statistics = await session?.statistics()
        let use = await relay().map { RelayUse(address: $0, smpVersion: versions.version(of: $0)) }
        return CallSummary(state: state, wasActive: wasActive, statistics: statistics, relay: use)
    }

    /// What its media have counted; nil if there were none.
    public func statistics() async -> MediaStatistics? { await session?.statistics() }

    private func relay() async -> String? {
        if let known = shared.withLock({ $0.relay }) { return known }
        let found = await findRelay()
        shared.withLock { $0.relay = found }
        return found
    }

    // MARK: What the account tells it

    /// Takes over what the call centre says. - Returns: Whether the call is over.
    func apply(_ update: CallUpdate) -> Bool {
        publish { $0.apply(update) }
        if shared.withLock({ $0.takesClearMedia }) { publish { $0.needsDecisionOnClearMedia = false } }
        switch update.phase {
        case .active: shared.withLock { $0.wasActive = true }
        case .ended:
            listeners.finish()
            return true
        case .ringingOut, .ringingIn, .connecting, .reconnecting: break
        }
        return false
    }

    /// The peer's device has the invitation.
    func markDelivered() { publish { $0.isDelivered = true } }

    /// Nothing more will be heard of the call.
    func abandon() { listeners.finish() }

    /// Takes the call's media, so that its pictures, switches and counters can be reached.
    func attach(_ session: PeerMediaSession) async {
        let state = shared.withLock { shared in
            shared.session = session
            return shared.state
        }
        Task { [weak self] in
            for await item in session.news { self?.publish { $0.apply(item) } }
        }
        if !state.microphoneEnabled { await session.setMicrophoneEnabled(false) }
        await session.setVolumes(self.state.volumes)
        if state.cameraEnabled {
            await showCameraOffWhereThereIsNone(session)
        } else {
            await session.setCameraEnabled(false)
        }
        let cameraCount = await session.cameraCount
        publish { $0.cameraCount = cameraCount }
    }

    var hasSession: Bool { session != nil }

    private var session: PeerMediaSession? { shared.withLock { $0.session } }

    private func publish(_ change: (inout CallState) -> Void) {
        // Sent under the lock, so that listeners hear the states in their order.
        shared.withLock { shared in
            change(&shared.state)
            listeners.send(shared.state)
        }
    }
}
