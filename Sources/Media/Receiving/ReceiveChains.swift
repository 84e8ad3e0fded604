import BaseKit
import CGStreamer
import GLibKit
import MediaRules

/// The ways of the peer's frames: depayloader → frame decryption → decoder → display, loudspeaker or back to the peer.
///
/// Built on streaming threads when the peer's first packet of an m-line arrives. Holds no element that holds it.
final class ReceiveChains: Sendable {
    /// Where decoded frames go.
    struct Outlets: Sendable {
        /// Shows the peer's camera; nil when nobody looks.
        var video: VideoFeed?
        /// Shows the peer's screen.
        var screen: VideoFeed?
        /// Gets every decoded frame of the peer's camera (echo).
        var videoTap: FrameInlet?
        /// Gets every decoded piece of the peer's sound (echo).
        var audioTap: FrameInlet?
        /// Measures the peer's voice; nil when nobody looks.
        var voice: VoiceMeter?
        /// The peer's number among those that are played.
        var member: UInt8 = 0
        /// Plays the peer's sound.
        var speaker = Shared<AudioPlayout?>(nil)
        /// Where a member's frames meet that come by several ways; nil in a call of two. Then ``video`` and ``screen`` are its.
        var meeting: FrameMeeting?
        /// The number of this way there.
        var way = 0
    }

    /// How long the pictures of the peer's camera take to decode.
    let decoding: DecodeWatch
    private let protection: FrameProtection
    private let opening: (@Sendable (MediaSlot) -> any FrameOpening)?
    private let counters: MediaCounters
    private let outlets: Lock<Outlets>
    private let recoversSound = Shared(true)
    private let onFirstFrame: @Sendable (FrameKind) -> Void

    /// `opening` makes what opens the frames of an m-line; without it they are opened by the key that `protection` has.
    init(
        protection: FrameProtection, opening: (@Sendable (MediaSlot) -> any FrameOpening)? = nil,
        counters: MediaCounters, outlets: Outlets,
        onFirstFrame: @escaping @Sendable (FrameKind) -> Void
    ) {
        self.protection = protection
        self.opening = opening
        self.counters = counters
        self.outlets = Lock(outlets)
        decoding = outlets.meeting?.decoding ?? DecodeWatch()
        self.onFirstFrame = onFirstFrame
    }

    /// Whether a packet of sound is decoded only when the next has come, which may tell of one that is lost; else at once.
    func setRecoversSound(_ isOn: Bool) { recoversSound.value = isOn }

    /// Builds and links the chain of a new source pad. `mids` are the call's, in order.
    func attach(_ pad: Pad, in pipeline: Element, mids: [String]) {
        let mid: String? = pad.borrow("transceiver")?[property: "mid"]
        let slot = mid.flatMap { mids.firstIndex(of: $0) }.flatMap { MediaSlot(rawValue: $0) }
        let chain = (try? makeChain(slot, codec: pad.capsText("encoding-name"))) ?? Self.makeDrain()
        guard let chain else { return }
        pipeline.add(chain)
        gst_element_sync_state_with_parent(chain.pointer())
        if let sink = chain.pad("sink") { pad.link(to: sink) }
    }

    /// Takes what is not wanted: a pad left alone would stop the whole transport.
    private static func makeDrain() -> Element? {
        try? Element.bin("fakesink sync=false async=false")
    }

    private func makeChain(_ slot: MediaSlot?, codec: String?) throws -> Element? {
        switch (slot, codec) {
        case (.camera, "VP8"):
            try makeVideoChain(.camera, feed: outlets.withLock { $0.video }, tap: outlets.withLock { $0.videoTap })
        case (.screen, "VP8"): try makeVideoChain(.screen, feed: outlets.withLock { $0.screen }, tap: nil)
        case (.microphone, "OPUS"): try makeAudioChain(.microphone, tap: outlets.withLock { $0.audioTap })
        case (.screenSound, "OPUS"): try makeAudioChain(.screenSound, tap: nil)
        default: nil
        }
    }

    private func makeVideoChain(_ slot: MediaSlot, feed: VideoFeed?, tap: FrameInlet?) throws -> Element {
        let (meeting, way) = outlets.withLock { ($0.meeting, $0.way) }
        if let meeting { return try makePictureChain(slot, to: meeting, way: way) }
        let display =
            feed.map { PictureDisplay.chain(isDrawn: $0.isDrawn) }
            ?? "appsink name=frames sync=false async=false max-buffers=1 drop=true"
        let chain = try Element.bin(
            """
            rtpvp8depay request-keyframe=true wait-for-keyframe=true ! parleyframedecrypt name=protect ! \
            vp8dec name=decoder max-errors=-1 ! \(display)
            """)
        if slot == .camera { decoding.watch(try chain.child("decoder")) }
        try configure(chain, slot, tap: tap)
        boundAssembly(chain)
        if let feed { try PictureDisplay.connect(chain, to: feed) { feed.show($0) } }
        return chain
    }

