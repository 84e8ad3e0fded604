import BaseKit

/// What is told of the way to the peer, and how long the jitter buffers are to wait for that.
package struct LinkWatch: Sendable, Equatable {
    /// The time between two reports.
    static let interval: Duration = .milliseconds(500)

    /// Milliseconds to the peer and back, as the last report says.
    package private(set) var roundTrip: Int?
    private var jitterLatency: JitterLatency
    private var receiveLoss = ReceiveLoss()
    private var readAt: Instant?
    /// The last that was told; none before, which is what it is on ways that are too short to be measured.
    private var lastTrip = 0

    /// Milliseconds that the jitter buffers wait at least for a packet that is missing.
    package init(shortest: Int) { jitterLatency = JitterLatency(shortest: shortest) }

    /// What the jitter buffers are set to.
    package var setting: JitterLatency.Setting { jitterLatency.setting }
    /// How long what has come waits to be played.
    package var wait: PlayoutWait { jitterLatency.setting.wait }
    /// Part of the peer's packets that was lost lately, 0…1.
    package var loss: Double { receiveLoss.loss }

    /// Whether another report is to be read.
    package func isDue(now: Instant) -> Bool { now.isAfter(readAt, by: Self.interval) }

    /// Takes a report; gives what the jitter buffers are to be set to when it changes. `own` is what sound needs from where it waits to the ear, in
    /// milliseconds.
    package mutating func update(_ report: LinkReport, own: Int? = nil, now: Instant) -> JitterLatency.Setting? {
        readAt = now
        roundTrip = report.roundTrip
        lastTrip = roundTrip ?? lastTrip
        receiveLoss.update(received: report.received, lost: report.lost, now: now)
        return jitterLatency.update(
            roundTrip: lastTrip, jitter: report.jitter, loss: loss, arrivals: report.arrivals, own: own,
            now: now)
    }

    /// The path is back. What was lost while it was broken says nothing of it now; the next report comes after all of that.
    package mutating func recovered(now: Instant) {
        receiveLoss = ReceiveLoss()
        readAt = now + Self.interval
    }

    /// Another transport carries: its counts are those of another RTP session.
    package mutating func replaced() {
        receiveLoss = ReceiveLoss()
        jitterLatency.replaced()
        readAt = nil
    }
}
