import BaseKit

/// What the ways to the members of a group carry, each for itself, and what one encoder may make for all of them.
///
/// The narrowest decides, so that everybody sees all pictures; but one that carries hardly anything does not take the pictures from
/// the others: its frames then wait and are let go (``SealedBacklog``).
package struct GroupRates: Sendable {
    /// Bits a second below which no way that is narrower than others brings the encoder.
    static let least = 200_000

    private struct Way: Sendable {
        var controller: GradientController
        /// Whether something of the member is heard; nothing is known otherwise.
        var isHeard = true
    }

    private var ways: [Int: Way] = [:]
    private var useful = Int.max
    /// What holds without a way.
    private let idle = GradientController()

    package init() {}

    /// Another way; `former` is what was well on the one before it, in bits a second.
    package mutating func add(_ way: Int, former: Int?) {
        var controller = GradientController(former: former)
        controller.limit(to: useful)
        ways[way] = Way(controller: controller)
    }

    package mutating func remove(_ way: Int) { ways[way] = nil }

    /// Whether anything comes by a way: one by which nothing comes holds nobody else back.
    package mutating func setHeard(_ isHeard: Bool, _ way: Int) { ways[way]?.isHeard = isHeard }

    package mutating func receive(_ packets: [PacketReport], by way: Int, now: Instant) {
        ways[way]?.controller.receive(packets, now: now)
    }

    /// What leaves by a way comes back as nothing.
    package mutating func missFeedback(by way: Int, now: Instant) { ways[way]?.controller.missFeedback(now: now) }

    package mutating func limit(to bitrate: Int) {
        useful = bitrate
        for way in ways.keys { ways[way]?.controller.limit(to: bitrate) }
    }

    /// How fast packets may leave by a way, in bits a second; nil without it.
    package func pacingRate(of way: Int) -> Int? { ways[way]?.controller.target.pacingRate }

    /// What may be sent by a way, in bits a second.
    package func bitrate(of way: Int) -> Int? { ways[way]?.controller.target.bitrate }

    /// What was well on a way, in bits a second.
    package func good(of way: Int) -> Int? { ways[way]?.controller.good }

    private var heard: [GradientController] { ways.values.filter(\.isHeard).map(\.controller) }

    /// What encoders may make for all.
    package var target: BandwidthTarget {
        let targets = heard.map(\.target).sorted { $0.bitrate < $1.bitrate }
        guard let lowest = targets.first, let highest = targets.last else { return idle.target }
        return targets.first { $0.bitrate >= min(Self.least, highest.bitrate) } ?? lowest
    }

    /// The largest part that is lost on a way that counts.
    package var loss: Double { heard.map(\.loss).max() ?? 0 }

    /// What was well on all.
    package var good: Int { heard.map(\.good).min() ?? idle.good }
}
