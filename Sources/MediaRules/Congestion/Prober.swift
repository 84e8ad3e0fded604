import BaseKit

/// Decides when to find out by a ``Probe`` whether the link carries more, and what follows from what came of it.
///
/// As libwebrtc's `ProbeController` does at the start of a call and when the application sends less than it may; beyond that also, more
/// often, when it sends all that it may, as nothing else finds out soon that a link has become much wider.
struct Prober: Sendable, Equatable {
    /// What a probe is held against.
    struct Situation: Sendable, Equatable {
        /// Bits a second that may be sent, above which nothing becomes better, and that arrive.
        var rate: Int, useful: Int, arriving: Int
        /// Whether nothing is congested and no queue is behind the packets.
        var isCalm: Bool
    }

    /// The first probe's rate, in those that a call begins with, and of each later one (libwebrtc: 3, then twice what came).
    static let first = 3.0, next = 2.0
    /// The part of a probe's rate that has to come for another one at once (libwebrtc: 0.7).
    static let success = 0.7
    /// The part of what is of use above which nothing is looked for.
    static let enough = 0.95
    /// The part of the rate below which the application keeps it low, and the time between two probes then, and otherwise.
    static let limited = 0.6, limitedPause: Duration = .seconds(5), pause: Duration = .seconds(2)
    /// The pause after probes that found nothing more, where it is longer.
    static let longestPause: Duration = .seconds(8)
    /// From which multiple of the rate on a probe has found much more.
    static let grown = 1.3
    /// How long a probe may take until it is reported on.
    static let patience: Duration = .seconds(1)
    /// The part of a rate before a fall that is looked for after it (libwebrtc: 0.85).
    static let regained = 0.85

    private enum Stage: Sendable, Equatable {
        /// Nothing has been asked yet.
        case new
        case idle(since: Instant)
        /// Another one is due at once, at this rate.
        case wanted(Int)
        case asked(Probe, at: Instant)
        case sent(ProbeCluster)
    }

    private var stage = Stage.new
    private var isFirst = true
    private var failures = 0
    private var former: Int?
    /// The rate at which the last one was asked for, and whether it found much more.
    private var asked = 0
    private var hasGrown = false

    /// Whether one is under way.
    var isUnderWay: Bool {
        switch stage {
        case .asked, .sent: true
        case .new, .idle, .wanted: false
        }
    }

    /// Whether a packet is one of a probe's, or left between them.
    func holds(_ packet: PacketReport) -> Bool {
        if case .sent(let cluster) = stage { cluster.holds(packet) } else { false }
    }

    /// The probe to send now; nil: none.
    mutating func probe(_ situation: Situation, now: Instant) -> Probe? {
        switch stage {
        case .asked(_, let at) where now - at > Self.patience: stage = .idle(since: now)
        case .sent(let cluster) where now - cluster.to > Self.patience: stage = .idle(since: now)
        case .asked, .sent: return nil
        case .new, .idle, .wanted: break
        }
        guard Double(situation.rate) < Self.enough * Double(situation.useful), situation.isCalm else { return nil }
        var bitrate = Int(Double(situation.rate) * (isFirst ? Self.first : Self.next))
        switch stage {
        case .asked, .sent: return nil
        case .new: break
        case .wanted(let rate): bitrate = max(rate, bitrate)
        case .idle(let since):
            let isLimited = Double(situation.arriving) < Self.limited * Double(situation.rate)
            guard now - since >= pause(isLimited: isLimited) else { return nil }
            if isLimited, let former { bitrate = max(bitrate, Int(Double(former) * Self.regained)) }
        }
        isFirst = false
        former = nil
        asked = situation.rate
        let probe = Probe(bitrate: min(bitrate, situation.useful))
        stage = .asked(probe, at: now)
        return probe
    }

    private func pause(isLimited: Bool) -> Duration {
        // What was lost by the application's quiet is looked for soon.
        if isLimited, former != nil || hasGrown { return Self.pause }
        let longest = isLimited ? Self.longestPause : Self.pause
        return min((isLimited ? Self.limitedPause : Self.pause) * (1 + failures), longest)
    }

    /// It has left between two moments; without them it could not.
    mutating func sent(_ probe: Probe, between moments: (from: Instant, to: Instant)?, now: Instant) {
        guard case .asked(probe, _) = stage else { return }
        stage = moments.map { .sent(ProbeCluster(probe, from: $0.from, to: $0.to)) } ?? .idle(since: now)
    }

    /// Takes reports; gives bits a second that a probe has shown to come through. `base` as in ``ProbeCluster/result(base:)``.
    mutating func receive(_ packets: [PacketReport], base: Duration?, now: Instant) -> Int? {
        guard case .sent(var cluster) = stage else { return nil }
        for packet in packets { cluster.add(packet) }
        stage = .sent(cluster)
        guard cluster.isComplete else { return nil }
        stage = .idle(since: now)
        hasGrown = false
        guard let result = cluster.result(base: base) else {
            failures += 1
            return nil
        }
        // Encoders need a moment to use what was found: that they don't yet is not for want of something to send.
        hasGrown = Double(result) > Self.grown * Double(asked)
        if Double(result) >= Self.success * Double(cluster.probe.bitrate) {
            failures = 0
            stage = .wanted(Int(Double(result) * Self.next))
        } else {
            failures += 1
        }
        return result
    }

    /// The rate has fallen a lot, from `former` bits a second.
    mutating func fell(from former: Int, now: Instant) {
        self.former = max(former, self.former ?? 0)
        stage = .idle(since: now)
    }

    /// Everything that was measured says nothing any more: begins anew.
    mutating func restart() { self = Prober() }
}
