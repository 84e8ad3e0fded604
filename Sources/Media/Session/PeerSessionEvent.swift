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
    /// The peer's microphone or camera went on or off.
    case peerMedia(PeerMedia)
    /// Our screen is shared, or no longer, whoever ended it.
    case screenSharing(ScreenSharing)
    /// Nothing has arrived for five seconds.
    case lost
    /// Something arrives again.
    case recovered
    /// The own microphone gives no sound, or does again.
    case microphoneSilent(Bool)
    /// Which devices are chosen has changed.
    case devicesInUse(DevicesInUse)
    /// One sentence for the person, such as `No camera was found.`
    case notice(String)
    /// The session can't go on; everything has been stopped.
    case failed(MediaError)
}
