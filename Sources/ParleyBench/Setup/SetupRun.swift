import BaseKit
import Cryptography
import Foundation
import Media

/// Measures how long a call takes from accepting it to the first picture of the other side, both ends in this process.
enum SetupRun {
    /// Milliseconds of one call, on the accepting side.
    struct Times: Sendable {
        var offer = 0.0
        var answer = 0.0
        /// ICE found its way.
        var path = 0.0
        var connected = 0.0
        var firstPicture = 0.0
    }

    /// A call of two of Parley's sessions, with frame encryption. The session of the one who accepts is opened first, as the
    /// callee makes the offer; the caller's when the offer arrives.
    static func parley() async throws -> Times {
        let key = SecretBytes([UInt8](repeating: 7, count: 32))
        var times = Times()
        let start = Instant.now
        func elapsed() -> Double { (Instant.now - start) / .milliseconds(1) }
        let callee = try await PeerSession.open(configuration(.offerer, key))
        let path = Lock<Double>(0)
        let connected = Lock<Double>(0)
        // The picture's event carries no time: it is taken when it is heard.
        async let first: Double = {
            for await event in callee.events {
                switch event {
                case .iceConnected: path.withLock { $0 = (Instant.now - start) / .milliseconds(1) }
                case .fingerprintVerified: connected.withLock { $0 = (Instant.now - start) / .milliseconds(1) }
                case .firstVideoFrame: return (Instant.now - start) / .milliseconds(1)
                default: break
                }
            }
            throw SetupError(description: "the call ended before a picture came")
        }()
        let offer = try await callee.makeOffer()
        times.offer = elapsed()
        let caller = try await PeerSession.open(configuration(.answerer, key))
        let candidates = Task {
            for await event in caller.events { if case .candidates(let more) = event { await callee.add(more) } }
        }
        let answer = try await caller.makeAnswer(to: offer.sdp, candidates: offer.candidates)
        times.answer = elapsed()
        try await callee.apply(answer: answer.sdp, candidates: answer.candidates)
        times.firstPicture = try await first
        times.path = path.withLock { $0 }
        times.connected = connected.withLock { $0 }
        candidates.cancel()
        await callee.close()
        await caller.close()
        return times
    }

    private static func configuration(
        _ role: PeerSessionConfiguration.Role, _ key: SecretBytes
    ) -> PeerSessionConfiguration {
        PeerSessionConfiguration(
            role: role, camera: .test, microphone: .test, speaker: .none, frameEncryption: .aes256GCM(key),
            allowsLoopback: true)
    }

    /// The same with two webrtcbins alone.
    static func bare() async throws -> Times {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try bareOnThread() }) }
        }
    }

    private static func bareOnThread() throws -> Times {
        var times = Times()
        let arrival = DispatchSemaphore(value: 0)
        let moment = Lock<Instant?>(nil)
        let start = Instant.now
        let callee = try BarePeer { now in
            moment.withLock { $0 = now }
            arrival.signal()
        }
        let offer = try callee.makeOffer()
        times.offer = (Instant.now - start) / .milliseconds(1)
        let caller = try BarePeer { _ in }
        callee.sendCandidates(to: caller)
        caller.sendCandidates(to: callee)
        let answer = try caller.makeAnswer(to: offer)
        times.answer = (Instant.now - start) / .milliseconds(1)
        try callee.apply(answer)
        guard arrival.wait(timeout: .now() + 20) == .success, let moment = moment.withLock({ $0 }) else {
            throw SetupError(description: "no picture came")
        }
        times.firstPicture = (moment - start) / .milliseconds(1)
        callee.close()
        caller.close()
        return times
    }
}
