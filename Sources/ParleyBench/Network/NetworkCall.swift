import BaseKit
import Foundation
import MediaRules
import NetworkEmulation

/// Two sides of a call in processes of their own, each in a namespace, with the signaling between them in this process.
final class NetworkCall: Sendable {
    private let emulator: NetworkEmulator
    private let sides: [PeerProcess]
    private let last = Lock<NetworkFigures.Counts?>(nil)

    /// `screen` is a film that both share as a screen, with a tone. With `isSoundAlone` neither sends pictures.
    init(
        emulator: NetworkEmulator, film: SourceArgument, screen: SourceArgument? = nil, isSoundAlone: Bool = false
    ) throws {
        self.emulator = emulator
        let shown =
            ["--film", film.argument] + (screen.map { ["--screen", $0.argument] } ?? [])
            + (isSoundAlone ? ["--sound-alone"] : [])
        sides = try [
            PeerProcess(in: emulator.first, ["--offers"] + shown), PeerProcess(in: emulator.second, shown),
        ]
        sides[0].tell(sides[1])
        sides[1].tell(sides[0])
    }

    /// Waits until each side sees the other, or hears it where there are no pictures.
    func connect() async throws {
        let limit = Instant.now + .seconds(30)
        while !sides.allSatisfy(\.isStarted) {
            if let reason = sides.compactMap(\.failure).first { throw BenchError.call(reason) }
            guard Instant.now < limit else { throw BenchError.call("nothing came in 30 s") }
            try await Task.sleep(for: .milliseconds(20))
        }
        _ = try figures(second: 0)
    }

    /// The figures since the last call of this function.
    func figures(second: Int) throws -> NetworkFigures {
        let peers = try sides.map { side in
            guard let figures = side.ask() else { throw BenchError.call(side.failure ?? "a side gave no figures") }
            return figures
        }
        let now = NetworkFigures.Counts(peers: peers, link: emulator.statistics, at: Instant.now)
        let before = last.withLock { last in
            defer { last = now }
            return last
        }
        return NetworkFigures(second: second, from: before ?? now, to: now)
    }

    /// Bytes of encoded pictures and sound that either side has received.
    func receivedBytes() throws -> [Int] {
        try sides.map { side in
            guard let figures = side.ask() else { throw BenchError.call(side.failure ?? "a side gave no figures") }
            return figures.bytes
        }
    }

    func stop() { for side in sides { side.stop() } }
}

/// One side in its process.
private final class PeerProcess: Sendable {
    private struct State {
        var peer: PeerProcess?
        var waiting: [PeerLine] = []
        var isStarted = false
        var failure: String?
        var figures: [PeerFigures] = []
    }

    private let process: Lock<Process>
    private let input: FileHandle
    private let state = Lock(State())

    init(in side: NetworkEmulator.Side, _ arguments: [String]) throws {
        let made = Process()
        let (input, output) = (Pipe(), Pipe())
        let words = side.prefix + [Programs.own.path, "network-peer"] + arguments
        made.executableURL = URL(filePath: words[0])
        made.arguments = Array(words.dropFirst())
        made.standardInput = input
        made.standardOutput = output
        try made.run()
        self.input = input.fileHandleForWriting
        process = Lock(made)
        let reader = output.fileHandleForReading
        Thread.detachNewThread { [weak self] in
            var text: [UInt8] = []
            while true {
                let data = reader.availableData
                guard !data.isEmpty else { break }
                text += data
                while let end = text.firstIndex(of: UInt8(ascii: "\n")) {
                    if let line = PeerLine(line: Data(text[..<end])) {
                        self?.receive(line)
                    }
                    text.removeSubrange(...end)
                }
            }
            self?.state.withLock { $0.failure = $0.failure ?? "one side's process has ended" }
        }
    }

    var isStarted: Bool { state.withLock { $0.isStarted } }
    var failure: String? { state.withLock { $0.failure } }

    /// Sends what this side says to its peer from now on.
    func tell(_ peer: PeerProcess) {
        let waiting = state.withLock { state in
            state.peer = peer
            defer { state.waiting = [] }
            return state.waiting
        }
        for line in waiting { peer.write(line) }
    }

    /// Its figures now; nil when it does not answer in time.
    func ask() -> PeerFigures? {
        write(.ask)
        let limit = Instant.now + .seconds(10)
        while Instant.now < limit, failure == nil {
            if let figures = state.withLock({ $0.figures.popLast() }) { return figures }
            usleep(1_000)
        }
        return nil
    }

    func stop() {
        process.withLock { process in
            try? input.close()
            process.terminate()
            process.waitUntilExit()
        }
    }

    private func write(_ line: PeerLine) {
        do {
            try input.write(contentsOf: line.line)
        } catch { state.withLock { $0.failure = $0.failure ?? "one side does not listen any more" } }
    }

    private func receive(_ line: PeerLine) {
        switch line {
        case .offer, .answer, .candidates:
            let peer = state.withLock { state in
                if state.peer == nil { state.waiting.append(line) }
                return state.peer
            }
            peer?.write(line)
        case .started: state.withLock { $0.isStarted = true }
        case .failed(let reason): state.withLock { $0.failure = reason }
        case .figures(let figures): state.withLock { $0.figures.append(figures) }
        case .ask: break
        }
    }
}
