import BaseKit
import Calling
import MediaRules
import Signaling

/// What a window shows of a call at one moment.
public struct CallState: Sendable, Equatable {
    /// What is going on.
    public var phase: CallPhase
    /// Sound, or sound and picture, as far as it is agreed.
    public var media: CallMedia
    /// Whether the peer's device has confirmed that it has the invitation; until then only a relay is known to have it.
    /// Peers may be set to confirm nothing.
    public var isDelivered = false
    /// Whether the invitation waits for a relay that is out of reach; it goes out when the relay is back.
    public var isWaitingForRelay = false
    /// Whether the own microphone is on.
    public var microphoneEnabled = true
    /// How loud the person wants the call.
    public var volumes = SoundVolumes()
    /// Whether the own camera is on.
    public var cameraEnabled: Bool
    /// Whether the peer is heard.
    public var peerMicrophone = false
    /// Whether the peer is seen.
    public var peerCamera = false
    /// Whether the peer shares its screen.
    public var peerScreen = false
    /// Whether the peer's camera is on and its link carries too little for its pictures, as its program says.
    public var isPeerPicturePaused = false
    /// Whether the own screen is shared.
    public var screenSharing = ScreenSharing.off
    /// Which transport carries the call: each that took over for a broken one has a higher number.
    public var transportNumber = 0
    /// How many cameras one can flip between, once media is open.
    public var cameraCount = 0
    /// Whether it rings and the person has not ignored it. It should be heard, unless it is waiting; then by a tone that does not
    /// disturb the other call.
    public var isRinging = false
    /// Whether it rings while the person is occupied with another call.
    public var isWaiting = false
    /// Whether the contact, who has not answered, is occupied with another call.
    public var isWaitingAtPeer = false
    /// Which sides have put it on hold.
    public var hold = CallHold()
    /// Whether frames are encrypted end to end; nil until it is known.
    public var isFrameEncrypted: Bool?
    /// Whether the person has to decide if the call may go on without frame encryption.
    public var needsDecisionOnClearMedia = false
    /// When each step of setting up happened.
    public var setup = CallSummary.Setup()
    /// Why media failed; nil unless that ended the call.
    public var failure: Cause?
    /// Whether the own microphone, though on, gives no sound.
    public var isMicrophoneSilent = false
    /// Whether the system (the desktop's mixer, a key) has muted the own microphone, so that nothing of it is heard.
    public var isMicrophoneMutedBySystem = false
    /// The devices that are chosen, once media is open.
    public var devices = DevicesInUse()
    /// The last tone (RFC 4733) that the peer has sent; it is played nowhere.
    public var lastTone: Tone?
    /// How many tones the peer has sent.
    public var toneCount = 0
    /// What is missing or went wrong without ending the call.
    public var notices: [MediaNotice] = []

    init(media: CallMedia, phase: CallPhase) {
        self.phase = phase
        self.media = media
        cameraEnabled = media == .video
    }

    mutating func apply(_ update: CallUpdate) {
        // One side accepts with sound only: media begins without the camera on both.
        if media == .video, update.media == .audio { cameraEnabled = false }
        phase = update.phase
        isWaitingForRelay = update.isWaitingForRelay
        media = update.media
        peerMicrophone = update.peerMicrophone
        peerCamera = update.peerCamera
        peerScreen = update.peerScreen
        isPeerPicturePaused = update.isPeerPicturePaused
        transportNumber = update.transportNumber
        isRinging = update.isRinging
        isWaiting = update.isWaiting
        isWaitingAtPeer = update.isWaitingAtPeer
        hold = update.hold
        isFrameEncrypted = update.isFrameEncrypted
        needsDecisionOnClearMedia = update.needsDecisionOnClearMedia
        setup = CallSummary.Setup(update.setup)
        failure = update.failure
    }

    mutating func apply(_ news: MediaNews) {
        switch news {
        case .notice(let notice): notices.append(notice)
        case .microphoneSilent(let isSilent): isMicrophoneSilent = isSilent
        case .microphoneMutedBySystem(let isMuted): isMicrophoneMutedBySystem = isMuted
        case .devices(let devices): self.devices = devices
        case .cameraCount(let count): cameraCount = count
        case .sharing(let sharing): screenSharing = sharing
        case .tone(let tone):
            lastTone = tone
            toneCount += 1
        }
    }
}

extension CallSummary.Setup {
    init(_ timeline: SetupTimeline) {
        ringing = Self.milliseconds(timeline.ringing)
        accepted = Self.milliseconds(timeline.accepted)
        offer = Self.milliseconds(timeline.offer)
        answer = Self.milliseconds(timeline.answer)
        iceConnected = Self.milliseconds(timeline.iceConnected)
        dtlsConnected = Self.milliseconds(timeline.dtlsConnected)
        firstFrame = Self.milliseconds(timeline.firstFrame)
    }

    private static func milliseconds(_ time: Duration?) -> Int? { time.map { Int($0.wholeMilliseconds) } }

    /// The steps reached, in the order of a call.
    public var steps: [(name: String, milliseconds: Int)] {
        let all: [(String, Int?)] = [
            ("ringing", ringing), ("accepted", accepted), ("offer", offer), ("answer", answer),
            ("iceConnected", iceConnected), ("dtlsConnected", dtlsConnected), ("firstFrame", firstFrame),
        ]
        return all.compactMap { name, value in value.map { (name, $0) } }
    }
}
