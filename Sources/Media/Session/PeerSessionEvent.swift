import MediaRules

/// What a peer session tells by itself.
public enum PeerSessionEvent: Sendable, Equatable {
    /// Further local candidates to send to the peer.
    case candidates([MediaCandidate])
    /// A network path to the peer works.
    case iceConnected
    /// The encrypted channel stands; nothing has flowed yet.
    case dtlsConnected
    /// The peer's certificate is the announced one: media flows from here on.
    case fingerprintVerified
    /// The peer's certificate is another one: everything has been stopped, no frame was sent or shown.
    case fingerprintMismatch
    /// The first picture was authenticated and decoded.
    case firstVideoFrame
    /// The first sound was authenticated and decoded.
    case firstAudioFrame
    /// The peer has sent a tone.
    case tone(Tone)
    /// The peer's microphone or camera went on or off.
    case peerMedia(PeerMedia)
    /// The peer says that its person has put the call on hold, or goes on with it.
    case peerHeld(Bool)
    /// Our screen is shared, or no longer, whoever ended it.
    case screenSharing(ScreenSharing)
    /// Nothing has arrived for four seconds, or the path is known to be gone.
    case lost
    /// Something arrives again.
    case recovered
    /// The peer says that the call is over (RTCP BYE of all its sources). It is told beside signaling, which may be cut off.
    case peerLeft
    /// Further local candidates of a transport that shall take over, or has; the number is its own.
    case renewalCandidates(Int, [MediaCandidate])
    /// The transport of this number is connected, the peer's certificate verified, and sends from here on.
    case renewed(Int)
    /// The transport of this number came to nothing; the call is as it was.
    case renewalFailed(Int, MediaError)
    /// The own microphone gives no sound, or does again.
    case microphoneSilent(Bool)
    /// The system (the desktop's mixer, a key) has muted the own microphone, or no longer.
    case microphoneMutedBySystem(Bool)
    /// Which devices are chosen has changed.
    case devicesInUse(DevicesInUse)
    /// How many cameras one can flip between has changed.
    case cameraCount(Int)
    /// What the person is to know, such as that there is no camera.
    case notice(MediaNotice)
    /// The session can't go on; everything has been stopped.
    case failed(MediaError)
}
