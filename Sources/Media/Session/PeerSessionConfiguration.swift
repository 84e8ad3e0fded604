import Cryptography
import MediaRules

/// What a peer session is to be.
public struct PeerSessionConfiguration: Sendable {
    /// Which side of the offer this is: the called person's side makes it.
    public enum Role: Sendable, Hashable { case offerer, answerer }
    /// What is captured from the start.
    public enum Media: Sendable, Hashable { case audio, video }

    /// Offerer or answerer.
    public var role: Role
    /// An audio session opens its camera only when it is turned on.
    public var media: Media
    /// Where the picture comes from.
    public var camera: CameraSource
    /// Where the sound comes from.
    public var microphone: MicrophoneSource
    /// Where the peer's sound goes.
    public var speaker: SpeakerSink
    /// What is done with the sound of a microphone; test tone and files stay as they are.
    public var soundProcessing = SoundProcessing()
    /// How the own pictures are sent.
    public var pictures = PictureChoices()
    /// Whether pictures are drawn somewhere. Without it the peer's are decoded, announced at their time and counted, and have a size alone;
    /// `PeerSession.localVideo` stays empty.
    public var drawsPictures = true
    /// Asks the desktop for the camera.
    var portalCamera = PortalCamera()
    /// Protection of the frames; may be decided later with `PeerSession.setFrameEncryption`.
    public var frameEncryption: FrameEncryption
    /// Servers that tell our public address or relay for us.
    public var iceServers: [ICEServer]
    /// Whether only relayed candidates are used and shown.
    public var relayOnly: Bool
    /// Whether candidates of this machine's loopback interface are accepted from the peer.
    public var allowsLoopback: Bool
    /// Whether the peer takes tones (RFC 4733): only then the description has a word of them.
    public var offersTones = false
    /// Milliseconds that the jitter buffer waits at least for a missing packet.
    public var jitterLatency: Int
    /// Asks what of the desktop may be seen; tests replace it.
    var screens: any ScreenChoosing = PortalScreens()

    /// A configuration with the given parts; the rest is what a person's call needs.
    public init(
        role: Role, media: Media = .video, camera: CameraSource = .automatic, microphone: MicrophoneSource = .automatic,
        speaker: SpeakerSink = .automatic, frameEncryption: FrameEncryption = .undecided, iceServers: [ICEServer] = [],
        relayOnly: Bool = false, allowsLoopback: Bool = false, jitterLatency: Int = 150
    ) {
        self.role = role
        self.media = media
        self.camera = camera
        self.microphone = microphone
        self.speaker = speaker
        self.frameEncryption = frameEncryption
        self.iceServers = iceServers
        self.relayOnly = relayOnly
        self.allowsLoopback = allowsLoopback
        self.jitterLatency = jitterLatency
    }
}

extension PeerSessionConfiguration {
    /// What of it concerns each transport.
    var transport: TransportOptions {
        TransportOptions(
            relayOnly: relayOnly, allowsLoopback: allowsLoopback, offersTones: offersTones, jitterLatency: jitterLatency
        )
    }
}
