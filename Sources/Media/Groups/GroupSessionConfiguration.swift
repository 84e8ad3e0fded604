import MediaRules

/// What a group session is to be.
public struct GroupSessionConfiguration: Sendable {
    /// The call's identifier, 16 bytes.
    public var call: [UInt8]
    /// The own number, from 1 to 255.
    public var member: UInt8
    /// What own frames are sealed with at first.
    public var key: GroupFrameKey
    /// What is captured from the start.
    public var media: PeerSessionConfiguration.Media
    /// Whether the microphone is heard from the start.
    public var isMicrophoneOn = true
    /// Whether the camera is opened at the start, where pictures are captured.
    public var isCameraOn = true
    /// Where the picture comes from.
    public var camera = CameraSource.automatic
    /// Where the sound comes from.
    public var microphone = MicrophoneSource.automatic
    /// Where the members' sound goes.
    public var speaker = SpeakerSink.automatic
    /// What is done with the sound of a microphone.
    public var soundProcessing = SoundProcessing()
    /// How the own pictures are sent.
    public var pictures = PictureChoices()
    /// Whether pictures are drawn somewhere (``PeerSessionConfiguration/drawsPictures``).
    public var drawsPictures = true
    /// Servers that tell our public address or relay for us.
    public var iceServers: [ICEServer] = []
    /// Whether only relayed candidates are used and shown.
    public var relayOnly = false
    /// Whether candidates of this machine's loopback interface are accepted from members.
    public var allowsLoopback = false
    /// Milliseconds that the jitter buffers wait at least for a missing packet.
    public var jitterLatency = 150

    /// A configuration with the given parts; the rest is what a person's call needs.
    public init(
        call: [UInt8], member: UInt8, key: GroupFrameKey, media: PeerSessionConfiguration.Media = .video
    ) {
        (self.call, self.member, self.key, self.media) = (call, member, key, media)
    }

    /// The same for devices and transports, as a call of two has it.
    var devices: PeerSessionConfiguration {
        var configuration = PeerSessionConfiguration(
            role: .offerer, media: media, camera: camera, microphone: microphone, speaker: speaker,
            iceServers: iceServers, relayOnly: relayOnly, allowsLoopback: allowsLoopback, jitterLatency: jitterLatency)
        (configuration.soundProcessing, configuration.pictures) = (soundProcessing, pictures)
        return configuration
    }
}

/// What a group session tells by itself.
public enum GroupSessionEvent: Sendable, Equatable {
    /// Of the own devices and the session as a whole.
    case own(PeerSessionEvent)
    /// Of the way to one member and what comes by it, as in a call of two. After ``PeerSessionEvent/failed(_:)`` and
    /// ``PeerSessionEvent/fingerprintMismatch`` there is no way to the member any more; the others go on.
    case member(UInt8, PeerSessionEvent)
    /// The way to a member was closed by ``GroupSession/closePath(to:)``.
    case closed(UInt8)
    /// Of the room on a forwarding server that was entered by ``GroupSession/enter(room:feedsKey:)``.
    case room(GroupRoomEvent)
}
