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
        /// Milliseconds until the receiver showed ``PictureTimes/largeRows`` for the first time; nil: it has not.
        var large: Double?
        /// SSIM of pictures that were shown; nil: none was compared. Those of the end of a second are compared in the next.
        var similarity: Double?
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
                jitterBuffer: new[receiver].jitterLatency, large: new[receiver].large,
                similarity: new[receiver].similarity)
        }
        forward = direction(0, from.link.forward, to.link.forward)
        backward = direction(1, from.link.backward, to.link.backward)
    }

    private static func mean(_ before: EmulatedLink.Statistics, _ after: EmulatedLink.Statistics) -> Double {
        (after.queueDelays - before.queueDelays) / max(after.queued - before.queued, 1) / .milliseconds(1)
    }

    static let header = """
             |  first to second                                                                                   |  second to first
           s | sent shown screen gap/ms sound/ms kbit/s target queue/ms      size encode% buffer/ms rtt/ms   SSIM | sent shown screen gap/ms sound/ms kbit/s target queue/ms      size encode% buffer/ms rtt/ms   SSIM
        """

    var row: String { String(format: "%4d |", second) + Self.text(forward) + " |" + Self.text(backward) }

    private static func text(_ direction: Direction) -> String {
        func right(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(width - text.count, 0)) + text
        }
        return String(
            format: " %4.0f %5.0f %6.0f %6d %8d %6.0f %6.0f %8.0f %@ %7.0f %9d %@ %@", direction.sent, direction.shown,
            direction.screen, direction.gap, direction.soundGap, direction.rate, direction.target, direction.queue,
            right(direction.size, 9), direction.encodeLoad * 100, direction.jitterBuffer,
            right(direction.roundTrip.map(String.init) ?? "–", 6),
            right(direction.similarity.map { NumberText.fixed($0, 3) } ?? "–", 6))
    }
}
