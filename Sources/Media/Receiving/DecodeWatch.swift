import BaseKit
import CGStreamer
import GLibKit
import MediaRules

/// Measures how long the peer's pictures take to decode.
final class DecodeWatch: Sendable {
    private struct State: Sendable {
        var load = DecodeLoad()
        /// When the decoder was given the picture it has.
        var begun: Instant?
    }

    private let state = Lock(State())

    /// What is known of it.
    var load: DecodeLoad { state.withLock { $0.load } }

    /// Watches a decoder that gives each picture on the thread that brings it.
    func watch(_ decoder: Element) {
        decoder.pad("sink")?.onBuffer { [weak self] _, _ in
            let now = Instant.now
            self?.state.withLock { $0.begun = now }
        }
        decoder.pad("src")?.onBuffer { [weak self] pad, _ in
            guard let self, let size = PictureSize(of: pad) else { return }
            let now = Instant.now
            state.withLock { state in
                guard let begun = state.begun else { return }
                state.begun = nil
                state.load.decoded(in: now - begun, size: size, now: now)
            }
        }
    }
}
