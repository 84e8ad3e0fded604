import BaseKit
import Foundation
import MediaRules
import NetworkEmulation

/// Two sides of a call in processes of their own, each in a namespace, with the signaling between them in this process.
final class NetworkCall: Sendable {
    private let emulator: NetworkEmulator
    private let sides: [any NetworkSide]
    private let comparison: PictureComparison?
    /// How the sides get to call one another, beyond that they are there; and how they end.
    private let beginning: @Sendable () async throws -> Void
    private let ending: @Sendable () -> Void
    private let last = Lock<NetworkFigures.Counts?>(nil)

    /// One of two Parleys. `screen` is a film that both share as a screen, with a tone. With `isSoundAlone` neither sends pictures. What is
    /// shown goes to `comparison`.
    init(
        emulator: NetworkEmulator, film: SourceArgument, screen: SourceArgument? = nil, isSoundAlone: Bool = false,
        comparison: PictureComparison? = nil
    ) throws {
        (self.emulator, self.comparison) = (emulator, comparison)
        let shown =
            ["--film", film.argument] + (screen.map { ["--screen", $0.argument] } ?? [])
            + (isSoundAlone ? ["--sound-alone"] : []) + (comparison == nil ? [] : ["--tells-pictures"])
        let first = try ParleySide(in: emulator.first, ["--offers"] + shown)
        let second = try ParleySide(in: emulator.second, shown)
        first.tell(second)
        second.tell(first)
        sides = [first, second]
        beginning = {}
        ending = {
            first.stop()
            second.stop()
        }
    }

    /// One of two pages in browsers. What is shown goes to `comparison`.
    init(_ ends: CallEnds, emulator: NetworkEmulator, comparison: PictureComparison?) {
        (self.emulator, self.comparison) = (emulator, comparison)
        sides = ends.both.map(PageSide.init)
        beginning = {
            try await ends.ready()
            for end in ends.both { end.tell(.follow) }
            try await ends.call()
        }
        ending = { ends.stop() }
    }

    /// Waits until each side sees the other, or hears it where there are no pictures.
    func connect() async throws {
        try await beginning()
        let limit = Instant.now + .seconds(30)
        while try await !areStarted() {
            guard Instant.now < limit else { throw BenchError.call("nothing came in 30 s") }
            try await Task.sleep(for: .milliseconds(20))
        }
        _ = try await figures(second: 0)
    }

    private func areStarted() async throws -> Bool {
        var areStarted = true
        for side in sides where try await !side.isStarted() { areStarted = false }
        return areStarted
    }

    /// The figures since the last call of this function.
    func figures(second: Int) async throws -> NetworkFigures {
        var peers: [PeerFigures] = []
        for (index, side) in sides.enumerated() {
            var figures = try await side.figures()
            if let picture = figures.picture { comparison?.add(picture, shownBy: index) }
            (figures.picture, figures.similarity) = (nil, comparison?.take(shownBy: index))
            peers.append(figures)
        }
        let now = NetworkFigures.Counts(peers: peers, link: emulator.statistics, at: Instant.now)
        let before = last.withLock { last in
            defer { last = now }
            return last
        }
        return NetworkFigures(second: second, from: before ?? now, to: now)
    }

    /// Bytes of encoded pictures and sound that either side has received.
    func receivedBytes() async throws -> [Int] {
        var bytes: [Int] = []
        for side in sides { bytes.append(try await side.figures().bytes) }
        return bytes
    }

    func stop() { ending() }
}
