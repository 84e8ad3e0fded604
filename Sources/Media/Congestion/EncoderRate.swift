import CGStreamer
import GLibKit
import Synchronization

/// Sets the bit rate of an encoder that is governed from elsewhere: on the thread that brings pictures, just before the next
/// one (see ``SendControl``).
final class EncoderRate: Sendable {
    private let encoder: Element
    private let pending = Mutex<Int?>(nil)

    /// `input` is a pad before the encoder.
    init(_ encoder: Element, input: Pad) {
        self.encoder = encoder
        input.onBuffer { [weak self] _, _ in self?.apply() }
    }

    /// Bits a second from the next picture on.
    func set(_ bitrate: Int) { pending.withLock { $0 = bitrate } }

    private func apply() {
        let bitrate = pending.withLock { pending in
            defer { pending = nil }
            return pending
        }
        if let bitrate { encoder.set("target-bitrate", bitrate) }
    }
}
