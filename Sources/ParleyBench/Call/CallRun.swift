import BaseKit
import Foundation
import NetworkEmulation

/// One call of two ends, measured.
struct CallRun: Sendable {
    /// How long a call is let be before it is measured, for how long its cost is, and for how long its pictures and sound are watched.
    struct Times: Sendable {
        var settling = 15.0
        var cost = 12.0
        var watching = 8.0
    }

    var film: CallFilm
    var folder: String
    var times: Times
    /// What each direction of the network between the ends does to packets; nil: there is none between them.
    var link: LinkCondition?
    /// Whether each end draws its pictures in a window.
    var drawsWindows = false
    let log: @Sendable (String) -> Void

    /// Makes a call and measures it. `rate`: the most bits of pictures a second a browser may send. Throws ``BenchError``.
    func measure(_ program: CallProgram, rate: Int?) async throws -> CallFigures {
        let emulator = try link.map { try NetworkEmulator($0) }
        defer { emulator?.stop() }
        let ends = try await CallEnds(
            program, film: film, folder: folder, over: emulator, drawsWindows: drawsWindows)
        defer { ends.stop() }
        try await ends.ready()
        var figures = CallFigures()
        figures.setup = try await connect(ends)
        if let rate { for end in ends.both { end.tell(.limit(rate)) } }
        log("connected after \(Int(figures.setup)) ms")
        try await Task.sleep(for: .seconds(times.settling))
        try await cost(ends, into: &figures)
        try await watch(ends, into: &figures)
        return figures
    }

    /// Milliseconds from accepting to the peer's first picture, at the end that accepts.
    private func connect(_ ends: CallEnds) async throws -> Double {
        let start = Instant.now
        try await ends.call()
        try await ends.second.news.next(within: .seconds(40)) { if case .firstPicture = $0 { true } else { nil } }
        return (Instant.now - start) / .milliseconds(1)
    }

    private func cost(_ ends: CallEnds, into figures: inout CallFigures) async throws {
        func counts() async throws -> [CallCounts] {
            var all: [CallCounts] = []
            for end in ends.both {
                all.append(try await end.ask(.count) { if case .counted(let counts) = $0 { counts } else { nil } })
            }
            return all
        }
        func trees() -> [ProcessTree] { ends.both.map { ProcessTree.read(root: $0.process) } }
        let before = (try await counts(), trees(), Instant.now)
        try await Task.sleep(for: .seconds(times.cost))
        let after = (trees(), Instant.now, try await counts())
        let seconds = max((after.1 - before.2).inSeconds, 0.001)
        let both = 2.0 * seconds
        let spent = zip(after.0, before.1).map { $0.processorSeconds - $1.processorSeconds }
        figures.processor = spent.reduce(0, +) / both
        figures.memory = after.0.map { Double($0.proportionalBytes) }.reduce(0, +) / 2 / 1_048_576
        figures.processes = after.0.map { Double($0.count) }.reduce(0, +) / 2
        figures.pictures = zip(after.2, before.0).map { Double($0.pictures - $1.pictures) }.reduce(0, +) / both
        figures.rate = zip(after.2, before.0).map { Double($0.bytes - $1.bytes) }.reduce(0, +) * 8 / 1_000 / both
        (figures.width, figures.height) = (after.2.map(\.width).min() ?? 0, after.2.map(\.height).min() ?? 0)
        guard after.2.allSatisfy({ $0.sealed > 0 && $0.opened > 0 }) else {
            throw BenchError.call("frames were not encrypted")
        }
    }

    private func watch(_ ends: CallEnds, into figures: inout CallFigures) async throws {
        let time = times.watching
        func observation(_ end: any CallEndpoint) async throws -> CallObservation {
            try await end.ask(.observe(time), within: .seconds(time + 40)) {
                if case .observed(let seen) = $0 { seen } else { nil }
            }
        }
        async let one = observation(ends.first)
        async let other = observation(ends.second)
        async let sound = SoundRoom.listen(mouth: ends.rooms[0], ear: ends.rooms[1], seconds: time + 1)
        let (here, there, heard) = try await (one, other, sound)
        let delays = [(here, there), (there, here)].flatMap {
            Delays.pictures(captured: $0.0.captured, shown: $0.1.shown)
        }
        figures.picture = delays.isEmpty ? nil : SetupReport.Line.median(delays)
        // A browser's microphone is inside of it.
        let spoken = heard.spoken.isEmpty ? here.spoken : heard.spoken
        let beeps = Delays.beeps(spoken: spoken, heard: heard.heard)
        figures.sound = beeps.isEmpty ? nil : SetupReport.Line.median(beeps)
        if let lag = figures.lag {
            log(
                """
                capture to display \(Int((figures.picture ?? 0).rounded())) ms, mouth to ear \
                \(Int((figures.sound ?? 0).rounded())) ms (\(Int(beeps.min() ?? 0)) to \(Int(beeps.max() ?? 0))): \
                sound is \(Int(lag.rounded())) ms behind the picture
                """)
        }
        let similarities = try [here, there].flatMap(\.pictures).compactMap(film.similarity(of:))
        figures.similarity = similarities.isEmpty ? nil : similarities.reduce(0, +) / Double(similarities.count)
        log(
            "watched \(delays.count) pictures, \(beeps.count) of \(spoken.count) beeps; compared \(similarities.count) pictures"
        )
    }
}
