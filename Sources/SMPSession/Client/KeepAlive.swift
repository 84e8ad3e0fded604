import BaseKit

/// Decides when to ask a silent relay whether it is still there (SMP fact sheet §11).
///
/// A relay that is merely silent may have nothing to say, and is asked rarely. One that owes an answer is asked at once, and
/// counts as gone when it does not answer that either.
package struct KeepAlive: Sendable, Equatable {
    package enum Action: Equatable {
        /// Ask again at the given time.
        case wait(until: Instant)
        case ping
        case drop
    }

    /// Silence after which a PING is sent.
    package let interval: Duration
    /// Unanswered PINGs after which the connection counts as dead, if nothing else arrived for `deadAfter` either.
    let maximumTimeouts = 3
    let deadAfter: Duration
    private var lastReceived: Instant
    private var lastPing: Instant?
    private var timeouts = 0
    /// Whether a request stayed without an answer, and nothing at all came since it was sent.
    private var isSuspected = false

    package init(interval: Duration, now: Instant) {
        self.interval = interval
        deadAfter = interval + interval / 2
        lastReceived = now
    }

    /// Anything arrived.
    package mutating func received(now: Instant) {
        lastReceived = now
        lastPing = nil
        timeouts = 0
        isSuspected = false
    }

    /// A request other than PING stayed without an answer for so long.
    package mutating func requestTimedOut(after patience: Duration, now: Instant) {
        guard !isSuspected, now - lastReceived >= patience else { return }
        isSuspected = true
        lastPing = nil
        timeouts = 0
    }

    /// A PING stayed without an answer.
    package mutating func pingTimedOut() { timeouts += 1 }

    /// What to do now.
    package mutating func check(now: Instant) -> Action {
        if isSuspected ? timeouts >= 1 : timeouts >= maximumTimeouts && now - lastReceived >= deadAfter {
            return .drop
        }
        // After the first PING the others follow soon, so that the third has timed out by `deadAfter`.
        let due = lastPing.map { $0 + interval / 4 } ?? (isSuspected ? now : lastReceived + interval)
        guard now >= due else { return .wait(until: due) }
        lastPing = now
        return .ping
    }
}
