import BaseKit

/// Watches which of the peer's sources are on, by a clock that stands still while nothing arrives.
package struct PeerMediaWatch: Sendable, Equatable {
    private var detector = PeerMediaDetector()
    private var clock = ArrivalClock()

    package init() {}

    /// What is on now, and what was before.
    package struct Change: Sendable, Equatable {
        package var before: PeerMedia
        package var now: PeerMedia
    }

    /// Nothing of the peer is counted until the next counts are taken: what is on stays so.
    package mutating func pause() { clock.pause() }

    /// Takes the counts so far at `now`; gives what changed.
    package mutating func update(
        _ received: MediaStatistics.Direction, packets: Int, isPeerOlder: Bool, now: Instant
    ) -> Change? {
        let before = detector.state
        detector.isPeerOlder = isPeerOlder
        return detector.update(
            audioFrames: received.audioFrames, videoFrames: received.videoFrames, screenFrames: received.screenFrames,
            screenSoundFrames: received.screenSoundFrames, now: clock.update(packets: packets, now: now)
        ).map { Change(before: before, now: $0) }
    }
}
