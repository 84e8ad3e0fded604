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

    /// Which programs are at the ends.
    enum Kind: String, CaseIterable, Sendable { case parley, chromium }

    var film: CallFilm
    var folder: String
    var times: Times
    /// What each direction of the network between the ends does to packets; nil: there is none between them.
    var link: LinkCondition?
    let log: @Sendable (String) -> Void

    /// Makes a call and measures it. `rate`: the most bits of pictures a second a browser may send. Throws ``BenchError``.
    func measure(_ kind: Kind, rate: Int?) async throws -> CallFigures {
        let name = folder + "/\(UUID().uuidString)"
        let folders = try ["first", "second"].map { end in
            let folder = "\(name)-\(end)"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            return folder
        }
        defer { for folder in folders { try? FileManager.default.removeItem(atPath: folder) } }
        let rooms = try await [SoundRoom(in: folders[0]), SoundRoom(in: folders[1])]
        defer { for room in rooms { room.stop() } }
        let emulator = try link.map { try NetworkEmulator($0) }
        defer { emulator?.stop() }
        let sides = [emulator?.first, emulator?.second].map { $0?.prefix ?? [] }
        switch kind {
        case .parley:
            for room in rooms { try room.speak() }
            let first = try ParleyEndpoint(
                film: film.parley, room: rooms[0], folder: folders[0], in: sides[0])
            defer { first.stop() }
            let second = try ParleyEndpoint(
                film: film.parley, room: rooms[1], folder: folders[1], in: sides[1])
            defer { second.stop() }
            return try await measure(first, second, rooms, rate: nil)
        case .chromium:
            let first = try ChromiumEndpoint(
                film: film.path, sound: film.sound, room: rooms[0], folder: folders[0], in: sides[0])
            defer { first.stop() }
            let second = try ChromiumEndpoint(
                film: film.path, sound: film.sound, room: rooms[1], folder: folders[1], in: sides[1])
            defer { second.stop() }
            return try await measure(first, second, rooms, rate: rate)
        }
    }

    private func measure(
        _ first: some CallEndpoint, _ second: some CallEndpoint, _ rooms: [SoundRoom], rate: Int?
    ) async throws -> CallFigures {
        for end in [first as any CallEndpoint, second] {
            try await end.news.next(within: .seconds(60)) { if case .ready = $0 { true } else { nil } }
        }
        // What a program does at its start is over.
        try await Task.sleep(for: .seconds(2))
        var figures = CallFigures()
        figures.setup = try await connect(first, second)
        if let rate { for end in [first as any CallEndpoint, second] { end.tell(.limit(rate)) } }
        log("connected after \(Int(figures.setup)) ms")
        try await Task.sleep(for: .seconds(times.settling))
        try await cost(first, second, into: &figures)
        try await watch(first, second, rooms, into: &figures)
        return figures
    }

    /// Milliseconds from accepting to the peer's first picture, at the end that accepts.
    private func connect(_ caller: some CallEndpoint, _ callee: some CallEndpoint) async throws -> Double {
        caller.carryCandidates(to: callee)
        callee.carryCandidates(to: caller)
        let start = Instant.now
        // The callee makes the offer.
        let offer = try await callee.ask(.makeOffer) { if case .offer(let offer) = $0 { offer } else { nil } }
        let answer = try await caller.ask(.takeOffer(offer)) {
            if case .answer(let answer) = $0 { answer } else { nil }
        }
        callee.tell(.takeAnswer(answer))
        try await callee.news.next(within: .seconds(40)) { if case .firstPicture = $0 { true } else { nil } }
        return (Instant.now - start) / .milliseconds(1)
    }

    private func cost(_ first: some CallEndpoint, _ second: some CallEndpoint, into figures: inout CallFigures)
        async throws
    {
        func counts() async throws -> [CallCounts] {
            var all: [CallCounts] = []
            for end in [first as any CallEndpoint, second] {
                all.append(try await end.ask(.count) { if case .counted(let counts) = $0 { counts } else { nil } })
            }
            return all
        }
        let before = (try await counts(), trees(first, second), Instant.now)
        try await Task.sleep(for: .seconds(times.cost))
        let after = (trees(first, second), Instant.now, try await counts())
        let seconds = max((after.1 - before.2).inSeconds, 0.001)
        let ends = 2.0 * seconds
        let spent = zip(after.0, before.1).map { $0.processorSeconds - $1.processorSeconds }
        figures.processor = spent.reduce(0, +) / ends
        figures.memory = after.0.map { Double($0.proportionalBytes) }.reduce(0, +) / 2 / 1_048_576
        figures.processes = after.0.map { Double($0.count) }.reduce(0, +) / 2
        figures.pictures = zip(after.2, before.0).map { Double($0.pictures - $1.pictures) }.reduce(0, +) / ends
        figures.rate = zip(after.2, before.0).map { Double($0.bytes - $1.bytes) }.reduce(0, +) * 8 / 1_000 / ends
        (figures.width, figures.height) = (after.2.map(\.width).min() ?? 0, after.2.map(\.height).min() ?? 0)
        guard after.2.allSatisfy({ $0.sealed > 0 && $0.opened > 0 }) else {
            throw BenchError.call("frames were not encrypted")
        }
    }

    private func trees(_ first: some CallEndpoint, _ second: some CallEndpoint) -> [ProcessTree] {
        [ProcessTree.read(root: first.process), .read(root: second.process)]
    }

    private func watch(
        _ first: some CallEndpoint, _ second: some CallEndpoint, _ rooms: [SoundRoom], into figures: inout CallFigures
    ) async throws {
        let time = times.watching
        func observation(_ end: some CallEndpoint) async throws -> CallObservation {
            try await end.ask(.observe(time), within: .seconds(time + 40)) {
                if case .observed(let seen) = $0 { seen } else { nil }
            }
        }
        async let one = observation(first)
        async let other = observation(second)
        async let sound = SoundRoom.listen(mouth: rooms[0], ear: rooms[1], seconds: time + 1)
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
        let similarities = try [here, there].flatMap(\.pictures).compactMap { picture -> Double? in
            guard let number = TimeCode.read(picture), number < CallFilm.pictures else { return nil }
            return StructuralSimilarity.compare(try film.picture(number), with: picture)
        }
        figures.similarity = similarities.isEmpty ? nil : similarities.reduce(0, +) / Double(similarities.count)
        log(
            "watched \(delays.count) pictures, \(beeps.count) of \(spoken.count) beeps; compared \(similarities.count) pictures"
        )
    }
}
