import BaseKit
import Glibc

/// How long the jitter buffer waits for a packet that is missing, and when it asks for it again: long enough for as many questions as bring
/// nearly every lost packet. And how long what has come waits to be played: as long, or less where nothing is missing (``QuietWait``).
///
/// Measured: at a round trip of 100 ms and 10 % loss, time for one question left two packets a second missing, and next to no
/// pictures were shown, as each needs all those before it.
package struct JitterLatency: Sendable, Equatable {
    /// What the jitter buffers are set to, in milliseconds.
    package struct Setting: Sendable, Equatable {
        /// How long a packet of pictures is waited for that is missing. Where none is the jitter buffer keeps nothing back.
        package var latency: Int
        /// When it is asked for again.
        package var retry: Int
        /// How long what has come waits to be played.
        package var wait: PlayoutWait
        /// Whether a packet of sound is decoded only when the next has come, which may tell of one that is lost (in-band FEC, RFC 6716 §2.1.7); else
        /// at once.
        package var recoversSound = true
        /// Milliseconds that sound needs from where it waits to the ear; nil while that is not known.
        package var own: Int?

        /// How long a packet of sound is waited for: as long as sound waits beside pictures, as one that comes later is not heard.
        package var soundLatency: Int { PlayoutDelay.wait(wait, own: own) }
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
    private var quiet = QuietWait()

    /// `shortest` is what the buffer waits at least, in milliseconds.
    package init(shortest: Int) {
        self.shortest = shortest
        setting = Setting(latency: shortest, retry: 40, wait: PlayoutWait(pictures: shortest))
    }

    /// The new setting when it changes. Round trip and jitter in milliseconds, loss 0…1. `arrivals` is how packets came lately, `own` what
    /// sound needs from where it waits to the ear.
    package mutating func update(
        roundTrip: Int, jitter: Int, loss: Double, arrivals: PacketArrivals = PacketArrivals(), own: Int? = nil,
        now: Instant
    ) -> Setting? {
        // A question may be on its way while the next is asked: a doubled answer costs less than a picture.
        let retry = min(max(roundTrip * 6 / 10, 40), 300)
        let wanted = Self.wanted(roundTrip: roundTrip, jitter: jitter, loss: loss, retry: retry)
        let latency = follow(min(max(wanted, shortest), max(Self.longest, shortest)), now: now) ?? setting.latency
        let wait = quiet.update(arrivals, latency: latency, own: own, now: now)
        let next = Setting(latency: latency, retry: retry, wait: wait, recoversSound: !quiet.isShort, own: own)
        guard
            latency != setting.latency || wait != setting.wait || next.recoversSound != setting.recoversSound
                || next.soundLatency != setting.soundLatency || abs(retry - setting.retry) >= Self.step
        else { return nil }
        setting = next
        return setting
    }

    /// Another path carries: what was seen of the one before says nothing of it.
    mutating func replaced() {
        quiet = QuietWait()
        setting.wait = PlayoutWait(pictures: setting.latency)
        setting.recoversSound = true
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
        let latency = setting.latency
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
