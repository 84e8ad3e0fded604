import BaseKit

/// Which of the camera's pictures go by a way, from the smallest on.
package enum PictureLayer: Int, Sendable, Hashable, CaseIterable, Comparable {
    /// The smallest, for who receives from a server and for whom small ones of all are too much.
    case lowest
    /// Small ones, for ways that carry much less than others.
    case low
    /// As large as the ways carry that take them.
    case high

    package static func < (one: PictureLayer, other: PictureLayer) -> Bool { one.rawValue < other.rawValue }

    /// What they take of a way that takes larger ones besides, in bits a second.
    var share: Int {
        switch self {
        case .lowest: 40_000
        case .low: 240_000
        case .high: 0
        }
    }

    /// The same with what is taken off for sound and headers.
    var shareWithSound: Int { share + SendPlan.audioShare + SendPlan.headerShare }

    /// What all smaller ones take of it.
    var shareOfSmaller: Int { Self.allCases.filter { $0 < self }.reduce(0) { $0 + $1.share } }

    /// The next larger and smaller ones.
    fileprivate var larger: PictureLayer? { PictureLayer(rawValue: rawValue + 1) }
    fileprivate var smaller: PictureLayer? { PictureLayer(rawValue: rawValue - 1) }
}

/// What the ways to the members of a group carry, each for itself, and what the encoders may make for all of them.
///
/// Of the ways that take the same pictures the narrowest decides. One that carries much less than others takes small pictures, which
/// have an encoder of their own, so that it does not take the large ones from the others; it is given these again once it has carried
/// more for a while, and each time that was too early it takes longer. The way to a forwarding server takes all sizes, for the receivers to
/// choose from: the smallest always, and each larger one as long as it carries that besides; large ones only while somebody wants them.
package struct GroupRates: Sendable {
    /// A way takes small pictures when it carries less than so many bits a second, besides a screen's sound, and less than this part of what
    /// another one carries.
    static let least = 200_000, narrow = 0.6
    /// From how many bits a second on a way is tried with large pictures again.
    static let wide = 240_000
    /// The same of a way that takes all: with the sound, all smaller pictures, and large ones that are worth it.
    static let leastForLarge = 450_000, wideForLarge = 510_000
    /// The same of small pictures beside the smallest.
    static let leastForSmall = 155_000, wideForSmall = 185_000
    /// How long it has carried them then, at first and at most.
    static let patience: Duration = .seconds(4), mostPatience: Duration = .seconds(64)
    /// Within what time after it was given large pictures it was too early.
    static let trial: Duration = .seconds(10)
    /// How long a way has not been congested where pictures begin on it as in a new call: longer than it takes a voice to try a better step.
    static let calm: Duration = .seconds(40)
    /// The time without feedback on what is sent that is too long.
    static let silence: Duration = .milliseconds(350)

    private struct Way: Sendable {
        var controller: GradientController
        /// Whether something of the member is heard; nothing is known otherwise.
        var isHeard = true
        var layer = PictureLayer.high
        /// Whether it takes all smaller pictures besides.
        let takesAll: Bool
        /// Whether large pictures are wanted.
        var wantsLarge = true
        var largeTrial = LargeTrial()
        var patience = GroupRates.patience
        var wideSince: Instant?
        var raisedAt: Instant?
        var expectsFeedback = false
        var reportedAt: Instant?
        /// Since when pictures leave without a pause.
        var sentSince: Instant?
        var sentAt: Instant?
        var fall = RateFall()

        /// What large pictures are of use, in bits a second of all that is sent.
        mutating func limit(to bitrate: Int) {
            controller.limit(to: takesAll ? bitrate + PictureLayer.high.shareOfSmaller : bitrate)
        }

        /// Whether pictures leave and nothing is heard of them.
        func isMissed(now: Instant) -> Bool {
            guard let sentAt, now - sentAt <= GroupRates.silence else { return false }
            if let reportedAt { return now - reportedAt > GroupRates.silence }
            return expectsFeedback && sentSince.map { now - $0 > SendPlan.firstSilence } ?? false
        }

        /// What goes by it where it carries too little. The smallest go to a server alone: nobody behind another way chooses.
        var smaller: PictureLayer? { takesAll || layer == .high ? layer.smaller : nil }

        /// The largest that go by it.
        var largest: PictureLayer { layer == .high && !wantsLarge ? .low : layer }

        func takes(_ layer: PictureLayer) -> Bool { takesAll ? layer <= largest : layer == self.layer }

        /// What the encoder of a layer may make for it, where `extra` is taken off besides the voice and headers.
        func target(of layer: PictureLayer, extra: Int) -> BandwidthTarget {
            var target = controller.target
            guard takesAll else { return target }
            target.bitrate -= layer.shareOfSmaller
            if layer != self.layer { target.bitrate = min(target.bitrate, layer.shareWithSound + extra) }
            return target
        }
    }

    private var ways: [Int: Way] = [:]
    private var useful: [PictureLayer: Int] = [:]
    private var isLargeWanted = true
    /// Whether a screen's sound is sent besides.
    package var hasScreenSound = false
    /// What holds without a way.
    private let idle = GradientController()

    package init() {}

    /// Another way; `former` is what was well on the one before it, in bits a second. With `takesAll` all smaller pictures go by it
    /// besides the large ones.
    package mutating func add(_ way: Int, former: Int?, takesAll: Bool = false) {
        var limits = GradientController.Limits()
        if takesAll { limits.first += PictureLayer.high.shareOfSmaller }
        ways[way] = Way(
            controller: GradientController(limits: limits, former: former), takesAll: takesAll,
            wantsLarge: isLargeWanted || !takesAll)
        if let useful = useful[.high] { ways[way]?.limit(to: useful) }
    }

    package mutating func remove(_ way: Int) { ways[way] = nil }

    /// Whether anything comes by a way: one by which nothing comes holds nobody else back.
    package mutating func setHeard(_ isHeard: Bool, _ way: Int) { ways[way]?.isHeard = isHeard }

    package mutating func receive(_ packets: [PacketReport], by way: Int, now: Instant) {
        ways[way]?.controller.receive(packets, now: now)
        ways[way]?.reportedAt = now
    }

    /// The member by a way is to tell what arrives.
    package mutating func expectFeedback(_ way: Int) { ways[way]?.expectsFeedback = true }

    /// A picture has left by a way.
    package mutating func sent(by way: Int, now: Instant) {
        guard let sent = ways[way] else { return }
        if sent.sentAt.map({ now - $0 > Self.silence }) ?? true {
            ways[way]?.sentSince = now
            let congestion = sent.controller.congestion
            if congestion.map({ now - $0.at > Self.calm }) ?? false { ways[way]?.controller.begin(now: now) }
        }
        ways[way]?.sentAt = now
    }

    /// Time has passed: where pictures leave and nothing is heard of them, there are too many. The ways whose rate has fallen so far that
    /// pictures that wait are not worth sending any more.
    package mutating func poll(now: Instant) -> Set<Int> {
        var fallen: Set<Int> = []
        for (number, former) in ways where former.isHeard {
            var way = former
            if way.isMissed(now: now) { way.controller.missFeedback(now: now) }
            if way.fall.update(way.controller.target.bitrate, now: now) { fallen.insert(number) }
            ways[number] = way
        }
        return fallen
    }

    /// What pictures of a layer are of use, in bits a second of all that is sent.
    package mutating func limit(to bitrate: Int, of layer: PictureLayer) {
        useful[layer] = bitrate
        // A way with smaller pictures is to show whether it carries large ones.
        guard layer == .high else { return }
        for way in ways.keys { ways[way]?.limit(to: bitrate) }
    }

    // MARK: Layers

    /// Whether anybody wants large pictures by the ways that take all; the ways by which others go than before.
    package mutating func setLargeWanted(_ isWanted: Bool, now: Instant) -> Set<Int> {
        guard isLargeWanted != isWanted else { return [] }
        isLargeWanted = isWanted
        var changed: Set<Int> = []
        for (number, way) in ways where way.takesAll {
            var next = way
            next.wantsLarge = isWanted
            next.largeTrial.set(wanted: isWanted)
            if isWanted {
                next = begun(next, now: now)
            } else if way.layer == .high {
                // What was not sent has not proven itself.
                next.raisedAt = nil
            }
            ways[number] = next
            if next.largest != way.largest { changed.insert(number) }
        }
        return changed
    }

    /// Large pictures are wanted: where the way doesn't carry them for certain they go on trial, or where it does just so.
    private func begun(_ way: Way, now: Instant) -> Way {
        let rate = way.controller.target.bitrate - extra
        var small = way
        small.layer = min(way.layer, .low)
        let carries = way.layer == .high && rate >= Self.leastForLarge
        if !carries || rate < Self.wideForLarge, let tried = tried(small, now: now) { return tried }
        guard carries else { return small }
        var way = way
        way.largeTrial.begin()
        return way
    }

    /// With large pictures that are wanted, if the way is to be tried with them.
    private func tried(_ way: Way, now: Instant) -> Way? {
        guard way.layer == .low, way.controller.target.bitrate - extra >= Self.wideForSmall,
            way.largeTrial.isDue(way.controller.congestion, now: now)
        else { return nil }
        var way = way
        way.largeTrial.begin()
        way.controller.begin(now: now)
        (way.layer, way.raisedAt, way.wideSince) = (.high, now, nil)
        return way
    }

    /// The largest pictures that go by a way; nil without it.
    package func layer(of way: Int) -> PictureLayer? { ways[way]?.largest }

    /// Whether all smaller pictures go by a way besides the large ones.
    package func takesAll(_ way: Int) -> Bool { ways[way]?.takesAll ?? false }

    /// The ways that take these pictures.
    package func ways(of layer: PictureLayer) -> Set<Int> { Set(ways.filter { $0.value.takes(layer) }.keys) }

    /// Gives each way the pictures that it carries; the ways that are given others than before.
    package mutating func chooseLayers(now: Instant) -> Set<Int> {
        let highest = Double(ways.values.filter(\.isHeard).map(\.controller.target.bitrate).max() ?? 0)
        var changed: Set<Int> = []
        for (number, way) in ways where way.isHeard {
            let next = tried(way, now: now) ?? stepped(way, beside: highest, now: now)
            ways[number] = next
            if next.largest != way.largest { changed.insert(number) }
        }
        return changed
    }

    /// With the pictures that follow from what it carries.
    private func stepped(_ way: Way, beside highest: Double, now: Instant) -> Way {
        if let smaller = way.smaller, isNarrow(way, beside: highest) {
            return Self.lowered(way, to: smaller, now: now)
        }
        let proven = Self.proven(way, now: now)
        guard let larger = way.layer.larger else { return proven }
        return Self.raised(proven, to: larger, isWide: isWide(way, beside: highest), now: now)
    }

    /// Whether it carries too little for its pictures.
    private func isNarrow(_ way: Way, beside highest: Double) -> Bool {
        let rate = way.controller.target.bitrate
        guard way.takesAll else { return rate - extra < Self.least && Double(rate) < Self.narrow * highest }
        return rate - extra < (way.largest == .high ? Self.leastForLarge : Self.leastForSmall)
    }

    /// Whether it carries enough for the next larger ones.
    private func isWide(_ way: Way, beside highest: Double) -> Bool {
        let rate = way.controller.target.bitrate
        guard way.takesAll else { return rate - extra >= Self.wide || !isNarrow(way, beside: highest) }
        guard way.layer == .low else { return rate - extra >= Self.wideForSmall }
        return way.wantsLarge && rate - extra >= Self.wideForLarge
    }

    private static func lowered(_ way: Way, to layer: PictureLayer, now: Instant) -> Way {
        var way = way
        if way.raisedAt != nil {
            way.patience = min(way.patience * 2, mostPatience)
            if way.largest == .high { way.largeTrial.fail(now: now) }
        }
        (way.layer, way.raisedAt, way.wideSince) = (layer, nil, nil)
        return way
    }

    /// After some time with larger pictures these were not too early.
    private static func proven(_ way: Way, now: Instant) -> Way {
        var way = way
        guard let raised = way.raisedAt, now - raised > trial else { return way }
        (way.raisedAt, way.patience) = (nil, patience)
        if way.layer == .high { way.largeTrial.succeed() }
        return way
    }

    private static func raised(_ way: Way, to layer: PictureLayer, isWide: Bool, now: Instant) -> Way {
        var way = way
        guard isWide else {
            way.wideSince = nil
            return way
        }
        let since = way.wideSince ?? now
        way.wideSince = since
        guard now - since >= way.patience else { return way }
        (way.layer, way.raisedAt, way.wideSince) = (layer, now, nil)
        return way
    }

    // MARK: Figures

    /// How fast packets may leave by a way, in bits a second; nil without it.
    package func pacingRate(of way: Int) -> Int? {
        ways[way].map { max($0.controller.target.pacingRate, SendPlan.audioShare + SendPlan.lowestVideo) }
    }

    /// What may be sent by a way, in bits a second.
    package func bitrate(of way: Int) -> Int? { ways[way]?.controller.target.bitrate }

    /// What was well on a way, in bits a second.
    package func good(of way: Int) -> Int? { ways[way]?.controller.good }

    /// What is sent besides pictures and the voice, in bits a second.
    private var extra: Int { SendShares(hasScreenSound: hasScreenSound).extra }

    private func heard(_ layer: PictureLayer) -> [Way] { ways.values.filter { $0.isHeard && $0.takes(layer) } }

    /// What the encoder of a layer may make for all that take it.
    package func target(of layer: PictureLayer) -> BandwidthTarget {
        let lowest =
            heard(layer).map { $0.target(of: layer, extra: extra) }.min { $0.bitrate < $1.bitrate } ?? idle.target
        guard layer != .high, let useful = useful[layer], useful < lowest.bitrate else { return lowest }
        return BandwidthTarget(bitrate: useful, pacingRate: lowest.pacingRate)
    }

    /// Bits a second on the narrowest way of all: sound goes by all of them.
    package var narrowest: Int {
        ways.values.filter(\.isHeard).map(\.controller.target.bitrate).min() ?? idle.target.bitrate
    }

    /// Whether pictures leave by any way.
    package func isSending(now: Instant) -> Bool {
        ways.values.contains { $0.sentAt.map { now - $0 <= SendPlan.pause } ?? false }
    }

    /// The last sign of congestion on any way.
    package var congestion: Congestion? {
        ways.values.filter(\.isHeard).compactMap(\.controller.congestion).max { $0.at < $1.at }
    }

    /// The largest part that is lost on a way that takes a layer.
    package func loss(of layer: PictureLayer) -> Double { heard(layer).map(\.controller.loss).max() ?? 0 }

    /// The same on any way: sound goes by all.
    package var loss: Double { PictureLayer.allCases.map(loss).max() ?? 0 }

    /// What was well on all that take a layer.
    package func good(of layer: PictureLayer) -> Int { heard(layer).map(\.controller.good).min() ?? idle.good }
}
