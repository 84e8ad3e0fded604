import Signaling

/// What a `JanusMachine` is asked for.
package enum JanusCommand: Sendable, Equatable {
    case makeRoom(SFURoomPlan)
    case exists(SFUNumber)
    case participants(SFUNumber)
    case destroyRoom(SFUNumber, secret: SecretText)
    /// Another PIN and another secret, which also goes by the old secret.
    case lockRoom(SFUNumber, secret: SecretText, SFURoomLock)
    case kick(SFUNumber, room: SFUNumber, secret: SecretText)
    /// The own feed's number and what it shows of itself.
    case join(SFURoom, SFUFeed)
    case publish(own: SFUNumber, offer: String)
    case leave(own: SFUNumber)
    case subscribe(SFUNumber)
    case answer(SFUNumber, String)
    case configure(SFUNumber, SFUFeedChoice)
    case unsubscribe(SFUNumber)
    case addCandidates(SFUPath, [SFUCandidate], isComplete: Bool)
}

/// What came of a command.
package enum JanusAnswer: Sendable, Equatable {
    case done
    /// An offer or an answer.
    case description(String)
    case participants([SFUParticipant])
    case exists(Bool)
}

/// What was passed over, by reason.
package struct JanusCounts: Sendable, Equatable {
    /// Too long, no JSON, or known fields of the wrong type.
    package var unreadable = 0
    /// Of a kind that is not known.
    var unknownKinds = 0
    /// Answers to what was not asked, or was answered already.
    var unknownTransactions = 0
    /// About handles that are not there.
    var unknownSenders = 0
    /// Of another session.
    var otherSessions = 0
    /// Feeds beyond those that are taken.
    var excessFeeds = 0
    /// Came while nothing can come.
    var untimely = 0
}

/// How long to wait before the next attempt: from 0.3 s, twice as long each time, up to 5 s (docs/groups.md).
struct ReconnectSchedule: Sendable, Equatable {
    static let shortest: Duration = .milliseconds(300)
    static let longest: Duration = .seconds(5)
    private var attempts = 0

    init() {}

    /// The next delay. `chance`: from 0 to 1, so that not everybody returns at once.
    mutating func next(chance: Double) -> Duration {
        let delay = Self.shortest * (1 << min(attempts, 5))
        attempts += 1
        return max(Self.shortest, min(Self.longest, delay * (0.75 + 0.5 * min(max(chance, 0), 1))))
    }

    mutating func reset() { attempts = 0 }
}
