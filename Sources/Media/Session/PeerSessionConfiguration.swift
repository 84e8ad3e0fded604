import Cryptography

/// Where a call's picture comes from.
public enum CameraSource: Sendable, Hashable {
    /// The standard camera, in a sandbox the portal's; none, with a notice, when there is none.
    case automatic
    /// This camera while it is there; meanwhile the standard one, with a notice. In a sandbox the portal's.
    case preferred(MediaDevice)
    /// The camera with this id or name of ``DeviceMonitor``, or none.
    case named(String)
    /// The camera that the desktop's portal gives; the person is asked when it is turned on.
    case portal
    /// A moving test pattern.
    case test
    /// The pictures of a file, over and over; the value is its path.
    case file(String)
    /// The peer's own picture, sent back.
    case echo
    /// No picture.
    case none
}

/// Where a call's sound comes from.
public enum MicrophoneSource: Sendable, Hashable {
    /// The machine's standard microphone; none, with a notice, when there is none.
    case automatic
    /// This microphone while it is there; meanwhile the standard one, with a notice.
    case preferred(MediaDevice)
    /// The microphone with this id or name of ``DeviceMonitor``, or none.
    case named(String)
    /// A quiet tone.
    case test
    /// The sound of a file, over and over; the value is its path.
    case file(String)
    /// The peer's own sound, sent back.
    case echo
    /// No sound.
    case none
}

/// Where the peer's sound is played.
public enum SpeakerSink: Sendable, Hashable {
    /// The machine's standard speaker; none, with a notice, when there is none.
    case automatic
    /// This speaker while it is there; meanwhile the standard one, with a notice.
    case preferred(MediaDevice)
    /// The speaker with this id or name of ``DeviceMonitor``, or none.
    case named(String)
    /// Nowhere.
    case none
}

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
    /// Asks the desktop for the camera.
    var portalCamera = PortalCamera()
    /// Protection of the frames; may be decided later with ``PeerSession/setFrameEncryption(_:)``.
    public var frameEncryption: FrameEncryption
    /// Servers that tell our public address or relay for us.
    public var iceServers: [ICEServer]
    /// Whether only relayed candidates are used and shown.
    public var relayOnly: Bool
    /// Whether candidates of this machine's loopback interface are accepted from the peer.
    public var allowsLoopback: Bool
    /// Milliseconds that the jitter buffer may wait for a missing packet.
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
