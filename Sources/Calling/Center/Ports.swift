import Cryptography
import Signaling

/// What the calls need from the messages' side.
public protocol CallSignalingPort: Sendable {
    /// Hands a message over for sending.
    ///
    /// It returns when the message is kept safely; messages to one contact are sent in the order of the calls. When the
    /// relay takes an invitation, tell the centre by ``CallCenter/invitationTaken(_:)``.
    /// - Throws: anything, when the message will not be sent.
    func send(_ message: CallMessage, to contact: ContactID) async throws
}

/// What one side's media is to be.
public struct MediaPlan: Sendable, Equatable {
    /// Which half of the negotiation media makes.
    public enum Role: Sendable, Hashable {
        /// The callee's: makes the offer.
        case offerer
        /// The caller's: answers.
        case answerer
    }

    /// Which half of the negotiation media makes.
    public let role: Role
    /// Sound, or sound and picture.
    public let media: CallMedia
    /// The key for frames, 32 bytes; nil only when the person agreed to go without.
    public let frameKey: SecretBytes?

    /// Makes a plan.
    public init(role: Role, media: CallMedia, frameKey: SecretBytes?) {
        self.role = role
        self.media = media
        self.frameKey = frameKey
    }
}

/// What the calls need from the media's side.
public protocol CallMediaPort: Sendable {
    /// Opens devices and network for a call. It is only ever called after the local person dialled or accepted.
    func open(_ plan: MediaPlan) async throws -> any CallMediaSession
}

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
    /// What arrives from the peer changed.
    case peerMedia(microphone: Bool, camera: Bool, screen: Bool = false)
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
    /// The transport of this number came to nothing, with a reason for the log.
    case renewalFailed(Int, String)
    /// Media cannot go on, with a reason for the log.
    case failed(String)
}

/// The media of one call.
public protocol CallMediaSession: Sendable {
    /// What happens, in order; it is read once.
    var events: AsyncStream<CallMediaEvent> { get }
    /// Makes the offer and the first candidates (callee).
    func makeOffer() async throws -> (SessionDescription, [ICECandidate])
    /// Applies the peer's offer and makes the answer and the first candidates (caller).
    func makeAnswer(
        to offer: SessionDescription, candidates: [ICECandidate]
    ) async throws -> (SessionDescription, [ICECandidate])
    /// Applies the peer's answer (callee).
    func apply(answer: SessionDescription, candidates: [ICECandidate]) async throws
    /// Adds candidates of the peer; only called after the peer's description was handed over.
    func add(_ candidates: [ICECandidate]) async
    /// Makes a transport of this number beside the present one, and its offer (callee).
    func renewOffer(_ number: Int) async throws -> (SessionDescription, [ICECandidate])
    /// Makes a transport of this number beside the present one, and the answer to the peer's offer for it (caller).
    func renewAnswer(
        _ number: Int, to offer: SessionDescription, candidates: [ICECandidate]
    ) async throws -> (SessionDescription, [ICECandidate])
    /// Applies the peer's answer for the transport of this number (callee).
    func applyRenewal(_ number: Int, answer: SessionDescription, candidates: [ICECandidate]) async throws
    /// Adds candidates of the peer to the transport of this number.
    func add(_ candidates: [ICECandidate], renewal number: Int) async
    /// Gives up the transport of this number, unless it has taken over. It may come at any time.
    func abandonRenewal(_ number: Int) async
    /// Turns the microphone on or off.
    func setMicrophoneEnabled(_ enabled: Bool) async
    /// Turns the camera on or off.
    func setCameraEnabled(_ enabled: Bool) async
    /// Changes to the next camera.
    func flipCamera() async
    /// Closes devices and network. It may come at any time, also while another function is running.
    func close() async
}

/// The clocks of the calls.
public protocol CallClock: Sendable {
    /// Milliseconds of a clock that never goes back.
    func now() -> Int64
    /// Seconds since 1970.
    func wallClock() -> Int64
    /// Waits.
    /// - Throws: `CancellationError`.
    func sleep(milliseconds: Int64) async throws
}

/// Where finished calls are kept.
public protocol CallLogPort: Sendable {
    /// Keeps a finished call.
    func record(_ entry: CallLogEntry) async
}
