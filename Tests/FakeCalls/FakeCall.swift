import BaseKit
import DesktopApplication
import Glibc
import MediaRules

/// A pretended call: runs through its script by itself and does what the buttons say.
@MainActor final class FakeCall: CallSession {
    let contact: ContactItem
    let isIncoming: Bool
    private(set) var kind: CallKind
    var cameraCount: Int { machine.list.cameras.count }
    var remoteVideo: (any VideoSource)? { isOpen ? remote : nil }
    var remoteScreen: (any VideoSource)? { isOpen && script == .shares ? screen : nil }
    var localVideo: (any VideoSource)? { isOpen ? local : nil }

    private let script: FakeScript
    private let pause: Duration
    private let machine: FakeDevices
    private let lines: FakeLines
    private let remote = FakeVideo(width: 640, height: 360, hue: 0)
    private let screen = FakeVideo(width: 1280, height: 720, hue: 220)
    private let local = FakeVideo(width: 320, height: 240, hue: 128)
    private(set) var snapshot: CallSnapshot
    private let listeners = Broadcaster<CallSnapshot>()
    private var running: Task<Void, Never>?
    private var isOpen = false
    /// Whose call it is.
    weak var provider: FakeProvider?

    init(
        contact: ContactItem, kind: CallKind, script: FakeScript, isIncoming: Bool, pause: Duration,
        machine: FakeDevices, lines: FakeLines
    ) {
        self.lines = lines
        self.machine = machine
        self.contact = contact
        self.kind = kind
        self.script = script
        self.isIncoming = isIncoming
        self.pause = pause
        snapshot = CallSnapshot(stage: isIncoming ? .ringingIn : .ringingOut)
        snapshot.cameraEnabled = kind == .video
        lines.add(self)
        if !isIncoming { run() }
    }

    func states() -> AsyncStream<CallSnapshot> { listeners.stream(beginning: [snapshot]) }

    func accept(_ kind: CallKind, makingRoom room: MakingRoom?) async {
        guard snapshot.stage == .ringingIn, await lines.makeRoom(room, for: self) else { return }
        self.kind = kind
        change { $0.cameraEnabled = kind == .video }
        run()
    }

    func ignore() async { change { $0.isIgnored = true } }

    func hold() async {
        guard isOn else { return }
        change { $0.isHeld = true }
    }

    func resume() async {
        guard snapshot.isHeld, await lines.makeRoom(.hold, for: self) else { return }
        change { $0.isHeld = false }
    }

    /// Whether the person takes part in it.
    var isActive: Bool {
        switch snapshot.stage {
        case .ringingOut, .connecting, .active, .reconnecting: !snapshot.isHeld
        case .ringingIn, .ended: false
        }
    }

    /// Whether the two are connected.
    var isOn: Bool { if case .active = snapshot.stage { true } else { false } }

    /// Says whether the person is in another call.
    func setWaiting(_ isWaiting: Bool) {
        guard snapshot.stage == .ringingIn, snapshot.isWaiting != isWaiting else { return }
        change { $0.isWaiting = isWaiting }
    }

    static let missed = "You missed the call."

    /// They don't wait any longer; says whether it still rang.
    func giveUp() -> Bool {
        guard snapshot.stage == .ringingIn else { return false }
        end(Self.missed)
        return true
    }

    func decline() async { end("You declined the call.") }

    func hangUp() async {
        // Devices close before it is over.
        change { $0.devices = DevicesInUse() }
        end("You ended the call.")
    }

    func continueWithClearMedia() async { change { $0.needsDecisionOnClearMedia = false } }

    func setMicrophoneEnabled(_ enabled: Bool) async { change { $0.microphoneEnabled = enabled } }

    func setVolumes(_ volumes: SoundVolumes) async { change { $0.volumes = volumes } }

    func statistics() async -> MediaStatistics? {
        guard isOpen, case .active(let since) = snapshot.stage else { return nil }
        let seconds = Double((Instant.now - since).components.seconds) + 1
        var counts = MediaStatistics()
        counts.link.target = 900_000
        counts.link.roundTrip = 42
        // Who mutes does it on a bad line.
        counts.link.lossHere = script == .mutes ? 0.11 : 0
        counts.path = MediaPath(local: .host, remote: .host, version: .ipv6)
        counts.codecs = .init(sound: "OPUS", pictures: "VP8")
        counts.link.size = PictureSize(width: 1280, height: 720)
        (counts.sent.bytes, counts.sent.videoFrames) = (Int(seconds * 100_000), Int(seconds * 30))
        (counts.received.bytes, counts.received.videoFrames) = (Int(seconds * 90_000), Int(seconds * 30))
        if snapshot.sharing != .off { counts.link.screenSize = PictureSize(width: 1920, height: 1080) }
        (counts.sent.screenFrames, counts.received.screenFrames) = (Int(seconds * 15), Int(seconds * 15))
        return counts
    }

    func securityCheck() async -> SecurityCheck? { await provider?.securityCheck(of: contact) }

    func setCompared(_ code: String?) async throws { try await provider?.setCompared(code, of: contact) }

