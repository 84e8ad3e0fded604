import BaseKit
import Signaling

/// What media tells during a call.
public enum CallMediaEvent: Sendable, Hashable {
    /// Own candidates were found.
    case candidates([ICECandidate])
    /// ICE found a path.
    case iceConnected
    /// DTLS is done.
    case dtlsConnected
    /// The peer's certificate is the one its description announced.
    case fingerprintVerified
    /// The peer's certificate is another one.
    case fingerprintMismatch
    /// The first picture of the peer was decoded.
    case firstVideoFrame
    /// The first sound of the peer was decoded.
    case firstAudioFrame
    /// What arrives from the peer changed. `isPicturePaused` says that its link carries too little for its pictures.
    case peerMedia(microphone: Bool, camera: Bool, screen: Bool = false, isPicturePaused: Bool = false)
    /// The peer says on the media path that its person has put the call on hold, or goes on with it; its message comes later.
    case peerHeld(Bool)
    /// Nothing comes through any more.
    case lost
    /// It comes through again.
    case recovered
    /// The peer says on the media path that it has hung up; its message may be late, or never come.
    case peerLeft
    /// Own candidates of the transport of this number, which is not the first, were found.
    case renewalCandidates(Int, [ICECandidate])
    /// The transport of this number is connected, the peer's certificate is the announced one, and it has taken over.
    case renewed(Int)
    /// The transport of this number came to nothing, for this reason.
    case renewalFailed(Int, Cause)
    /// Media cannot go on, for this reason.
    case failed(Cause)
}
