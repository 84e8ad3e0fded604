import BaseKit
import CGStreamer
import Foundation
import GLibKit
import MediaRules

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
        /// The size of the pictures that are sent; nil before the first.
        var size: PictureSize?
        /// What keeps them from being larger.
        var limit: PictureLimit
        /// Whether there is no room for pictures.
        var isPaused = false
        /// Whether the graphics processor encodes them.
        var isHardware = false
        /// The size of the pictures of a screen beside the camera; nil before the first.
        var screenSize: PictureSize?
        /// The part of the time between two pictures that encoding one takes, and microseconds it takes.
        var encodeLoad = 0.0
        var encodeTime = 0
    }

    private struct State: Sendable {
        var plan: SendPlan
        var keyFrames = KeyFrameBudget()
        var rateLimit = FrameRateLimit(frameRate: 30)
        var sourceSize: PictureSize?
        /// The size that is sent.
        var size: PictureSize?
        /// Whether the pictures are of a screen that is to be read.
        var isScreen = false
        /// When the encoder was given the picture it has.
        var begun: Instant?
        /// What is to be set before the next picture.
        var pending = SendPlan.Change()
        /// What is to be set before the next piece of sound.
        var pendingSound = SendPlan.Change()
        /// The budget has granted a key frame that it had put off.
        var isKeyFrameDue = false
        /// That key frame's event is on its way to the encoder.
        var isGranting = false

        /// Keeps a change for the next picture and the next piece of sound.
        mutating func keep(_ change: SendPlan.Change) {
            pending.add(change)
            pendingSound.sound = change.sound ?? pendingSound.sound
            pendingSound.expectedLoss = change.expectedLoss ?? pendingSound.expectedLoss
            // Everything up to a key frame is let go: it is not to wait for its turn.
            if change.dropsWaiting || change.resumesPictures { isKeyFrameDue = true }
            if let step = change.step { rateLimit.frameRate = step.frameRate }
        }
    }

    private let state: Lock<State>
    let pacing: Pacing
    private let screen = Lock<EncoderRate?>(nil)
    private let probes = Lock<ProbeSender?>(nil)
    private let encoder: Element
    private let scale: Element
    private let processors: Int

    /// Takes the video chain's parts over. `size` is the capsfilter behind its scaler; `processors` are those that may encode.
    init(
        controller: any BandwidthController, encoder: Element, size: Element, pacing: Pacing,
        processors: Int = ProcessInfo.processInfo.activeProcessorCount
    ) {
        self.processors = processors
        state = Lock(State(plan: SendPlan(controller: controller)))
        self.encoder = encoder
        scale = size
        self.pacing = pacing
        let change = state.withLock { state in
            let change = state.plan.begin()
            state.keep(change)
            return change
        }
        pacing.setRate(change.pacingRate)
        apply(change, to: nil, isScreen: false)
    }

    /// What is known now.
    var report: Report {
        let isHardware = (encoder[property: "is-hardware"] as Int32?) == 1
        let screenSize = screen.withLock { $0 }?.size
        return state.withLock {
            Report(
                target: $0.plan.target, good: $0.plan.good, loss: $0.plan.loss, size: $0.size, limit: $0.plan.limit,
                isPaused: $0.plan.isPaused, isHardware: isHardware, screenSize: screenSize,
                encodeLoad: $0.plan.encoding.part, encodeTime: Int($0.plan.encoding.time * 1_000_000))
        }
    }

    /// Has the sound's encoder follow what is found out, by the thread that brings sound.
    func setAudioEncoder(_ encoder: Element) {
        encoder.pad("sink")?.onBuffer { [weak self, weak encoder] _, _ in
            guard let self, let encoder else { return }
            let change = state.withLock { state in
                defer { state.pendingSound = SendPlan.Change() }
                return state.pendingSound
            }
            if let loss = change.expectedLoss { encoder.set("packet-loss-percentage", loss) }
            if let step = change.sound {
                encoder.set("bitrate", step.bitrate)
                encoder.set("frame-size", step.packet)
            }
        }
    }

    /// Lets a screen have its part from now on.
    func setScreen(_ rate: EncoderRate) { screen.withLock { $0 = rate } }

    /// Lets probes be sent from now on.
    func setProbes(_ sender: ProbeSender) { probes.withLock { $0 = sender } }

    /// Says what is sent from now on.
    func setShares(_ shares: SendShares) {
        let change = state.withLock { state in
            let change = state.plan.setShares(shares)
            state.isScreen = shares.isReadInCamerasPlace
            state.keep(change)
            return change
        }
        screen.withLock { $0 }?.set(shares.screenContent)
        if !shares.hasScreen { screen.withLock { $0 }?.end() }
        if let rate = change.screenBitrate { screen.withLock { $0 }?.set(rate) }
    }

    /// The peer shows the camera's pictures in this size; nil: it does not say.
    func setView(_ size: PictureSize?) {
        change { $0.setView(size) }
    }

    /// The peer shows the screen beside the camera in this size; nil: it does not say.
    func setScreenView(_ size: PictureSize?) { screen.withLock { $0 }?.show(size) }

    /// The voice is encoded by no better step than this one from now on, from 0.
    func limitSound(to step: Int) {
        change { $0.limitSound(to: step) }
    }

    /// Listens at the pads of the video chain: raw pictures come through `input`, wishes for key frames through `output`,
    /// against the stream.
    func listen(input: Pad, output: Pad) {
        encoder.pad("sink")?.onBuffer { [weak self] _, _ in
            let now = Instant.now
            self?.state.withLock { $0.begun = now }
        }
        input.filterBuffers { [weak self] pad, buffer in self?.admits(buffer, from: pad) ?? true }
        output.onBuffer { [weak self] _, buffer in self?.made(buffer) }
        output.filterUpstreamEvents { [weak self] event in self?.passes(event) ?? true }
    }

    /// Grants a kept wish for a key frame when its time has come, and sends less while feedback stays away.
    func poll(now: Instant) {
        let (change, probe) = state.withLock { state in
            if state.keyFrames.poll(now: now) { state.isKeyFrameDue = true }
            let change = state.plan.poll(now: now)
            state.keep(change)
            return (change, state.plan.probe(now: now))
        }
        follow(change)
        if let probe { send(probe) }
    }

    /// Whether the peer gives feedback on each packet.
    var hasFeedback: Bool { state.withLock { $0.plan.hasFeedback } }

    /// The peer is to tell of packets what becomes of them.
    func expectFeedback() { state.withLock { $0.plan.expectFeedback() } }

    /// Takes what the peer tells of packets that were sent. On the thread that receives RTCP.
    func receive(_ packets: [PacketReport]) {
        let now = Instant.now
        change { $0.receive(packets, now: now) }
        poll(now: now)
    }

    /// Takes what a peer says that gives no feedback on each packet.
    func receive(_ report: ReceptionReport) {
        let now = Instant.now
        change { $0.receive(report, now: now) }
    }

    /// Has the plan decide anew, keeps what follows for the next picture and piece of sound, and sets the rest.
    private func change(_ decide: (inout SendPlan) -> SendPlan.Change) {
        let change = state.withLock { state in
            let change = decide(&state.plan)
            state.keep(change)
            return change
        }
        follow(change)
    }

    /// What is set at once, without a picture.
    private func follow(_ change: SendPlan.Change) {
        if let rate = change.pacingRate { pacing.setRate(rate) }
        if let rate = change.screenBitrate { screen.withLock { $0 }?.set(rate) }
        if change.dropsWaiting { pacing.dropWaiting() }
    }

    private func send(_ probe: Probe) {
        let report: @Sendable ((from: Instant, to: Instant)?) -> Void = { [weak self] moments in
            self?.state.withLock { $0.plan.sent(probe, between: moments, now: .now) }
        }
        guard let sender = probes.withLock({ $0 }) else { return report(nil) }
        sender.send(probe, then: report)
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

    /// How long at most pictures go without a key frame, where nobody asks for one; nil: for ever.
    func setRegularKeyFrames(_ interval: Duration?) { state.withLock { $0.keyFrames.regular = interval } }

    /// Nothing waits any more: the call ends.
    func close() { pacing.setRate(nil) }

    private func made(_ frame: UnsafeMutablePointer<GstBuffer>) {
        let now = Instant.now
        // As often as pictures leave: that nothing is heard is to be noticed soon.
        defer { poll(now: now) }
        state.withLock { state in
            state.plan.sent(now: now)
            // Before it is pushed on: the time is the encoder's alone.
            guard let begun = state.begun else { return }
            state.begun = nil
            state.keep(state.plan.encoded(in: now - begun, now: now))
        }
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

    /// Whether a picture is encoded. Also sets what has been decided since the last.
    private func admits(_ buffer: UnsafeMutablePointer<GstBuffer>, from pad: UnsafeMutablePointer<GstPad>) -> Bool {
        let size = PictureSize(of: pad)
        let time = Int64(clamping: UInt64(buffer.pointee.pts) / 1_000)
        let (isAdmitted, change, needsKeyFrame, isScreen) = state.withLock { state in
            guard !state.plan.isPaused else { return (false, SendPlan.Change(), false, false) }
            var change = state.pending
            if let size, size != state.sourceSize {
                state.keep(state.plan.setSource(size))
                change.add(state.pending)
                // Pictures of another size, from another camera, are made as small as the last.
                change.step = state.plan.step
            }
            if let size, let step = change.step { state.size = size.reduced(to: step.pixels) }
            state.pending = SendPlan.Change()
            state.sourceSize = size
            let needsKeyFrame = state.isKeyFrameDue
            state.isKeyFrameDue = false
            state.isGranting = needsKeyFrame
            return (state.rateLimit.admits(time), change, needsKeyFrame, state.isScreen)
        }
        // From a duration libvpx takes the next picture's time; when that picture does not come, it reckons for a second with
        // half the rate of pictures and makes them twice as large. Without one it goes by the times themselves.
        if gst_mini_object_is_writable(&buffer.pointee.mini_object) != 0 { buffer.pointee.duration = GstClockTime.max }
        apply(change, to: size, isScreen: isScreen)
        if needsKeyFrame { requestKeyFrame() }
        return isAdmitted
    }

    private func apply(_ change: SendPlan.Change, to size: PictureSize?, isScreen: Bool) {
        if let bitrate = change.videoBitrate {
            encoder.set("target-bitrate", bitrate)
            // A screen stays sharp, and pictures of it are left out instead.
            encoder.set("max-quantizer", isScreen ? EncoderRate.coarsest(at: bitrate) : EncoderRate.coarsest)
        }
        if let step = change.step { setSize(size, step) }
    }

    private func setSize(_ size: PictureSize?, _ step: VideoStep) {
        guard let size else { return scale.setCaps("video/x-raw") }
        let sent = size.reduced(to: step.pixels)
        let effort = EncoderEffort(pixels: sent.pixels, processors: processors)
        // Threads count from the next size on, with which the encoder begins anew.
        encoder.set("threads", effort.threads)
        encoder.set("cpu-used", effort.speed)
        scale.setCaps(sent == size ? "video/x-raw" : "video/x-raw,width=\(sent.width),height=\(sent.height)")
    }
}
