import BaseKit

/// The part of the peer's packets that is lost on the way, from counts since the beginning.
struct ReceiveLoss: Sendable, Equatable {
    /// The time over which it is counted, and fewest packets that say something.
    static let window: Duration = .seconds(4), fewest = 50

    private struct Count: Sendable, Equatable {
        var time: Instant
        var received: Int
        var lost: Int
    }

    private var counts: [Count] = []

    /// 0…1; 0 while too little is known.
    private(set) var loss = 0.0

    /// Takes what RTCP counts until `now`. `lost` may fall: a packet that comes late is not lost.
    mutating func update(received: Int, lost: Int, now: Instant) {
        // Another source in the place of one: what was counted before says nothing of it.
        if let last = counts.last, received < last.received { counts = [] }
        counts.append(Count(time: now, received: received, lost: lost))
        while counts.count > 2, now - counts[1].time >= Self.window { counts.removeFirst() }
        guard let first = counts.first else { return }
        let missing = max(lost - first.lost, 0)
        let all = received - first.received + missing
        guard all >= Self.fewest else {
            // Next to nothing came all the time: what was lost before says nothing of the way as it is.
            if now - first.time >= Self.window { loss = 0 }
            return
        }
        loss = Double(missing) / Double(all)
    }
}
