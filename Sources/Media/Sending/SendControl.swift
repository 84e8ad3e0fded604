import BaseKit
import CGStreamer
import GLibKit
import MediaRules
import Synchronization

/// Keeps what a call sends within what its network carries: listens to the peer's feedback and sets encoders, pacer, size and
/// rate of pictures and how many key frames there are.
///
/// ``SendPlan`` decides. Feedback comes on the thread that receives RTCP, which holds locks there; what follows from it is set
/// by the thread that brings pictures, just before it encodes the next one: an encoder keeps its settings locked while it
/// pushes what it made, so that the two threads would wait for each other.
final class SendControl: Sendable {
    /// What is known of the way to the peer.
    struct Report: Sendable, Equatable {
        /// Bits a second that may be sent.
        var target: Int
        /// Bits a second that were well before nothing was heard, or are now.
        var good: Int
        /// Part of the packets lost lately, 0…1.
        var loss: Double
        /// What width and height of pictures are divided by.
        var divisor: Int
    }

    private struct State: Sendable {
        var plan: SendPlan
        var keyFrames = KeyFrameBudget()
        var rateLimit = FrameRateLimit(frameRate: 30)
        var sourceSize: PictureSize?
        /// What is to be set before the next picture.
        var pending = SendPlan.Change()
        /// The budget has granted a key frame that it had put off.
        var isKeyFrameDue = false
        /// That key frame's event is on its way to the encoder.
        var isGranting = false

        /// Keeps a change for the next picture.
        mutating func keep(_ change: SendPlan.Change) {
            pending.add(change)
            if let step = change.step { rateLimit.frameRate = step.frameRate }
        }
    }

    private let state: Mutex<State>
    let pacing: Pacing
    private let screen = Mutex<EncoderRate?>(nil)
    private let encoder: Element
    private let scale: Element
    private let audioEncoder: Mutex<Element?> = Mutex(nil)

    /// Takes the video chain's parts over. `size` is the capsfilter behind its scaler.
    init(controller: any BandwidthController, encoder: Element, size: Element, pacing: Pacing) {
        state = Mutex(State(plan: SendPlan(controller: controller)))
        self.encoder = encoder
        scale = size
        self.pacing = pacing
        let change = state.withLock { state in
            let change = state.plan.begin()
            state.keep(change)
            return change
        }
        pacing.setRate(change.pacingRate)
        apply(change, to: nil)
    }

    /// What is known now.
    var report: Report {
        state.withLock {
            Report(target: $0.plan.target, good: $0.plan.good, loss: $0.plan.loss, divisor: $0.plan.step.divisor)
        }
    }

    /// Tells the sound's encoder too how much is lost.
    func setAudioEncoder(_ encoder: Element) { audioEncoder.withLock { $0 = encoder } }

    /// Lets a screen have its part from now on.
    func setScreen(_ rate: EncoderRate) { screen.withLock { $0 = rate } }

    /// Says what is sent from now on.
    func setShares(_ shares: SendShares) {
        let change = state.withLock { state in
            let change = state.plan.setShares(shares)
            state.pending.add(change)
            return change
        }
        if let rate = change.screenBitrate { screen.withLock { $0 }?.set(rate) }
    }

    /// Listens at the pads of the video chain: raw pictures come through `input`, feedback and wishes for key frames through
    /// `output`, against the stream.
    func listen(input: Pad, output: Pad) {
        input.filterBuffers { [weak self] pad, buffer in self?.admits(buffer, from: pad) ?? true }
        output.onBuffer { [weak self] _, buffer in self?.made(buffer) }
        output.filterUpstreamEvents { [weak self] event in self?.passes(event) ?? true }
    }

    /// Grants a kept wish for a key frame when its time has come, and sends less while feedback stays away.
    func poll(now: Instant) {
        let change = state.withLock { state in
            if state.keyFrames.poll(now: now) { state.isKeyFrameDue = true }
            let change = state.plan.poll(now: now)
            state.keep(change)
            return change
        }
        if let rate = change.pacingRate { pacing.setRate(rate) }
        if let rate = change.screenBitrate { screen.withLock { $0 }?.set(rate) }
    }

