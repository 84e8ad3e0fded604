import BaseKit
import MediaRules

/// Makes of what a browser's page tells the figures that a Parley tells of itself, by the same rules.
struct PageReckoning: Sendable {
    /// The length of a packet of libwebrtc's sound, in milliseconds.
    static let packet = 20

    private var pause = LongestPause()
    private var last = PageSample()
    private var concealed = PageSample.Concealment()
    /// The samples of the present stretch of made-up sound.
    private var stretch = 0

    mutating func figures(of sample: PageSample) -> PeerFigures {
        defer { last = sample }
        func moment(_ milliseconds: Double) -> Instant { Instant(sinceStart: .milliseconds(milliseconds)) }
        for shown in sample.shown { pause.came(now: moment(shown)) }
        let (longest, long) = pause.take(now: moment(sample.at))
        var figures = PeerFigures()
        (figures.gap, figures.frozen) = (Int(longest.wholeMilliseconds), Int(long.wholeMilliseconds))
        (figures.shown, figures.rows, figures.large) = (sample.presented, sample.rows, sample.large)
        figures.picture = sample.picture
        (figures.sound, figures.soundGap) = (sample.packets, soundGap(sample.concealment))
        (figures.bytes, figures.sent, figures.limit) = (sample.bytes, sample.encoded, sample.limit)
        if sample.width > 0 { figures.size = "\(sample.width)x\(sample.height)" }
        (figures.target, figures.roundTrip) = (Int(sample.target), sample.roundTrip.map { Int($0 * 1_000) })
        let seconds = (sample.at - last.at) / 1_000
        figures.encodeLoad = seconds > 0 ? (sample.encoding - last.encoding) / seconds : 0
        let emitted = sample.emitted - last.emitted
        figures.jitterLatency = emitted > 0 ? Int((sample.waited - last.waited) * 1_000 / Double(emitted)) : 0
        return figures
    }

    /// As ``VoicePause`` counts, from the beginning of a packet to that of the next that was not made up: with the packet itself.
    private mutating func soundGap(_ all: [PageSample.Concealment]) -> Int {
        var longest = 0
        for now in all {
            let more = now.samples - concealed.samples
            // What was left of an earlier stretch when another began counts with that one.
            stretch = now.events > concealed.events ? more : more > 0 ? stretch + more : 0
            longest = max(longest, stretch)
            concealed = now
        }
        // 48 samples a millisecond.
        return all.isEmpty ? 0 : Self.packet + longest / 48
    }
}
