import BaseKit
import Foundation
import NetworkEmulation

/// One side of a call over an emulated network, in processes of its own.
protocol NetworkSide: Sendable {
    /// Whether it sees the other, or hears it where there are no pictures. Throws ``BenchError/call(_:)`` when it has failed.
    func isStarted() async throws -> Bool
    /// Its figures now. Throws ``BenchError/call(_:)`` when it does not answer.
    func figures() async throws -> PeerFigures
}

/// One side that is Parley's: this program again, whose signaling goes to the other side.
final class ParleySide: NetworkSide {
    private struct State: Sendable {
        var peer: ParleySide?
        var waiting: [PeerLine] = []
        var isStarted = false
        var failure: String?
        var figures: [PeerFigures] = []
    }

    private let program: PipedProgram
    private let state: Shared<State>

    init(in side: NetworkEmulator.Side, _ arguments: [String]) throws {
        let state = Shared(State())
        self.state = state
        program = try PipedProgram(
            side.prefix + [Programs.own.path, "network-peer"] + arguments,
            environment: ProcessInfo.processInfo.environment, separator: UInt8(ascii: "\n")
        ) { Self.receive($0, into: state) }
    }

    /// Sends what this side says to its peer from now on.
    func tell(_ peer: ParleySide) {
        var waiting: [PeerLine] = []
        state.change { state in
            state.peer = peer
            (waiting, state.waiting) = (state.waiting, [])
        }
        for line in waiting { peer.program.write(line.line) }
    }

    func isStarted() throws -> Bool {
        if let failure = state.value.failure { throw BenchError.call(failure) }
        return state.value.isStarted
    }

    func figures() async throws -> PeerFigures {
        program.write(PeerLine.ask.line)
        let limit = Instant.now + .seconds(10)
        while Instant.now < limit {
            var told: PeerFigures?
            state.change { told = $0.figures.popLast() }
            if let told { return told }
            if let failure = state.value.failure { throw BenchError.call(failure) }
            try await Task.sleep(for: .milliseconds(1))
        }
        throw BenchError.call("a side gave no figures")
    }

    func stop() {
        program.stop()
        // Each of the two knows the other.
        state.change { $0.peer = nil }
    }

    private static func receive(_ record: Data?, into state: Shared<State>) {
        guard let record else { return state.change { $0.failure = $0.failure ?? "one side's process has ended" } }
        guard let line = PeerLine(line: record) else { return }
        switch line {
        case .offer, .answer, .candidates:
            var peer: ParleySide?
            state.change { state in
                peer = state.peer
                if peer == nil { state.waiting.append(line) }
            }
            peer?.program.write(line.line)
        case .started: state.change { $0.isStarted = true }
        case .failed(let reason): state.change { $0.failure = reason }
        case .figures(let figures): state.change { $0.figures.append(figures) }
        case .ask: break
        }
    }
}

/// One side that is a page in a browser.
final class PageSide: NetworkSide {
    private let end: any CallEndpoint
    private let reckoning = Lock(PageReckoning())

    init(_ end: any CallEndpoint) { self.end = end }

    func isStarted() async throws -> Bool {
        try await end.ask(.count) { if case .counted(let counts) = $0 { counts.bytes > 0 } else { nil } }
    }

    func figures() async throws -> PeerFigures {
        let sample = try await end.ask(.sample) { if case .sampled(let sample) = $0 { sample } else { nil } }
        return reckoning.withLock { $0.figures(of: sample) }
    }
}