    /// The peer can't show the camera's pictures, or the screen's, before a key frame: the next picture is one, as soon as
    /// their budget allows it. Calls nothing of GStreamer's.
    func needKeyFrame(ofScreen: Bool = false) {
        if ofScreen {
            screen.withLock { $0 }?.needKeyFrame()
        } else {
            let now = Instant.now
            state.withLock { state in
                state.keyFrames.need()
                if state.keyFrames.poll(now: now) { state.isKeyFrameDue = true }
            }
        }
    }

    /// Nothing waits any more: the call ends.
    func close() { pacing.setRate(nil) }

    private func made(_ frame: UnsafeMutablePointer<GstBuffer>) {
        let now = Instant.now
        state.withLock { $0.plan.sent(now: now) }
        guard frame.pointee.mini_object.flags & GST_BUFFER_FLAG_DELTA_UNIT.rawValue == 0 else { return }
        let bytes = Int(gst_buffer_get_size(frame))
        state.withLock { $0.keyFrames.made(bytes: bytes, rate: $0.plan.target, now: now) }
    }

    private func requestKeyFrame() {
        guard let pad = encoder.pad("src"),
            let event = gst_video_event_new_upstream_force_key_unit(GstClockTime.max, 1, 0)
        else { return }
        gst_pad_send_event(pad.pointer(), event)
    }

    /// Whether an event may go on to the encoder.
    private func passes(_ event: UnsafeMutablePointer<GstEvent>) -> Bool {
        let now = Instant.now
        if let packets = PacketFeedback.reports(of: event) {
            let change = state.withLock { state in
                let change = state.plan.receive(packets, now: now)
                state.keep(change)
                return change
            }
            if let rate = change.pacingRate { pacing.setRate(rate) }
            if let rate = change.screenBitrate { screen.withLock { $0 }?.set(rate) }
            poll(now: now)
            return true
        }
        guard gst_video_event_is_force_key_unit(event) != 0 else { return true }
        return state.withLock { state in
            if state.isGranting {
                state.isGranting = false
                return true
            }
            return state.keyFrames.request(now: now)
        }
    }

    /// Whether a picture is encoded. Also sets what has been decided since the last.
    private func admits(_ buffer: UnsafeMutablePointer<GstBuffer>, from pad: UnsafeMutablePointer<GstPad>) -> Bool {
        let size = PictureSize(of: pad)
        let time = Int64(clamping: UInt64(buffer.pointee.pts) / 1_000)
        let (isAdmitted, change, needsKeyFrame) = state.withLock { state in
            var change = state.pending
            // Pictures of another size, from another camera, are made as small as the last.
            if size != state.sourceSize { change.step = state.plan.step }
            state.pending = SendPlan.Change()
            state.sourceSize = size
            let needsKeyFrame = state.isKeyFrameDue
            state.isKeyFrameDue = false
            state.isGranting = needsKeyFrame
            return (state.rateLimit.admits(time), change, needsKeyFrame)
        }
        // From a duration libvpx takes the next picture's time; when that picture does not come, it reckons for a second with
        // half the rate of pictures and makes them twice as large. Without one it goes by the times themselves.
        if gst_mini_object_is_writable(&buffer.pointee.mini_object) != 0 { buffer.pointee.duration = GstClockTime.max }
        apply(change, to: size)
        if needsKeyFrame { requestKeyFrame() }
        return isAdmitted
    }

    private func apply(_ change: SendPlan.Change, to size: PictureSize?) {
        if let bitrate = change.videoBitrate { encoder.set("target-bitrate", bitrate) }
        if let step = change.step { setSize(size, step) }
        if let loss = change.expectedLoss { audioEncoder.withLock { $0 }?.set("packet-loss-percentage", loss) }
    }

    private func setSize(_ size: PictureSize?, _ step: VideoStep) {
        guard let size, step.divisor > 1 else { return scale.setCaps("video/x-raw") }
        let small = size.divided(by: step.divisor)
        scale.setCaps("video/x-raw,width=\(small.width),height=\(small.height)")
    }
}

extension PictureSize {
    /// The size of the pictures that pass a pad now.
    init?(of pad: UnsafeMutablePointer<GstPad>) {
        guard let caps = gst_pad_get_current_caps(pad) else { return nil }
        defer { gst_caps_unref(caps) }
        var (width, height) = (gint(0), gint(0))
        let structure = gst_caps_get_structure(caps, 0)
        guard gst_structure_get_int(structure, "width", &width) != 0,
            gst_structure_get_int(structure, "height", &height) != 0
        else { return nil }
        self.init(width: Int(width), height: Int(height))
    }
}
