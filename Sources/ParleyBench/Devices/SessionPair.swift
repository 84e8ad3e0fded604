import BaseKit
import Cryptography
import Media
import MediaRules

/// A call of two sessions in this process, over loopback and with frame encryption.
final class SessionPair: Sendable {
    /// The one with devices.
    let one: PeerSession

    private let other: PeerSession
    private let news: News
    private let watches: [Task<Void, Never>]

    /// Opens both and negotiates. Throws what the sessions throw.
    init(camera: CameraSource, microphone: MicrophoneSource) async throws {
        let (one, other) = (
            try await PeerSession.open(Self.configuration(.offerer, camera, microphone)),
            try await PeerSession.open(Self.configuration(.answerer, .test, .test))
        )
        let news = News()
        (self.one, self.other, self.news) = (one, other, news)
        watches = [
            Task {
                for await event in one.events {
                    if case .candidates(let more) = event { await other.add(more) }
                    news.receive(event)
                }
            },
            Task {
                for await event in other.events {
                    if case .candidates(let more) = event { await one.add(more) }
                }
            },
        ]
        let offer = try await one.makeOffer()
        let answer = try await other.makeAnswer(to: offer.sdp, candidates: offer.candidates)
        try await one.apply(answer: answer.sdp, candidates: answer.candidates)
    }

    /// The devices that are chosen.
    var devices: DevicesInUse { news.state.withLock { $0.devices } }

    /// What the one with devices said last for a person, without the full stop.
    var notice: String? { news.state.withLock { $0.notice } }

    /// Waits until a second's worth of pictures and sound has arrived from now on. Throws ``BenchError/call(_:)``.
    func goesOn() async throws {
        let before = await other.statistics().received
        for _ in 0..<100 {
            let now = await other.statistics().received
            if now.videoFrames > before.videoFrames + 15, now.audioFrames > before.audioFrames + 50 { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        let now = await other.statistics().received
        let (pictures, sound) = (now.videoFrames - before.videoFrames, now.audioFrames - before.audioFrames)
        throw BenchError.call(notice ?? "in ten seconds \(pictures) pictures and \(sound) pieces of sound came")
    }

    /// Ends the call.
    func close() async {
        await one.close()
        await other.close()
        for watch in watches { watch.cancel() }
    }

    private static func configuration(
        _ role: PeerSessionConfiguration.Role, _ camera: CameraSource, _ microphone: MicrophoneSource
    ) -> PeerSessionConfiguration {
        PeerSessionConfiguration(
            role: role, camera: camera, microphone: microphone, speaker: .none,
            frameEncryption: .aes256GCM(SecretBytes([UInt8](repeating: 7, count: 32))), allowsLoopback: true)
    }

    /// What the one with devices has told.
    private final class News: Sendable {
        struct State: Sendable {
            var devices = DevicesInUse()
            var notice: String?
        }

        let state = Lock(State())

        func receive(_ event: PeerSessionEvent) {
            state.withLock { state in
                switch event {
                case .devicesInUse(let devices): state.devices = devices
                case .notice(let notice): state.notice = "\(notice)"
                case .failed(let error): state.notice = "\(error)"
                default: break
                }
            }
        }
    }
}
