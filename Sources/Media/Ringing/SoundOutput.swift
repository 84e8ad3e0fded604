import CGStreamer
import GLibKit
import MediaRules

/// Plays a sound at one loudspeaker, in a pipeline of its own.
final class SoundOutput: Sendable {
    /// What it says by itself, on any thread.
    enum News: Sendable {
        /// All has been heard.
        case ended
        /// It stopped. (GStreamer's words)
        case failed(String)
    }

    private let pipeline: Pipeline
    private let speaker: SpeakerElement
    private let loudness: Element

    /// Opens the loudspeaker. Blocks until it could begin; nothing is heard before ``start()``. Throws ``MediaError``.
    init(
        _ sound: DecodedSound, _ request: SoundRequest, at device: FoundDevice,
        onNews: @escaping @Sendable (News) -> Void
    ) throws(MediaError) {
        pipeline = try Pipeline { message in
            switch message {
            case .error(let text): onNews(.failed(text))
            case .endOfStream: onNews(.ended)
            case .latencyChanged: break
            }
        }
        let chain = try Element.bin(
            "appsrc name=source format=time max-bytes=0 ! audioconvert ! audioresample ! volume name=loudness")
        loudness = try chain.child("loudness")
        speaker = try SpeakerElement(device)
        // Without a role: streams of one role share volume and mute, and other programs' muted sounds would mute the ring.
        speaker.element.setStructure("stream-properties", "props,application.id=im.parley.Parley.Ring")
        pipeline.element.add(chain, speaker.element)
        guard chain.link(to: speaker.element) else { throw .device(.unusable(.speaker, device.device.name)) }
        // It has nobody to keep time with: samples pass as the device takes them, none is left out or made up.
        gst_pipeline_auto_clock(pipeline.element.pointer())
        setVolume(request.volume)
        let source = try chain.child("source")
        if let caps = gst_caps_from_string(DecodedSound.format) {
            source.setSourceFormat(caps)
            gst_caps_unref(caps)
        }
        guard pipeline.element.setState(GST_STATE_PAUSED) else { throw notOpened(device) }
        for piece in SoundPieces(count: sound.count, rate: DecodedSound.rate, repetition: request.repetition) {
            if let buffer = sound.makeBuffer(piece) { gst_app_src_push_buffer(source.pointer(), buffer) }
        }
        gst_app_src_end_of_stream(source.pointer())
        guard pipeline.element.waitForState(within: .seconds(5)) else { throw notOpened(device) }
    }

    /// Lets it be heard.
    func start() { pipeline.element.setState(GST_STATE_PLAYING) }

    /// Makes it louder or quieter; see ``SoundRequest/volume``.
    func setVolume(_ volume: Double) { loudness.set("volume", SoundRequest.factor(ofVolume: volume)) }

    /// Changes to another loudspeaker while it is heard; false when that is not possible with these two.
    func retarget(to device: FoundDevice) -> Bool { speaker.retarget(to: device) }

    /// Ends it: nothing more is heard. Blocks until its thread is gone.
    func close() { pipeline.close() }

    private func notOpened(_ device: FoundDevice) -> MediaError {
        pipeline.close()
        return .device(.notOpened(.speaker, device.device.name, detail: nil))
    }
}
