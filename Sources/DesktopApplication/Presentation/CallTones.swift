import BaseKit

/// What of a call is to be heard besides its media: which tone begins and ends when. One call after the other.
struct CallTones: Sendable, Equatable {
    /// The sounds; each has a file of its name.
    enum Tone: String, Sendable, CaseIterable {
        /// Somebody calls.
        case ring
        /// It rings where we call.
        case ringback
        /// Who we called is in another call.
        case busy
        /// The call is over.
        case end
        /// Media was lost and is being restored.
        case reconnecting

        /// Whether it is played over and over as long as it holds; the others are played once, to their end.
        var isRepeated: Bool { self == .ring || self == .ringback || self == .reconnecting }
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
    private var snapshot: CallSnapshot?
    private var ringSince: Instant?
    private var wasConnected = false

    /// Takes in how the call stands; nil when there is none any more. Between two calls there is none.
    mutating func follow(_ snapshot: CallSnapshot?, at now: Instant) -> Step? {
        self.snapshot = snapshot
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

    private mutating func change(at now: Instant) -> Step? {
        // The page of a call may go before its last tone has been heard.
        if snapshot == nil, let tone, !tone.isRepeated { return nil }
        let wanted = wanted(at: now)
        guard wanted != tone else { return nil }
        tone = wanted
        return wanted.map(Step.play) ?? .stop
    }

    private func wanted(at now: Instant) -> Tone? {
        guard let snapshot else { return nil }
        switch snapshot.stage {
        case .ringingIn: return now.isAfter(ringSince, by: Self.longestRing) ? nil : .ring
        case .ringingOut: return snapshot.isDelivered && !snapshot.isWaitingForRelay ? .ringback : nil
        case .connecting, .active: return nil
        case .reconnecting: return .reconnecting
        case .ended: return snapshot.isPeerBusy ? .busy : wasConnected ? .end : nil
        }
    }
}
