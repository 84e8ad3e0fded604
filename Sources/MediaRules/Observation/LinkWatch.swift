import BaseKit

/// What RTCP tells of the way to the peer, and how long the jitter buffers are to wait for that.
package struct LinkWatch: Sendable, Equatable {
    /// The time between two reports.
    static let interval: Duration = .milliseconds(500)

    /// Milliseconds to the peer and back, as the last report says.
    package private(set) var roundTrip: Int?
    private var jitterLatency: JitterLatency
    private var receiveLoss = ReceiveLoss()
    private var readAt: Instant?

    /// Milliseconds that the jitter buffers wait at least.
    package init(shortest: Int) { jitterLatency = JitterLatency(shortest: shortest) }

    /// Milliseconds that the jitter buffers wait.
    package var latency: Int { jitterLatency.latency }
    /// Part of the peer's packets that was lost lately, 0…1.
    package var loss: Double { receiveLoss.loss }

    /// Whether another report is to be read.
    package func isDue(now: Instant) -> Bool { now.isAfter(readAt, by: Self.interval) }

    /// Takes a report; gives what the jitter buffers are to be set to when it changes.
    package mutating func update(_ report: LinkReport, now: Instant) -> JitterLatency.Setting? {
        readAt = now
        roundTrip = report.roundTrip
        receiveLoss.update(received: report.received, lost: report.lost, now: now)
        guard let roundTrip = report.roundTrip else { return nil }
        return jitterLatency.update(roundTrip: roundTrip, jitter: report.jitter, loss: loss, now: now)
    }

    /// The path is back. What was lost while it was broken says nothing of it now; the next report comes after all of that.
    package mutating func recovered(now: Instant) {
        receiveLoss = ReceiveLoss()
        readAt = now + Self.interval
    }

    /// Another transport carries: its counts are those of another RTP session.
    package mutating func replaced() {
        receiveLoss = ReceiveLoss()
        readAt = nil
    }
}
