import CGStreamer
import GLibKit
import MediaRules

/// The way of captured frames to the network: inlet → valve → encoder → frame encryption → payloader → label.
/// Pictures pass a scaler before the encoder, and the payloader paces their packets.
///
/// Encoder and payloader stay for the whole call, so sequence numbers go on when the source is exchanged. While the valve
/// is closed nothing is encoded and no RTP leaves.
struct SendChain: Sendable {
    let slot: MediaSlot
    let element: Element
    /// Where captured frames go in.
    let source: Element
    /// Keeps pictures within what the network carries; the camera's does so for the screen too. Nil for the others.
    let control: SendControl?
    private let valve: Element
    private let encoder: Element

    // Buffer sizes and bit rates as measured for 640x480 at 30 frames a second; threads and cpu-used follow the size (EncoderEffort).
    private static let videoEncoder = """
        videoscale ! capsfilter name=size caps=video/x-raw ! \
        vp8enc name=encoder deadline=1 cpu-used=-6 threads=1 target-bitrate=1000000 end-usage=cbr undershoot=95 buffer-size=600 \
        buffer-initial-size=400 buffer-optimal-size=500 lag-in-frames=0 keyframe-max-dist=3000 max-intra-bitrate=300 \
        error-resilient=partitions dropframe-threshold=30
        """
    private static let audioEncoder = """
        audioconvert ! audioresample ! opusenc name=encoder bitrate=32000 frame-size=20 inband-fec=true packet-loss-percentage=10 \
        audio-type=voice
        """

    /// Encoded frames that wait for the pacer, so that a key frame's packets do not keep the encoder from the next pictures.
    private static let waitingFrames = "queue max-size-buffers=3 max-size-bytes=0 max-size-time=0 !"

    /// Builds the chain; frames come once an inlet is connected to its source. `formerRate` is what was well on the transport
    /// before, in bits a second. Throws ``MediaError``.
    init(
        label: MediaLabel, protection: FrameProtection, counters: MediaCounters, formerRate: Int? = nil
    ) throws(MediaError) {
        slot = label.slot
        let encoding =
            switch label.slot {
            case .microphone: Self.audioEncoder
            case .camera: Self.videoEncoder
            case .screenSound: Self.screenSoundEncoder
            case .screen: Self.screenEncoder
            }
        let payloader = label.slot.kind == .audio ? "rtpopuspay" : "parleyvp8pay"
        element = try Element.bin(
            """
            appsrc name=inlet format=time is-live=true min-latency=0 max-bytes=0 max-buffers=\(label.slot.kind == .audio ? 20 : 2) \
            leaky-type=downstream ! valve name=valve drop=true drop-mode=forward-sticky-events ! \(encoding) ! \
            parleyframeencrypt name=protect ! \(label.slot.kind == .audio ? "" : Self.waitingFrames) \(payloader) name=payloader mtu=1200 ! capsfilter name=label
            """)
        let protect = try element.child("protect")
        FrameEncryptElement.gclass.peer(of: protect).configure(
            slot: label.slot, protection: protection, counters: counters)
        try element.child("payloader").set("pt", label.payloadType)
        try element.child("label").setCaps(label.caps)
        valve = try element.child("valve")
        source = try element.child("inlet")
        encoder = try element.child("encoder")
        control =
            label.slot == .camera
            ? try Self.control(of: element, encoder: encoder, valve: valve, formerRate: formerRate) : nil
    }

    private static func control(
        of chain: Element, encoder: Element, valve: Element, formerRate: Int?
    ) throws(MediaError) -> SendControl {
        let pacing = Pacing()
        let payloader = try chain.child("payloader")
        VP8PayloadElement.gclass.peer(of: payloader).setPacing(pacing, dropsWaiting: true)
        let control = SendControl(
            controller: GradientController(former: formerRate), encoder: encoder, size: try chain.child("size"),
            pacing: pacing)
        guard let input = valve.pad("src"), let output = encoder.pad("src") else { throw .pipeline("no encoder") }
        control.listen(input: input, output: output)
        return control
    }

    /// Lets the sound's encoder follow what the pictures' control finds out about losses.
    func follow(_ control: SendControl) { control.setAudioEncoder(encoder) }

    /// Lets the screen's encoder and packets share what the network carries with the camera's.
    func share(with control: SendControl) throws(MediaError) {
        VP8PayloadElement.gclass.peer(of: try element.child("payloader")).setPacing(control.pacing)
        guard let input = valve.pad("src") else { throw .pipeline("no encoder") }
        control.setScreen(EncoderRate(encoder, input: input))
    }

    /// Lets the control find out what the network carries, by packets of this chain that are sent again.
    func probe(by gate: RetransmissionGate, source: UInt32) {
        guard let control, let pad = (try? element.child("label"))?.pad("src") else { return }
        let sender = ProbeSender(source: source, gate: gate)
        sender.listen(at: pad)
        control.setProbes(sender)
    }

    /// Lets frames through or stops RTP.
    func setOpen(_ isOpen: Bool) { valve.set("drop", !isOpen) }
}
