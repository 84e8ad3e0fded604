import BaseKit

/// Which pictures of each member we ask a forwarding server for: by the size at which they are shown here, by what this machine decodes in
/// time (``DecodedLayer``), and by what the way from the server carries.
///
/// The server estimates nothing (Janus 1.1.2), so that who receives has to say what is too much. What is too much is taken from those
/// shown smallest first, and from a shared screen, which is there to be read, behind all cameras: large pictures become small ones, then
/// the smallest, and then none; sound is never touched. How much it is shows in what comes by the full way. Then it is waited for: the
/// server goes on with larger pictures until it has a key frame of the others. What was taken comes back after a calm while, and each
/// time that was too early it takes longer.
///
/// Of whom no voice comes some pictures are always asked for: who sends nothing at all can't be told from who has gone.
package struct LayerChoice: Sendable, Equatable {
    /// From how many rows on the screen large pictures are asked for, and of how many members at most; and below how many rows the smallest.
    static let largeRows = 240, mostLarge = 4, smallRows = 100
    /// How long packets queue, and how many are lost, where it is too much; and where all is well. Radio links lose at random, whatever
    /// comes by them, and what is lost has two of them behind it, a sender's and our own.
    static let full: Congestion = (.milliseconds(120), 0.15), calm: Congestion = (.milliseconds(60), 0.12)
    /// From this loss on it is too much for any pictures.
    static let certainLoss = 0.25
    /// From this queue on half of what is left is taken at once, at least.
    static let overfull: Duration = .milliseconds(300)
    /// The part of what comes by a full way that it carries without a queue.
    static let carried = 0.85
    /// What was changed shows after so long behind the first pictures of the size that was asked for, and these come after so long at most.
    static let settling: Duration = .seconds(1), mostSettling: Duration = .seconds(3)
    /// How long it has to be calm before more is asked for, at first and at most, and how soon after that it was too early.
    static let patience: Duration = .seconds(4), mostPatience: Duration = .seconds(64), trial: Duration = .seconds(5)
    /// How long at most while there is somebody of whom nothing is asked for: a small picture that is too much costs less than none.
    static let mostPatienceWithNothing: Duration = .seconds(16)
    /// After so long with more it was not too early.
    static let proven: Duration = .seconds(10)
    /// A look that comes so long after the last shows that this machine is behind, and what it reads late is no queue on the way.
    static let late: Duration = .milliseconds(750)

    typealias Congestion = (queue: Duration, loss: Double)
    private typealias Wish = (member: UInt8, layer: ForwardedLayer, least: ForwardedLayer, hasSound: Bool)

    /// A member's feed.
    package struct Feed: Sendable, Equatable {
        /// The size at which the pictures are shown; nil: it is not known. Nothing is asked for where it has no pixels.
        package var shown: PictureSize?
        /// How long its packets queue on their way here; nil while that is not known.
        package var queue: Duration?
        /// The part of its packets that is lost, 0…1; nil while that is not known.
        package var loss: Double?
        /// Bits a second that come of it; nil while that is not known.
        package var rate: Int?
        /// The pictures of it that are shown; nil before any.
        package var coming: ForwardedLayer?
        /// The part of the time between two of its pictures that decoding one takes; 0 while none come.
        package var decoding = 0.0
        /// Whether its pictures are of a shared screen.
        package var isScreen = false
        /// Whether its voice comes.
        package var hasSound = true
        /// Whether its screen's sound comes.
        package var hasScreenSound = false

        package init(shown: PictureSize? = nil, queue: Duration? = nil, loss: Double? = nil) {
            (self.shown, self.queue, self.loss) = (shown, queue, loss)
        }

        /// Whether it is shown, as far as that is known.
        fileprivate var isSeen: Bool { shown.map { $0.pixels > 0 } ?? true }

        fileprivate var isSeenScreen: Bool { isScreen && isSeen }

        /// The least that is asked for of it.
        fileprivate var least: ForwardedLayer { hasSound ? .none : .lowest }
    }

    /// Whether packets queue too long. What is asked for again then takes the place of what comes, and comes too late.
    package private(set) var isFull = false
    /// How many steps below what would be asked for on a way that carries everything.
    private var steps = 0
    private var lookedAt: Instant?
    private var changedAt: Instant?
    /// When larger pictures came last than were asked for.
    private var unsettledAt: Instant?
    private var calmSince: Instant?
    private var raisedAt: Instant?
    private var patience = LayerChoice.patience
    /// The largest pictures of each feed that this machine decodes in time.
    private var decoded: [UInt8: DecodedLayer] = [:]
    /// How many steps come back at once: twice as many each time that was calm.
    private var stride = 1

    package init() {}

    /// What to ask for of each member, as things are now.
    package mutating func update(_ feeds: [UInt8: Feed], now: Instant) -> [UInt8: ForwardedLayer] {
        let large = RoomBounds(others: feeds.count).pictures
        for (member, feed) in feeds {
            decoded[member, default: DecodedLayer()].update(feed.decoding, of: feed.coming, large: large, now: now)
        }
        let wanted = wanted(feeds)
        let most = wanted.reduce(0) { $0 + $1.layer.steps - $1.least.steps }
        steps = min(steps, most)
        let isLate = lookedAt.map { now - $0 >= Self.late } ?? false
        lookedAt = now
        let asked = Self.taken(steps, from: wanted)
        let (queue, loss) = Self.congestion(of: feeds, asked)
        note(feeds, asked, now: now)
        if queue >= Self.full.queue { isFull = true } else if queue < Self.calm.queue { isFull = false }
        // Losses are counted over a while, in which there may have been more than comes now.
        let isLossNew = hasPassed(ReceiveLoss.window, now: now)
        if isLate {
            calmSince = nil
        } else if queue >= Self.full.queue || isLossNew && loss >= Self.certainLoss {
            let least = queue >= Self.overfull ? max(1, (most - steps) / 2) : 1
            lower(by: max(least, excess(of: feeds, wanted, most: most)), most: most, now: now)
        } else if isLossNew, loss >= Self.full.loss {
            lower(by: 1, most: Self.mostWithPictures(of: wanted), now: now)
        } else if queue < Self.calm.queue, loss < Self.calm.loss {
            let isNobodyLeftOut = steps <= Self.mostWithPictures(of: wanted)
            raise(after: isNobodyLeftOut ? patience : min(patience, Self.mostPatienceWithNothing), now: now)
        } else {
            calmSince = nil
        }
        return Self.taken(steps, from: wanted)
    }

    /// How many steps can be taken so that pictures of all who are wanted still come.
    private static func mostWithPictures(of wanted: [Wish]) -> Int {
        wanted.reduce(0) { $0 + max(0, $1.layer.steps - ForwardedLayer.lowest.steps) }
    }

    /// Looks whether the server has followed the last change.
    private mutating func note(_ feeds: [UInt8: Feed], _ asked: [UInt8: ForwardedLayer], now: Instant) {
        guard let changedAt, now - changedAt < Self.mostSettling else { return }
        let isUnsettled = asked.contains { member, layer in
            layer != .none && (feeds[member]?.coming?.steps ?? 0) > layer.steps
        }
        if isUnsettled { unsettledAt = now }
    }

    /// Whether it is so long ago that something was changed and that more came than was asked for.
    private func hasPassed(_ time: Duration, now: Instant) -> Bool {
        [changedAt, unsettledAt].allSatisfy { $0.map { now - $0 >= time } ?? true }
    }

    private mutating func lower(by count: Int, most: Int, now: Instant) {
        calmSince = nil
        guard steps < most, hasPassed(Self.settling, now: now) else { return }
        if let raisedAt, now - raisedAt < Self.trial { patience = min(patience * 2, Self.mostPatience) }
        steps = min(steps + count, most)
        (changedAt, raisedAt, stride) = (now, nil, 1)
    }

    private mutating func raise(after patience: Duration, now: Instant) {
        if let raisedAt, now - raisedAt >= Self.proven { (self.raisedAt, self.patience) = (nil, Self.patience) }
        let since = calmSince ?? now
        calmSince = since
        guard steps > 0, now - since >= patience else { return }
        steps = max(0, steps - stride)
        (changedAt, raisedAt, calmSince, stride) = (now, now, now, stride * 2)
    }

    /// How many steps more have to be taken so that what is asked for then is within what comes by a full way; 0 where that is not known.
    private func excess(of feeds: [UInt8: Feed], _ wanted: [Wish], most: Int) -> Int {
        let rates = feeds.values.compactMap(\.rate)
        guard rates.count == feeds.count, steps < most else { return 0 }
        let limit = Int(Double(rates.reduce(0, +)) * Self.carried)
        let voice = SoundStep.all[RoomBounds(others: feeds.count).soundStep].share
        let sound =
            voice * wanted.count(where: \.hasSound)
            + SendShares.screenSound * feeds.values.count(where: \.hasScreenSound)
        let fitting = (steps...most).first { steps in
            Self.taken(steps, from: wanted).values.reduce(sound) { $0 + $1.rate } <= limit
        }
        return (fitting ?? most) - steps
    }

    /// What is asked for by size and machine alone, of screens first and then of those shown largest.
    private func wanted(_ feeds: [UInt8: Feed]) -> [Wish] {
        var large = Self.mostLarge
        let order = feeds.sorted { one, other in
            let (isScreen, isOtherScreen) = (one.value.isSeenScreen, other.value.isSeenScreen)
            guard isScreen == isOtherScreen else { return isScreen }
            let (a, b) = (one.value.shown?.pixels ?? .max, other.value.shown?.pixels ?? .max)
            return a == b ? one.key < other.key : a > b
        }
        return order.map { member, feed in
            guard feed.isSeen else { return (member, feed.least, feed.least, feed.hasSound) }
            let most = decoded[member]?.most ?? .high
            let isLarge = feed.isScreen || feed.shown.map { $0.height >= Self.largeRows } ?? true
            guard isLarge, large > 0, most == .high else {
                let isSmallest = most == .lowest || feed.shown.map { $0.height < Self.smallRows } ?? false
                return (member, isSmallest ? .lowest : .low, feed.least, feed.hasSound)
            }
            large -= 1
            return (member, .high, feed.least, feed.hasSound)
        }
    }

    /// All feeds come by the same way. Packets that are lost on a sender's way to the server are lost here too: so the middle one's loss
    /// counts, but the longest queue, which is ours alone. Of whom no pictures are asked for any more the last ones tell of what was.
    private static func congestion(of feeds: [UInt8: Feed], _ asked: [UInt8: ForwardedLayer]) -> Congestion {
        let losses = feeds.values.compactMap(\.loss).sorted()
        let queues = feeds.filter { asked[$0.key] != ForwardedLayer.none }.values.compactMap(\.queue)
        return (queues.max() ?? .zero, losses.isEmpty ? 0 : losses[(losses.count - 1) / 2])
    }

    /// So many steps down, from those shown smallest: large to small first, then to the smallest, and once all are those, to none.
    private static func taken(_ steps: Int, from wanted: [Wish]) -> [UInt8: ForwardedLayer] {
        var (left, layers) = (steps, wanted)
        for (from, to) in [(ForwardedLayer.high, ForwardedLayer.low), (.low, .lowest), (.lowest, .none)] {
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
    var steps: Int {
        switch self {
        case .high: 3
        case .low: 2
        case .lowest: 1
        case .none: 0
        }
    }

    /// What they take, with headers, in bits a second.
    fileprivate var rate: Int {
        switch self {
        case .high: 500_000
        case .low: 255_000
        case .lowest: 46_000
        case .none: 0
        }
    }
}
