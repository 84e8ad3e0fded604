import BaseKit
import Glibc

/// How long the jitter buffer waits, and when it asks again for what did not come: long enough for as many questions as bring
/// nearly every lost packet.
///
/// Measured: at a round trip of 100 ms and 10 % loss, time for one question left two packets a second missing, and next to no
/// pictures were shown, as each needs all those before it.
package struct JitterLatency: Sendable, Equatable {
    /// What the jitter buffers are set to, in milliseconds.
    package struct Setting: Sendable, Equatable {
        /// How long a packet is waited for.
        package var latency: Int
        /// When it is asked for again.
        package var retry: Int
    }

    /// Milliseconds for noticing a gap and asking, on top of the round trip.
    static let margin = 100
    package static let longest = 800
    /// The part of packets that may stay lost.
    static let residual = 0.001
    static let mostQuestions = 5
    /// Milliseconds of difference that are not worth a change.
    static let step = 30
    /// The time that must pass before the buffer gets shorter.
    static let patience: Duration = .seconds(10)

    /// What is set now.
    package private(set) var setting: Setting
    private let shortest: Int
    private var lowerSince: Instant?
    private var highest = 0

    /// Milliseconds.
    package var latency: Int { setting.latency }

    package init(shortest: Int) {
        self.shortest = shortest
        setting = Setting(latency: shortest, retry: 40)
    }

    /// The new setting when it changes. Round trip and jitter in milliseconds, loss 0…1.
    package mutating func update(roundTrip: Int, jitter: Int, loss: Double, now: Instant) -> Setting? {
        // A question may be on its way while the next is asked: a doubled answer costs less than a picture.
        let retry = min(max(roundTrip * 6 / 10, 40), 300)
        let wanted = Self.wanted(roundTrip: roundTrip, jitter: jitter, loss: loss, retry: retry)
        guard let latency = follow(min(max(wanted, shortest), max(Self.longest, shortest)), now: now) else {
            guard abs(retry - setting.retry) >= Self.step else { return nil }
            setting.retry = retry
            return setting
        }
        setting = Setting(latency: latency, retry: retry)
        return setting
    }

    /// How many times a packet must be asked for, so that no more than ``residual`` stay lost: question and answer are lost
    /// as often as it was.
    static func questions(loss: Double) -> Int {
        guard loss > residual else { return 1 }
        let failure = 1 - (1 - loss) * (1 - loss)
        guard failure < 1 else { return mostQuestions }
        return min(max(Int((log(residual / loss) / log(failure)).rounded(.up)), 1), mostQuestions)
    }

    private static func wanted(roundTrip: Int, jitter: Int, loss: Double, retry: Int) -> Int {
        roundTrip + margin + 2 * jitter + (questions(loss: loss) - 1) * retry
    }

    private mutating func follow(_ wanted: Int, now: Instant) -> Int? {
        if wanted >= latency {
            lowerSince = nil
            return wanted >= latency + Self.step || (wanted > latency && wanted == Self.longest) ? wanted : nil
        }
        guard let since = lowerSince else {
            lowerSince = now
            highest = wanted
            return nil
        }
        highest = max(highest, wanted)
        guard now - since >= Self.patience else { return nil }
        lowerSince = nil
        return highest <= latency - Self.step ? highest : nil
    }
}
