import BaseKit

/// What of the call in front is to be heard besides its media, and that another one waits: which tone begins and ends when.
struct CallTones: Sendable, Equatable {
    /// The sounds; each has a file of its name.
    enum Tone: String, Sendable, CaseIterable {
        /// Somebody calls.
        case ring
        /// It rings where we call.
        case ringback
        /// Who we called is in another call.
        case busy
        /// Who we called is in another call, and has been told of ours.
        case inAnotherCall = "in-another-call"
        /// Somebody calls while we are in another call.
        case waiting
        /// The call is over.
        case end
        /// Media was lost and is being restored.
        case reconnecting

        /// Whether it is played over and over as long as it holds; the others are played once, to their end.
        var isRepeated: Bool {
            switch self {
            case .ring, .ringback, .inAnotherCall, .waiting, .reconnecting: true
            case .busy, .end: false
            }
        }
    }

    /// What to do.
    enum Step: Sendable, Equatable {
        /// Play a tone from its beginning, in place of any other.
        case play(Tone)
        /// Play nothing any more.
        case stop
    }

    /// How long it rings for one call.
    static let longestRing = Duration.seconds(60)

    /// What is played, or was to its end.
    private(set) var tone: Tone?
    /// When the ring is to end; nil while there is none.
    var deadline: Instant? { tone == .ring ? ringSince.map { $0 + Self.longestRing } : nil }

    // Of the present call.
    private var call = 0
    private var hasWaiting = false
    private var snapshot: CallSnapshot?
    private var ringSince: Instant?
    private var wasConnected = false

    /// Takes in how the call in front stands, and whether another one waits behind it; nil when there is none any more. Another `call` is
    /// another call, and so is one after there was none.
    mutating func follow(
        _ snapshot: CallSnapshot?, call: Int = 0, hasWaiting: Bool = false, at now: Instant
    ) -> Step? {
        if call != self.call { (ringSince, wasConnected) = (nil, false) }
        (self.call, self.snapshot, self.hasWaiting) = (call, snapshot, hasWaiting)
        switch snapshot?.stage {
        case nil: (ringSince, wasConnected) = (nil, false)
        case .ringingIn: ringSince = ringSince ?? now
        case .active, .reconnecting: wasConnected = true
        case .ringingOut, .connecting, .ended: break
        }
        return change(at: now)
    }

    /// Time has passed, as far as the deadline.
    mutating func pass(at now: Instant) -> Step? { change(at: now) }

    /// A call that was connected is over, and another one is in front by now.
    mutating func endedBehind() -> Step? {
        guard tone == nil else { return nil }
        tone = .end
        return .play(.end)
    }

    private mutating func change(at now: Instant) -> Step? {
        // The page of a call may go before its last tone has been heard.
        if snapshot == nil || snapshot?.isHeld == true, let tone, !tone.isRepeated { return nil }
        let wanted = wanted(at: now)
        guard wanted != tone else { return nil }
        tone = wanted
        return wanted.map(Step.play) ?? .stop
    }

    private func wanted(at now: Instant) -> Tone? {
        guard let snapshot else { return nil }
        if hasWaiting, !snapshot.stage.isEnded, snapshot.stage != .ringingIn { return .waiting }
        switch snapshot.stage {
        case .ringingIn: return now.isAfter(ringSince, by: Self.longestRing) ? nil : .ring
        case .ringingOut where !snapshot.isDelivered || snapshot.isWaitingForRelay: return nil
        case .ringingOut: return snapshot.isWaitingAtPeer ? .inAnotherCall : .ringback
        case .connecting, .active: return nil
        case .reconnecting: return snapshot.isHeld ? nil : .reconnecting
        case .ended: return snapshot.isPeerBusy ? .busy : wasConnected ? .end : nil
        }
    }
}
