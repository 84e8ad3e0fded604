import BaseKit

/// Which pictures of each member we ask a forwarding server for: by the size at which they are shown here, and by what the way from the
/// server carries.
///
/// The server estimates nothing (Janus 1.1.2), so that who receives has to say what is too much. What is too much is taken from those
/// shown smallest first, and from a shared screen, which is there to be read, behind all cameras: large pictures become small ones, and
/// then none; sound is never touched. It comes back one step at a time after a calm while, and each time that was too early it takes longer.
///
/// Of whom no sound comes some pictures are always asked for: who sends nothing at all can't be told from who has gone.
package struct LayerChoice: Sendable, Equatable {
    /// From how many rows on the screen large pictures are asked for, and of how many members at most.
    static let largeRows = 240, mostLarge = 4
    /// How long packets queue, and how many are lost, where it is too much; and where all is well. Radio links lose at random, whatever
    /// comes by them.
    static let full: Congestion = (.milliseconds(120), 0.1), calm: Congestion = (.milliseconds(60), 0.08)
    /// From this loss on it is too much for small pictures too.
    static let certainLoss = 0.25
    /// From this queue on half of what is left is taken at once.
    static let overfull: Duration = .milliseconds(300)
    /// What was changed shows after so long.
    static let settling: Duration = .seconds(1)
    /// How long it has to be calm before more is asked for, at first and at most, and how soon after that it was too early.
    static let patience: Duration = .seconds(4), mostPatience: Duration = .seconds(64), trial: Duration = .seconds(5)
    /// How long at most while there is somebody of whom nothing is asked for: a small picture that is too much costs less than none.
    static let mostPatienceWithNothing: Duration = .seconds(16)
    /// After so long with more it was not too early.
    static let proven: Duration = .seconds(10)
    /// A look that comes so long after the last shows that this machine is behind, and what it reads late is no queue on the way.
    static let late: Duration = .milliseconds(750)

    typealias Congestion = (queue: Duration, loss: Double)
    private typealias Wish = (member: UInt8, layer: ForwardedLayer, least: ForwardedLayer)

    /// A member's feed.
    package struct Feed: Sendable, Equatable {
        /// The size at which the pictures are shown; nil: it is not known. Nothing is asked for where it has no pixels.
        package var shown: PictureSize?
        /// How long its packets queue on their way here; nil while that is not known.
        package var queue: Duration?
        /// The part of its packets that is lost, 0…1; nil while that is not known.
        package var loss: Double?
        /// Whether its pictures are of a shared screen.
        package var isScreen = false
        /// Whether its sound comes.
        package var hasSound = true

        package init(shown: PictureSize? = nil, queue: Duration? = nil, loss: Double? = nil) {
            (self.shown, self.queue, self.loss) = (shown, queue, loss)
        }

        /// Whether it is shown, as far as that is known.
        fileprivate var isSeen: Bool { shown.map { $0.pixels > 0 } ?? true }

        fileprivate var isSeenScreen: Bool { isScreen && isSeen }

        /// The least that is asked for of it.
        fileprivate var least: ForwardedLayer { hasSound ? .none : .low }
    }

    /// How many steps below what would be asked for on a way that carries everything.
    private var steps = 0
    private var lookedAt: Instant?
    private var changedAt: Instant?
    private var calmSince: Instant?
    private var raisedAt: Instant?
    private var patience = LayerChoice.patience

    package init() {}

    /// What to ask for of each member, as things are now.
    package mutating func update(_ feeds: [UInt8: Feed], now: Instant) -> [UInt8: ForwardedLayer] {
        let wanted = Self.wanted(feeds)
        let most = wanted.reduce(0) { $0 + $1.layer.steps - $1.least.steps }
        steps = min(steps, most)
        let isLate = lookedAt.map { now - $0 >= Self.late } ?? false
        lookedAt = now
        let (queue, loss) = Self.congestion(of: feeds)
        if isLate {
            calmSince = nil
        } else if queue >= Self.full.queue || loss >= Self.certainLoss {
            lower(by: queue >= Self.overfull ? max(1, (most - steps) / 2) : 1, most: most, now: now)
        } else if loss >= Self.full.loss {
            lower(by: 1, most: wanted.count { $0.layer == .high }, now: now)
        } else if queue < Self.calm.queue, loss < Self.calm.loss {
            let isNobodyLeftOut = steps <= wanted.count { $0.layer == .high }
            raise(after: isNobodyLeftOut ? patience : min(patience, Self.mostPatienceWithNothing), now: now)
        } else {
            calmSince = nil
        }
        return Self.taken(steps, from: wanted)
    }

    private mutating func lower(by count: Int, most: Int, now: Instant) {
        calmSince = nil
        guard steps < most, changedAt.map({ now - $0 >= Self.settling }) ?? true else { return }
        if let raisedAt, now - raisedAt < Self.trial { patience = min(patience * 2, Self.mostPatience) }
        steps = min(steps + count, most)
        (changedAt, raisedAt) = (now, nil)
    }

    private mutating func raise(after patience: Duration, now: Instant) {
        if let raisedAt, now - raisedAt >= Self.proven { (self.raisedAt, self.patience) = (nil, Self.patience) }
        let since = calmSince ?? now
        calmSince = since
        guard steps > 0, now - since >= patience else { return }
        steps -= 1
        (changedAt, raisedAt, calmSince) = (now, now, now)
    }

    /// What is asked for by size alone, of screens first and then of those shown largest.
    private static func wanted(_ feeds: [UInt8: Feed]) -> [Wish] {
        var large = mostLarge
        let order = feeds.sorted { one, other in
            let (isScreen, isOtherScreen) = (one.value.isSeenScreen, other.value.isSeenScreen)
            guard isScreen == isOtherScreen else { return isScreen }
            let (a, b) = (one.value.shown?.pixels ?? .max, other.value.shown?.pixels ?? .max)
            return a == b ? one.key < other.key : a > b
        }
        return order.map { member, feed in
            guard feed.isSeen else { return (member, feed.least, feed.least) }
            let isLarge = feed.isScreen || feed.shown.map { $0.height >= largeRows } ?? true
            guard isLarge, large > 0 else { return (member, .low, feed.least) }
            large -= 1
            return (member, .high, feed.least)
        }
    }

    /// All feeds come by the same way. Packets that are lost on a sender's way to the server are lost here too: so the middle one's loss
    /// counts, but the longest queue, which is ours alone.
    private static func congestion(of feeds: [UInt8: Feed]) -> Congestion {
        let losses = feeds.values.compactMap(\.loss).sorted()
        return (
            feeds.values.compactMap(\.queue).max() ?? .zero, losses.isEmpty ? 0 : losses[(losses.count - 1) / 2]
        )
    }

    /// So many steps down, from those shown smallest: large to small first, and once all are small, to none.
    private static func taken(_ steps: Int, from wanted: [Wish]) -> [UInt8: ForwardedLayer] {
        var (left, layers) = (steps, wanted)
        for (from, to) in [(ForwardedLayer.high, ForwardedLayer.low), (.low, .none)] {
            for index in layers.indices.reversed()
            where layers[index].layer == from && layers[index].least.steps <= to.steps && left > 0 {
                layers[index].layer = to
                left -= 1
            }
        }
        return Dictionary(uniqueKeysWithValues: layers.map { ($0.member, $0.layer) })
    }
}

extension ForwardedLayer {
    /// How far it is above nothing.
    fileprivate var steps: Int {
        switch self {
        case .high: 2
        case .low: 1
        case .none: 0
        }
    }
}
