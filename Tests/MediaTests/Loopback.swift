import Cryptography
import Synchronization
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

/// Two sessions of one process with the signaling between them.
final class Loopback: Sendable {
    let offerer: PeerSession
    let answerer: PeerSession
    let offererLog: EventLog
    let answererLog: EventLog

    /// Opens both sides; `change` may adjust each side's configuration.
    init(
        key: SecretBytes? = SecretBytes([UInt8](repeating: 7, count: 32)),
        offererKey: SecretBytes?? = nil,
        change: (inout PeerSessionConfiguration, inout PeerSessionConfiguration) -> Void = { _, _ in }
    ) async throws {
        let encryption: (SecretBytes?) -> FrameEncryption = { $0.map { .aes256GCM($0) } ?? .none }
        var offererConfiguration = Self.configuration(.offerer, encryption(offererKey ?? key))
        var answererConfiguration = Self.configuration(.answerer, encryption(key))
        change(&offererConfiguration, &answererConfiguration)
        offerer = try await PeerSession.open(offererConfiguration)
        OpenedSessions.current?.add(offerer)
        answerer = try await PeerSession.open(answererConfiguration)
        OpenedSessions.current?.add(answerer)
        offererLog = EventLog(offerer, sendingCandidatesTo: answerer)
        answererLog = EventLog(answerer, sendingCandidatesTo: offerer)
    }

    static func configuration(
        _ role: PeerSessionConfiguration.Role, _ encryption: FrameEncryption
    ) -> PeerSessionConfiguration {
        PeerSessionConfiguration(
            role: role, camera: .test, microphone: .test, speaker: .none, frameEncryption: encryption,
            allowsLoopback: true)
    }

    /// Exchanges offer and answer; the texts may be changed on their way.
    func connect(
        offer changeOffer: (String) -> String = { $0 }, answer changeAnswer: (String) -> String = { $0 }
    ) async throws {
        let offer = try await offerer.makeOffer()
        let answer = try await answerer.makeAnswer(to: changeOffer(offer.sdp), candidates: offer.candidates)
        try await offerer.apply(answer: changeAnswer(answer.sdp), candidates: answer.candidates)
    }

    func close() async {
        await offerer.close()
        await answerer.close()
    }
}

/// All events of a session so far, and a way to wait for one.
final class EventLog: Sendable {
    private struct State {
        var events: [PeerSessionEvent] = []
        var waiters: [Waiter] = []
        var isOver = false
    }

    private struct Waiter {
        var predicate: @Sendable ([PeerSessionEvent]) -> Bool
        var continuation: CheckedContinuation<Void, Never>
        /// Whose time may be over.
        var turn: Turn
    }

    private final class Turn: Sendable {
        let isOver = Mutex(false)
    }

    private let state = Mutex(State())

    init(_ session: PeerSession, sendingCandidatesTo peer: PeerSession?) {
        let events = session.events
        Task {
            for await event in events {
                if case .candidates(let candidates) = event { await peer?.add(candidates) }
                record(event)
            }
            finish()
        }
    }

    var events: [PeerSessionEvent] { state.withLock { $0.events } }
    /// Whether the session has been closed, so that nothing follows.
    var isOver: Bool { state.withLock { $0.isOver } }

    private func record(_ event: PeerSessionEvent) {
        wake { $0.events.append(event) }
    }

    private func finish() { wake { $0.isOver = true } }

    private func wake(_ change: (inout State) -> Void) {
        let ready = state.withLock { state in
            change(&state)
            let events = state.events
            let isReady: (Waiter) -> Bool = { waiter in
                state.isOver || waiter.turn.isOver.withLock { $0 } || waiter.predicate(events)
            }
            let ready = state.waiters.filter(isReady)
            state.waiters.removeAll { waiter in ready.contains { $0.turn === waiter.turn } }
            return ready.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }

    /// Waits until the events so far meet a condition, or the session or the test's time is over. Far above what any of them takes,
    /// the waiting ends as a failure.
    func wait(
        sourceLocation: SourceLocation = #_sourceLocation,
        until predicate: @escaping @Sendable ([PeerSessionEvent]) -> Bool
    ) async {
        let turn = Turn()
        let clock = Task {
            try await Task.sleep(for: patience)
            Issue.record("waited in vain among \(events)", sourceLocation: sourceLocation)
            turn.isOver.withLock { $0 = true }
            wake { _ in }
        }
        defer { clock.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.isOver || turn.isOver.withLock({ $0 }) || predicate(state.events) { return true }
                    state.waiters.append(Waiter(predicate: predicate, continuation: continuation, turn: turn))
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            turn.isOver.withLock { $0 = true }
            wake { _ in }
        }
    }

    func wait(for event: PeerSessionEvent, sourceLocation: SourceLocation = #_sourceLocation) async {
        await wait(sourceLocation: sourceLocation) { $0.contains(event) }
    }
}

/// How long a test waits for one thing: far above what any of them takes.
private let patience = Duration.seconds(90)

/// Waits until a condition holds.
/// - Throws: `Overdue`, with the place in the test, when it never does.
func eventually(
    sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
) async throws {
    try await waitUntil(
        "what \(sourceLocation.fileName) waits for in line \(sourceLocation.line)", within: patience, condition)
}

extension VideoFrame {
    /// The mean red, green and blue of the picture.
    var meanColour: (red: Int, green: Int, blue: Int) {
        withPixels { pixels in
            var sums = [0, 0, 0]
            for row in 0..<height {
                for column in 0..<width {
                    for channel in 0..<3 { sums[channel] += Int(pixels[row * stride + column * 4 + channel]) }
                }
            }
            let count = max(width * height, 1)
            return (red: sums[2] / count, green: sums[1] / count, blue: sums[0] / count)
        }
    }

    /// Whether the picture is mostly of the test source's background, red 0x20, green 0x60, blue 0xC0.
    var isTestPicture: Bool {
        let colour = meanColour
        return abs(colour.red - 0x20) < 24 && abs(colour.green - 0x60) < 24 && abs(colour.blue - 0xC0) < 24
    }
}