    func unmuteMicrophoneBySystem() async { change { $0.isMicrophoneMutedBySystem = false } }

    func setCameraEnabled(_ enabled: Bool) async {
        change { $0.cameraEnabled = enabled }
        // Who is shown a picture shows one.
        guard enabled, isOpen, script != .mutes else { return }
        try? await Task.sleep(for: pause)
        change { $0.peerCamera = true }
    }

    func startSharing(withSound: Bool, content: ScreenContent) async {
        change { $0.sharing = .starting }
        try? await Task.sleep(for: pause)
        change {
            if $0.sharing == .starting { $0.sharing = .on(withSound: withSound) }
            // Two screens at a time are too many for them.
            $0.peerScreen = false
        }
    }

    func stopSharing() async { change { $0.sharing = .off } }

    func flipCamera() async {
        let cameras = machine.list.cameras
        guard let now = cameras.firstIndex(where: { $0 == snapshot.devices.camera }) else { return }
        use(cameras[(now + 1) % cameras.count], as: .camera)
    }

    /// Changes to a device. The microphone there was may have been a dead one.
    func use(_ device: MediaDevice?, as kind: DeviceKind) {
        guard isOpen, device != snapshot.devices[kind] else { return }
        if kind == .camera { local.turn() }
        change {
            $0.devices[kind] = device
            if kind == .microphone { $0.isMicrophoneSilent = false }
        }
    }

    func microphoneLevels() -> AsyncStream<Double> { FakeDevices.voice() }

    /// They begin to speak, and go on.
    func speakingSteps() -> AsyncStream<Int> {
        let (steps, listener) = AsyncStream<Int>.makeStream()
        for step in [0, 1, 3, 2] { listener.yield(step) }
        return steps
    }

    private func run() {
        running = Task { [weak self, pause] in
            if self?.isIncoming == false { try? await Task.sleep(for: pause * 2) }
            guard let self, !Task.isCancelled else { return }
            if script == .isElsewhere {
                return change {
                    $0.isDelivered = true
                    $0.isWaitingAtPeer = true
                }
            }
            if [.declines, .callsBack, .givesUp].contains(script) { return end("\(contact.name) declined the call.") }
            change { $0.stage = .connecting }
            try? await Task.sleep(for: pause)
            guard !Task.isCancelled else { return }
            connect()
        }
    }

    private func connect() {
        isOpen = true
        machine.call = self
        remote.start()
        local.start()
        if script == .shares { screen.start() }
        // Their link carries no pictures.
        let isSlow = kind == .video && getenv("FAKE_CALLS_SLOW_LINK") != nil
        change {
            $0.stage = .active(since: .now)
            $0.peerCamera = kind == .video && script != .mutes && !isSlow
            $0.isPeerPicturePaused = isSlow
            $0.peerMicrophone = script != .mutes
            $0.peerScreen = script == .shares
            for kind in DeviceKind.allCases { $0.devices[kind] = machine.used(kind) }
            $0.isMicrophoneSilent = script == .isSilent
            $0.isMicrophoneMutedBySystem = script == .isMuted
            if script == .mutes { $0.notices = ["No microphone was found."] }
            $0.needsDecisionOnClearMedia = script == .isOpen
            $0.isClear = script == .isOpen
        }
        if getenv("FAKE_CALLS_BROKEN_PATH") != nil { loseWay() }
        guard script == .holds else { return }
        Task { [weak self, pause] in
            try? await Task.sleep(for: pause * 2)
            self?.change { $0.isHeldByPeer = true }
        }
    }

    /// The way breaks, and is found again.
    private func loseWay() {
        let since = snapshot.stage
        Task { [weak self, pause] in
            try? await Task.sleep(for: pause)
            self?.change { $0.stage = .reconnecting }
            try? await Task.sleep(for: pause * 2)
            self?.change { $0.stage = since }
        }
    }

    private func change(_ body: (inout CallSnapshot) -> Void) {
        guard !snapshot.stage.isEnded else { return }
        body(&snapshot)
        listeners.send(snapshot)
        lines.settle()
    }

    private func end(_ sentence: String) {
        running?.cancel()
        remote.stop()
        screen.stop()
        local.stop()
        change { $0.stage = .ended(sentence: sentence) }
        listeners.finish()
    }
}

/// The pretended calls there are: the person takes part in one of them at a time.
@MainActor final class FakeLines {
    private var calls: [FakeCall] = []

    func add(_ call: FakeCall) {
        calls.append(call)
        settle()
    }

    /// Holds or ends the call that the person takes part in; says whether another one may take its place.
    func makeRoom(_ room: MakingRoom?, for call: FakeCall?) async -> Bool {
        guard let active = calls.first(where: { $0.isActive && $0 !== call }) else { return true }
        switch room {
        case nil: return false
        case .hold where active.isOn: await active.hold()
        case .hold: return false
        case .end: await active.hangUp()
        }
        return true
    }

    /// Who calls meanwhile waits.
    func settle() {
        calls.removeAll(where: \.snapshot.stage.isEnded)
        let isInCall = calls.contains(where: \.isActive)
        for call in calls { call.setWaiting(isInCall) }
    }
}
