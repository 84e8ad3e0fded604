import CGStreamer
import GLibKit

/// Plays the peer's sound in a pipeline of its own, so that a missing or failing loudspeaker never stops the call.
///
/// Shares clock and base time with the call, so that the loudspeaker keeps picture and sound together and the jitter
/// buffer's delay is spent here.
final class AudioPlayout: Sendable {
    private let pipeline: Pipeline
    private let source: Element

    /// Opens the loudspeaker. Blocks. `latency` in milliseconds is the call's. Throws ``MediaError``.
    init(
        _ device: FoundDevice, alongside call: Pipeline, latency: Int, onFailure: @escaping @Sendable (String) -> Void
    ) throws(MediaError) {
        let own = Shared<Element?>(nil)
        pipeline = try Pipeline { message in
            switch message {
            case .error(let text): onFailure(text)
            case .latencyChanged:
                guard let element = own.value else { return }
                MediaQueue.start { gst_bin_recalculate_latency(element.pointer()) }
            case .endOfStream: break
            }
        }
        own.value = pipeline.element
        let chain = try Element.bin(
            """
            appsrc name=inlet format=time is-live=true max-bytes=0 max-buffers=50 leaky-type=downstream \
            min-latency=\(latency * 1_000_000) ! audioconvert ! audioresample
            """)
        source = try chain.child("inlet")
        let sink = try device.makeElement()
        pipeline.element.add(chain, sink)
        guard chain.link(to: sink) else { throw .device("The speaker “\(device.device.name)” can't be used.") }
        pipeline.shareTime(with: call)
        guard pipeline.element.setState(GST_STATE_PLAYING) else {
            pipeline.close()
            throw .device("The speaker “\(device.device.name)” could not be opened.")
        }
    }

    /// Follows the call's latency, in milliseconds.
    func setLatency(_ latency: Int) {
        gst_app_src_set_latency(source.pointer(), guint64(latency) * 1_000_000, guint64.max)
    }

    /// Plays a piece of sound at its timestamp.
    func play(_ sample: Sample) {
        source.setSourceFormat(sample.caps)
        gst_app_src_push_buffer(source.pointer(), gst_buffer_ref(sample.buffer))
    }

    /// Closes the loudspeaker. Blocks until its thread is gone.
    func close() { pipeline.close() }
}
