import ArgumentParser
import BaseKit
import Cryptography
import Foundation
import Media
import MediaRules

/// One end of a measured call; started by ``CallCommand``. ``CallOrder`` and ``CallEvent`` come and go as lines of JSON.
struct CallPeerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call-peer", abstract: "One end of a measured call.", shouldDisplay: false)

    @Option(help: "The film that is the camera.")
    var film: String

    @Flag(help: "Draw the pictures in a window.")
    var window = false

    /// Whether these words start an end with a window, for which GLib's loop has to be the main actor's home.
    static func drawsWindow(_ words: [String]) -> Bool {
        words.dropFirst().first == configuration.commandName && words.contains("--window")
    }

    func run() async throws {
        try MediaRuntime.start()
        // As while it rings.
        MediaRuntime.load()
        let end = ParleyEnd(film: film, window: window ? try await CallWindow() : nil)
        CallEvent.ready.tell()
        for await order in CallOrder.input {
            do {
                try await end.follow(order)
            } catch { CallEvent.failed("\(error)").tell() }
        }
        await end.close()
    }
}

/// The session of this end, and what is seen in it.
private actor ParleyEnd {
    private let film: String
    private let window: CallWindow?
    private var session: PeerSession?
    private let pictures = PictureObserver()

    init(film: String, window: CallWindow?) { (self.film, self.window) = (film, window) }

    func follow(_ order: CallOrder) async throws {
        switch order {
        case .makeOffer: CallEvent.offer(try await open(.offerer).makeOffer()).tell()
        case .takeOffer(let offer):
            let session = try await open(.answerer)
            CallEvent.answer(try await session.makeAnswer(to: offer.sdp, candidates: offer.candidates)).tell()
        case .takeAnswer(let answer): try await session?.apply(answer: answer.sdp, candidates: answer.candidates)
        case .candidates(let more): await session?.add(more)
        case .limit, .follow, .sample: break
        case .count:
            let received = await session?.statistics().received
            var counts = CallCounts(pictures: pictures.count, bytes: received?.bytes ?? 0)
            counts.sealed = await session?.statistics().sent.videoFrames ?? 0
            counts.opened = received?.videoFrames ?? 0
            counts.failed = received?.framesRejected ?? 0
            if let frame = session?.remoteVideo.latest() { (counts.width, counts.height) = (frame.width, frame.height) }
            CallEvent.counted(counts).tell()
        case .observe(let seconds):
            pictures.begin()
            try await Task.sleep(for: .seconds(seconds))
            CallEvent.observed(pictures.end()).tell()
        }
    }

    func close() async { await session?.close() }

    private func open(_ role: PeerSessionConfiguration.Role) async throws -> PeerSession {
        let session = try await PeerSession.open(
            PeerSessionConfiguration(
                role: role, camera: .file(film), microphone: .automatic, speaker: .automatic,
                frameEncryption: .aes256GCM(SecretBytes([UInt8](repeating: 7, count: 32))), allowsLoopback: true))
        self.session = session
        let own = WatchedFeed(session.localVideo) { [pictures] frame in pictures.captured(frame) }
        let remote = WatchedFeed(session.remoteVideo) { [pictures] frame in
            if pictures.shown(frame) { CallEvent.firstPicture.tell() }
        }
        await window?.show(remote, own: own)
        Task {
            for await event in session.events {
                switch event {
                case .candidates(let more): CallEvent.candidates(more).tell()
                case .notice(let notice): FileHandle.standardError.write(Data("\(notice)\n".utf8))
                case .failed(let error): CallEvent.failed("\(error)").tell()
                default: break
                }
            }
        }
        return session
    }
}

/// Counts the peer's pictures, and, while it observes, reads the time codes and keeps some.
private final class PictureObserver: Sendable {
    private struct State {
        var count = 0
        var observation: CallObservation?
        var kept: Instant?
    }

    private let state = Lock(State())

    var count: Int { state.withLock { $0.count } }

    func begin() { state.withLock { $0.observation = CallObservation() } }

    func end() -> CallObservation {
        state.withLock { state in
            defer { state.observation = nil }
            return state.observation ?? CallObservation()
        }
    }

    func captured(_ frame: VideoFrame?) {
        guard isObserving, let frame, let sighting = Self.sighting(frame) else { return }
        state.withLock { $0.observation?.captured.append(sighting) }
    }

    /// Whether it is the first.
    func shown(_ frame: VideoFrame?) -> Bool {
        guard let frame else { return false }
        let isFirst = state.withLock { state in
            state.count += 1
            return state.count == 1
        }
        guard isObserving, let sighting = Self.sighting(frame) else { return isFirst }
        let isKept = state.withLock { state in
            state.observation?.shown.append(sighting)
            let isDue = state.kept.map { Instant.now - $0 > .milliseconds(900) } ?? true
            guard isDue, (state.observation?.pictures.count ?? 6) < 6 else { return false }
            state.kept = .now
            return true
        }
        if isKept, let picture = LumaPicture(frame, width: frame.width, height: frame.height) {
            state.withLock { $0.observation?.pictures.append(picture) }
        }
        return isFirst
    }

    private var isObserving: Bool { state.withLock { $0.observation != nil } }

    private static func sighting(_ frame: VideoFrame) -> Delays.Sighting? {
        let now = Date().timeIntervalSince1970 * 1_000
        let size = frame.width / TimeCode.squaresInWidth
        guard let strip = LumaPicture(frame, width: frame.width, height: max(size, 1)) else { return nil }
        return TimeCode.read(strip).map { Delays.Sighting(number: $0, at: now) }
    }
}