    /// What is put together of packets is bounded.
    private func boundAssembly(_ chain: Element) {
        let parts = Lock(AssemblyBudget())
        chain.pad("sink")?.filterPackets { [counters] packet in
            guard let header = RTPHeader(packet) else { return counters.check(false) }
            return counters.check(parts.withLock { $0.admits(size: header.payload.count, isLast: header.isLast) })
        }
    }

    /// The pictures of a member, to where they meet with those of its other ways. What is missing is seen there.
    private func makePictureChain(_ slot: MediaSlot, to meeting: FrameMeeting, way: Int) throws -> Element {
        let chain = try Element.bin(
            """
            rtpvp8depay request-keyframe=true wait-for-keyframe=true ! parleyframedecrypt name=protect ! \
            appsink name=opened sync=false async=false max-buffers=4
            """)
        try protect(chain, slot)
        boundAssembly(chain)
        let input = try chain.child("protect").pad("sink")
        try chain.child("opened").onSample { [counters, onFirstFrame] sample in
            guard let place = FramePlace(of: sample.buffer) else { return }
            let verdict = meeting.receive(sample, at: place, of: slot, by: way)
            if verdict.isRefused { counters.countRejectedReceived() }
            if verdict.asksForKeyFrame { input?.requestKeyFrame() }
            guard verdict.isGood, counters.countReceived(slot), slot == .camera else { return }
            onFirstFrame(.video)
        }
        return chain
    }

    private func makeAudioChain(_ slot: MediaSlot, tap: FrameInlet?) throws -> Element {
        let chain = try Element.bin(
            """
            rtpopusdepay ! parleyframedecrypt name=protect ! \(SoundDecoder.description) name=decoder ! \
            appsink name=frames sync=false async=false max-buffers=10 drop=true
            """)
        try configure(chain, slot, tap: tap)
        // Behind what says which packets are played.
        let decoder = SoundDecoder(try chain.child("decoder"), recovers: recoversSound)
        try chain.child("protect").pad("src")?.onBuffer { decoder.follow($0, $1) }
        try chain.child("frames").onSample { [weak self] sample in
            guard let outlets = self?.outlets.withLock({ $0 }) else { return }
            // A decoder makes something up for what is lost; another way may have it.
            if let meeting = outlets.meeting, !meeting.isFront(outlets.way, of: slot) { return }
            outlets.speaker.value?.play(sample, of: PlayedSound(member: outlets.member, slot: slot))
            if slot == .microphone { outlets.voice?.measure(sample.buffer) }
        }
        return chain
    }

    private func protect(_ chain: Element, _ slot: MediaSlot) throws {
        let element = FrameDecryptElement.gclass.peer(of: try chain.child("protect"))
        if let opening {
            element.configure(kind: slot.kind, gate: protection, opening: opening(slot), counters: counters)
        } else {
            element.configure(kind: slot.kind, protection: protection, counters: counters)
        }
    }

    private func configure(_ chain: Element, _ slot: MediaSlot, tap: FrameInlet?) throws {
        try protect(chain, slot)
        // Decoders of sound are exchanged.
        let decoded =
            slot.kind == .audio ? try chain.child("frames").pad("sink") : try chain.child("decoder").pad("src")
        guard let input = try chain.child("protect").pad("src"), let output = decoded else {
            throw MediaError.pipeline("no decoder")
        }
        let (meeting, way) = outlets.withLock { ($0.meeting, $0.way) }
        // Sound is counted once authenticated, as the decoder also makes sound up for what was lost.
        (slot.kind == .audio ? input : output).onBuffer { [counters, onFirstFrame] _, buffer in
            let time = buffer.pointee.pts
            let position = time == GstClockTime.max ? nil : Duration.nanoseconds(Int64(clamping: time))
            if counters.countReceived(slot, at: position), slot == .microphone || slot == .camera {
                onFirstFrame(slot.kind)
            }
        }
        if let meeting {
            input.filterBuffers { _, buffer in
                FramePlace(of: buffer).map { meeting.plays($0, of: slot, by: way) } ?? false
            }
        }
        guard let tap else { return }
        output.onBuffer { pad, buffer in
            guard let caps = gst_pad_get_current_caps(pad) else { return }
            defer { gst_caps_unref(caps) }
            guard slot.kind == .video else { return tap.push(buffer, caps: caps) }
            guard let labelled = PictureColours.labelled(caps) else { return }
            tap.push(buffer, caps: labelled)
            gst_caps_unref(labelled)
        }
    }
}
