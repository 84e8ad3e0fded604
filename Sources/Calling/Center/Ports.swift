import BaseKit
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

/// What the calls need from the media's side.
public protocol CallMediaPort: Sendable {
    /// Opens devices and network for a call. It is only ever called after the local person dialled or accepted.
    func open(_ plan: MediaPlan, for callID: CallID) async throws -> any CallMediaSession
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
    /// Stops all media and closes devices, or goes on; the path stays open.
    func setHeld(_ isHeld: Bool) async
    /// Closes devices and network. It may come at any time, also while another function is running.
    func close() async
}

/// The clocks of the calls.
public protocol CallClock: Sendable {
    /// This moment of a clock that never goes back, and stands while the machine sleeps.
    var now: Instant { get }
    /// Seconds since 1970.
    func wallClock() -> Int64
    /// Waits.
    /// - Throws: `CancellationError`.
    func sleep(for time: Duration) async throws
}

/// Where finished calls are kept.
public protocol CallLogPort: Sendable {
    /// Keeps a finished call.
    func record(_ entry: CallLogEntry) async
}

/// Where invitations are kept that are not settled, so that they outlive the process.
public protocol InvitationKeepingPort: Sendable {
    /// Takes all of them, each time they are others than before. It returns at once, before any message is sent because of
    /// the change.
    func keep(_ invitations: [KeptInvitation])
}
