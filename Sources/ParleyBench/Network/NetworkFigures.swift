import BaseKit
import Foundation
import NetworkEmulation

/// One second of a call: two directions, from the first side to the second and back.
struct NetworkFigures: Codable, Sendable {
    /// Everything counted up to a moment.
    struct Counts: Sendable {
        var peers: [PeerFigures]
        var link: NetworkEmulator.Statistics
        var at: Instant
    }

    /// One direction: what its sender did and what its receiver saw.
    struct Direction: Codable, Sendable {
        /// Pictures a second that left the sender's encoder.
        var sent: Double
        /// Pictures a second that were shown.
        var shown: Double
        /// The longest time without a new picture, in milliseconds.
        var gap: Int
        /// The time of this second in which pictures stood still (pauses of more than 200 ms), in milliseconds.
        var frozen: Int
        /// Packets of sound a second that arrived.
        var sound: Double
        /// The longest time without decoded sound, but for what the decoder makes up, in milliseconds.
        var soundGap: Int
        /// Pictures of the sender's screen a second that arrived, and packets of its sound.
        var screen: Double
        var screenSound: Double
        /// What the link delivered, in kbit/s.
        var rate: Double
        /// What the sender believes it may send, in kbit/s.
        var target: Double
        /// How long packets waited in the link's queue on average, in milliseconds.
        var queue: Double
        /// The size of the pictures that are sent, and what keeps them from being larger.
        var size: String
        /// The rows of those that are shown.
        var rows: Int
        var limit: String
        /// The part of the time between two pictures that encoding one takes.
        var encodeLoad: Double
        /// Milliseconds there and back, as the sender knows it.
        var roundTrip: Int?
        /// Milliseconds that the receiver's jitter buffer waits.
        var jitterBuffer: Int
    }

    var second: Int
    var forward: Direction
    var backward: Direction

    init(second: Int, from: Counts, to: Counts) {
        self.second = second
        let seconds = max((to.at - from.at).inSeconds, 0.001)
        func direction(
            _ sender: Int, _ before: EmulatedLink.Statistics, _ after: EmulatedLink.Statistics
        ) -> Direction {
            let receiver = 1 - sender
            let (old, new) = (from.peers, to.peers)
            return Direction(
                sent: Double(new[sender].sent - old[sender].sent) / seconds,
                shown: Double(new[receiver].shown - old[receiver].shown) / seconds, gap: new[receiver].gap,
                frozen: new[receiver].frozen,
                sound: Double(new[receiver].sound - old[receiver].sound) / seconds,
                soundGap: new[receiver].soundGap,
                screen: Double(new[receiver].screen - old[receiver].screen) / seconds,
                screenSound: Double(new[receiver].screenSound - old[receiver].screenSound) / seconds,
                rate: Double(after.deliveredBytes - before.deliveredBytes) * 8 / 1_000 / seconds,
                target: Double(new[sender].target) / 1_000, queue: Self.mean(before, after),
                size: new[sender].size, rows: new[receiver].rows, limit: new[sender].limit,
                encodeLoad: new[sender].encodeLoad, roundTrip: new[sender].roundTrip,
                jitterBuffer: new[receiver].jitterLatency)
        }
        forward = direction(0, from.link.forward, to.link.forward)
        backward = direction(1, from.link.backward, to.link.backward)
    }

    private static func mean(_ before: EmulatedLink.Statistics, _ after: EmulatedLink.Statistics) -> Double {
        (after.queueDelays - before.queueDelays) / max(after.queued - before.queued, 1) / .milliseconds(1)
    }

    static let header = """
           |  first to second                                                                          |  second to first
         s | sent shown screen gap/ms sound/ms kbit/s target queue/ms      size encode% buffer/ms rtt/ms | sent shown screen gap/ms sound/ms kbit/s target queue/ms      size encode% buffer/ms rtt/ms
        """

    var row: String { String(format: "%4d |", second) + Self.text(forward) + " |" + Self.text(backward) }

    private static func text(_ direction: Direction) -> String {
        String(
            format: " %4.0f %5.0f %6.0f %6d %8d %6.0f %6.0f %8.0f %@ %7.0f %9d %6d", direction.sent, direction.shown,
            direction.screen, direction.gap, direction.soundGap, direction.rate, direction.target, direction.queue,
            String(repeating: " ", count: max(9 - direction.size.count, 0)) + direction.size,
            direction.encodeLoad * 100,
            direction.jitterBuffer, direction.roundTrip ?? 0)
    }

    /// When pictures of the largest size were shown for the first time, which a call of 720 rows and more is measured by.
    private static func largest(_ directions: [Direction]) -> String {
        guard let most = directions.map(\.rows).max(), most > 0,
            let second = directions.firstIndex(where: { $0.rows == most })
        else { return "" }
        return ", \(most) rows in second \(second + 1)"
    }

    /// The whole call in a few lines, without its first seconds, in which the sender gets to know the link.
    static func summary(of all: [NetworkFigures]) -> String {
        let settled = all.count > 10 ? Array(all.dropFirst(5)) : all
        func line(_ name: String, _ path: KeyPath<NetworkFigures, Direction>) -> String {
            let directions = settled.map { $0[keyPath: path] }
            func mean(_ value: (Direction) -> Double) -> Double {
                directions.isEmpty ? 0 : directions.map(value).reduce(0, +) / Double(directions.count)
            }
            return String(
                format: "%@: %.1f pictures/s, longest gap %d ms, %.0f kbit/s, queue %.0f ms (most %.0f), sound %.0f/s",
                name,
                mean(\.shown), directions.map(\.gap).max() ?? 0, mean(\.rate), mean(\.queue),
                directions.map(\.queue).max() ?? 0, mean(\.sound))
                + String(
                    format: " with gaps of at most %d ms, frozen %.1f s", directions.map(\.soundGap).max() ?? 0,
                    Double(directions.map(\.frozen).reduce(0, +)) / 1_000)
                + largest(all.map { $0[keyPath: path] })
                + (mean(\.screenSound) > 0
                    ? String(format: ", screen %.1f pictures/s, its sound %.0f/s", mean(\.screen), mean(\.screenSound))
                    : "")
        }
        return line("first to second", \.forward) + "\n" + line("second to first", \.backward)
    }
}
