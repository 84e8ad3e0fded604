import CGStreamer
import GLibKit

/// The way of captured frames to the network: inlet → valve → encoder → frame encryption → payloader → label.
///
/// Encoder and payloader stay for the whole call, so sequence numbers go on when the source is exchanged. While the valve
/// is closed nothing is encoded and no RTP leaves.
struct SendChain: Sendable {
    let slot: MediaSlot
    let element: Element
    /// Where captured frames go in.
    let source: Element
    private let valve: Element

    // cpu-used, buffer sizes and bit rates as measured for 640x480 at 30 frames a second.
    private static let videoEncoder = """
        vp8enc deadline=1 cpu-used=-6 threads=2 target-bitrate=1000000 end-usage=cbr undershoot=95 buffer-size=600 \
        buffer-initial-size=400 buffer-optimal-size=500 lag-in-frames=0 keyframe-max-dist=3000 max-intra-bitrate=300 \
        error-resilient=partitions min-force-key-unit-interval=250000000
        """
    private static let audioEncoder = """
        audioconvert ! audioresample ! opusenc bitrate=32000 frame-size=20 inband-fec=true packet-loss-percentage=10 \
        audio-type=voice
        """

    /// Builds the chain; frames come once an inlet is connected to its source. Throws ``MediaError``.
    init(
        label: MediaLabel, protection: FrameProtection, counters: MediaCounters
    ) throws(MediaError) {
        slot = label.slot
        let encoder = label.slot.kind == .audio ? Self.audioEncoder : Self.videoEncoder
        let payloader = label.slot.kind == .audio ? "rtpopuspay" : "parleyvp8pay"
        element = try Element.bin(
            """
            appsrc name=inlet format=time is-live=true min-latency=0 max-bytes=0 max-buffers=\(label.slot.kind == .audio ? 20 : 2) \
            leaky-type=downstream ! valve name=valve drop=true drop-mode=forward-sticky-events ! \(encoder) ! \
            parleyframeencrypt name=protect ! \(payloader) name=payloader mtu=1200 ! capsfilter name=label
            """)
        let protect = try element.child("protect")
        FrameEncryptElement.gclass.peer(of: protect).configure(
            slot: label.slot, protection: protection, counters: counters)
        try element.child("payloader").set("pt", label.payloadType)
        try element.child("label").setCaps(label.caps)
        valve = try element.child("valve")
        source = try element.child("inlet")
    }

    /// Lets frames through or stops RTP.
    func setOpen(_ isOpen: Bool) { valve.set("drop", !isOpen) }
}
