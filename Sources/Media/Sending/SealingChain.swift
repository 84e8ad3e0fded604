import CGStreamer
import GLibKit
import MediaRules

/// The way of captured frames to sealed ones: inlet → valve → encoder → frame encryption. Pictures pass a scaler before the encoder.
///
/// The encoder stays when the source is exchanged. While the valve is closed nothing is encoded.
struct SealingChain: Sendable {
    /// Where captured frames go in.
    let source: Element
    /// Sealed frames come out of it.
    let protect: Element
    let encoder: Element
    private let slot: MediaSlot
    private let valve: Element
    /// The capsfilter behind the scaler; nil for sound.
    private let size: Element?

    private static let audioEncoder = """
        audioconvert ! audioresample ! opusenc name=encoder bitrate=32000 frame-size=20 inband-fec=true packet-loss-percentage=10 \
        audio-type=voice tolerance=10000000 hard-resync=true
        """

    /// Its elements as a text of `gst-launch`. `hardware`: whether the graphics processor may encode a camera's pictures.
    static func description(of slot: MediaSlot, hardware: Bool = true) -> String {
        let encoding =
            switch slot {
            case .microphone: audioEncoder
            case .camera:
                "videoscale ! capsfilter name=size caps=video/x-raw ! parleyvp8enc name=encoder hardware=\(hardware ? 1 : 0)"
            case .screenSound: SendChain.screenSoundEncoder
            case .screen: "videoscale ! capsfilter name=size caps=video/x-raw ! \(SendChain.screenEncoder)"
            }
        return """
            appsrc name=inlet format=time is-live=true min-latency=0 max-bytes=0 max-buffers=\(slot.kind == .audio ? 20 : 2) \
            leaky-type=downstream ! valve name=valve drop=true drop-mode=forward-sticky-events ! \(encoding) ! \
            parleyframeencrypt name=protect
            """
    }

    /// Finds its elements in a bin made of ``description(of:)``. Throws ``MediaError``.
    init(in bin: Element, slot: MediaSlot) throws(MediaError) {
        self.slot = slot
        source = try bin.child("inlet")
        valve = try bin.child("valve")
        encoder = try bin.child("encoder")
        protect = try bin.child("protect")
        size = slot.kind == .video ? try bin.child("size") : nil
    }

    /// What keeps the camera's pictures within what the network carries, whose packets `pacing` spreads.
    func control(by controller: any BandwidthController, pacing: Pacing) throws(MediaError) -> SendControl {
        guard let size, let input = valve.pad("src"), let output = encoder.pad("src") else {
            throw .pipeline("no encoder")
        }
        let control = SendControl(controller: controller, encoder: encoder, size: size, pacing: pacing)
        control.listen(input: input, output: output)
        return control
    }

    /// Lets the sound's encoder follow what the pictures' control finds out about losses.
    func follow(_ control: SendControl) { control.setAudioEncoder(encoder) }

    /// Lets the screen's encoder share what the network carries with the camera's.
    func share(with control: SendControl) throws(MediaError) {
        guard let size, let input = valve.pad("src") else { throw .pipeline("no encoder") }
        control.setScreen(EncoderRate(encoder, size: size, input: input))
    }

    /// Lets frames through, or none.
    func setOpen(_ isOpen: Bool) { valve.set("drop", !isOpen) }
}
