import BaseKit
import CGStreamer
import GLibKit
import MediaRules

/// Keeps a screen's encoder within what it may send and what is of use: sets its bit rate and quantizers, the size of pictures, and how
/// often it makes key frames.
///
/// Set on the thread that brings pictures, just before the next one (see ``SendControl``).
final class EncoderRate: Sendable {
    private struct State: Sendable {
        var bitrate: Int
        var content = ScreenContent.text
        var isPending = false
        var keyFrames = KeyFrameBudget(longest: EncoderRate.longestInterval)
        /// That a kept wish is granted is on its way to the encoder.
        var isGranting = false
        var shown = ScreenSize()
        /// The size of the pictures that are encoded; nil before the first.
        var size: PictureSize?
        /// What the scaler was told last.
        var caps = EncoderRate.unscaled
    }

    /// The longest time between two key frames: those of a screen are large, and it changes little.
    static let longestInterval: Duration = .seconds(10)

    private static let unscaled = "video/x-raw"

    private let encoder: Element
    private let scale: Element
    private let state: Lock<State>

    /// `size` is the capsfilter behind the scaler before the encoder, and `input` a pad before both.
    init(_ encoder: Element, size: Element, input: Pad, bitrate: Int = SendChain.screenBitRate) {
        (self.encoder, scale) = (encoder, size)
        state = Lock(State(bitrate: bitrate))
        input.onBuffer { [weak self] pad, _ in self?.apply(PictureSize(of: pad)) }
        let output = encoder.pad("src")
        output?.onBuffer { [weak self] _, buffer in self?.made(buffer) }
        output?.filterUpstreamEvents { [weak self] event in self?.passes(event) ?? true }
    }

    /// The size of the pictures that are encoded; nil before the first.
    var size: PictureSize? { state.withLock { $0.size } }

    /// Bits a second from the next picture on.
    func set(_ bitrate: Int) {
        state.withLock { state in
            state.bitrate = bitrate
            state.isPending = true
        }
    }

    /// What matters most from the next picture on.
    func set(_ content: ScreenContent) {
        state.withLock { state in
            guard content != state.content else { return }
            (state.content, state.isPending) = (content, true)
        }
    }

    /// The peer shows the pictures in this size; nil: it does not say.
    func show(_ size: PictureSize?) { state.withLock { $0.shown.show(size) } }

    /// The screen has ended; another one may follow.
    func end() { state.withLock { $0.shown.end() } }

    /// The peer can't show pictures before a key frame (``SendControl/needKeyFrame(ofScreen:)``).
    func needKeyFrame() { state.withLock { $0.keyFrames.need() } }

    /// The coarsest that a picture can become at all.
    static let coarsest = 63

    /// The coarsest that a picture may become at a rate, of libvpx's 0 to 63. Where there is enough, text stays sharp; with little, a
    /// sharp picture would take seconds and never come whole.
    static func coarsest(at bitrate: Int) -> Int {
        let (sharp, coarse, enough, little) = (44, coarsest, 800_000, 300_000)
        let part = Double(min(max(bitrate, little), enough) - little) / Double(enough - little)
        return coarse - Int(part * Double(coarse - sharp))
    }

    private func apply(_ source: PictureSize?) {
        let now = Instant.now
        let (bitrate, content, isDue, caps) = state.withLock { state in
            defer { state.isPending = false }
            state.size = source.map { state.shown.size(of: $0, now: now) }
            let caps = Self.caps(of: state.size, from: source)
            let isOther = caps != state.caps
            state.caps = caps
            state.isGranting = state.keyFrames.poll(now: now)
            return (state.isPending ? state.bitrate : nil, state.content, state.isGranting, isOther ? caps : nil)
        }
        if let caps { scale.setCaps(caps) }
        if let bitrate {
            encoder.set("target-bitrate", bitrate)
            encoder.set("max-quantizer", content == .text ? Self.coarsest(at: bitrate) : Self.coarsest)
        }
        if isDue, let pad = encoder.pad("src"),
            let event = gst_video_event_new_upstream_force_key_unit(GstClockTime.max, 1, 0)
        {
            gst_pad_send_event(pad.pointer(), event)
        }
    }

    private static func caps(of size: PictureSize?, from source: PictureSize?) -> String {
        guard let size, size != source else { return unscaled }
        return "\(unscaled),width=\(size.width),height=\(size.height)"
    }

    private func made(_ frame: UnsafeMutablePointer<GstBuffer>) {
        guard frame.pointee.mini_object.flags & GST_BUFFER_FLAG_DELTA_UNIT.rawValue == 0 else { return }
        let (bytes, now) = (Int(gst_buffer_get_size(frame)), Instant.now)
        state.withLock { $0.keyFrames.made(bytes: bytes, rate: $0.bitrate, now: now) }
    }

    /// Whether an event may go on to the encoder.
    private func passes(_ event: UnsafeMutablePointer<GstEvent>) -> Bool {
        guard gst_video_event_is_force_key_unit(event) != 0 else { return true }
        let now = Instant.now
        return state.withLock { state in
            if state.isGranting {
                state.isGranting = false
                return true
            }
            return state.keyFrames.request(now: now)
        }
    }
}
