import CGStreamer
import GLibKit

/// Plays the peer's sound in a pipeline of its own, so that a missing or failing loudspeaker never stops the call.
///
/// Shares clock and base time with the call, so that the loudspeaker keeps picture and sound together and the jitter
/// buffer's delay is spent here.
final class AudioPlayout: Sendable {
    private let pipeline: Pipeline
    private let source: Element
    private let echo: EchoReference?
    /// Changes to another device while it plays.
    private let pulseSink: Element?

    /// Opens the loudspeaker. Blocks. `latency` in milliseconds is the call's; `echo` hears what is played. Throws
    /// ``MediaError``.
    init(
        _ device: FoundDevice, alongside call: Pipeline, latency: Int, echo: EchoReference? = nil,
        onFailure: @escaping @Sendable (String) -> Void
    ) throws(MediaError) {
        self.echo = echo
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
            min-latency=\(latency * 1_000_000) ! audioconvert ! audioresample\(echo == nil ? "" : " ! \(EchoReference.format)")
            """)
        source = try chain.child("inlet")
        let sink = try device.makeElement()
        pulseSink = device.pulseName == nil ? nil : sink
        pipeline.element.add(chain, sink)
        let isLinked = echo?.insert(after: chain, before: sink, in: pipeline.element) ?? chain.link(to: sink)
        guard isLinked else { throw .device("The speaker “\(device.device.name)” can't be used.") }
        pipeline.shareTime(with: call)
        guard pipeline.element.setState(GST_STATE_PLAYING) else {
            close()
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

    /// Changes to another loudspeaker while the sound goes on; false when that is not possible with these two.
    func retarget(to device: FoundDevice) -> Bool {
        guard let pulseSink, let name = device.pulseName else { return false }
        return pulseSink.set("device", name)
    }

    /// Closes the loudspeaker. Blocks until its thread is gone.
    func close() {
        pipeline.close()
        echo?.remove(from: pipeline.element)
    }
}
