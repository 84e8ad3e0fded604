import BaseKit

/// Which step of offer and answer a session may take: each once, in its order.
///
/// A step out of order is refused with an error and changes nothing, so that a repeated or late description of the peer can
/// neither exchange the certificate that is expected nor leave anybody waiting.
struct NegotiationStage: Sendable, Equatable {
    private enum Stage: Sendable, Equatable {
        case nothing
        case offering
        case awaitingAnswer
        /// The answer is being made or applied.
        case agreeing
        case agreed
        case failed
    }

    private var stage = Stage.nothing

    /// The time after the peer's description within which its certificate has to be verified. Longer than a call waits
    /// (30 s, Calls fact sheet §5), which then says more.
    static let patience: Duration = .seconds(45)

    /// Our offer is to be made.
    mutating func beginOffer() throws(MediaError) {
        guard stage == .nothing else { throw .negotiation(.underWay) }
        stage = .offering
    }

    /// Our offer has been set: the answer may come.
    mutating func offered() {
        if stage == .offering { stage = .awaitingAnswer }
    }

    /// The peer's offer is to be answered.
    mutating func beginAnswer() throws(MediaError) {
        guard stage == .nothing else { throw .negotiation(.unexpectedOffer) }
        stage = .agreeing
    }

    /// Whether the peer's answer is expected now.
    func expectAnswer() throws(MediaError) {
        guard stage == .awaitingAnswer else { throw .negotiation(.unexpectedAnswer) }
    }

    /// The peer's answer is to be applied.
    mutating func beginApplying() throws(MediaError) {
        try expectAnswer()
        stage = .agreeing
    }

    /// Both descriptions have been set.
    mutating func agreed() {
        if stage == .agreeing { stage = .agreed }
    }

    /// Whether both descriptions have been set.
    var isAgreed: Bool { stage == .agreed }

    /// A step failed: no other may follow.
    mutating func failed() { stage = .failed }

    /// What to end the session with at `now`, when the peer's description was set at `since` and no verified channel came of
    /// it; nil while there is hope.
    static func overdue(since: Instant, now: Instant, isICEConnected: Bool) -> MediaError? {
        guard now - since > patience else { return nil }
        return isICEConnected ? .negotiation(.noChannel) : .unreachable
    }
}
