import CGStreamer

/// One buffer with its format, as an appsink hands it out.
///
/// Unchecked: samples are counted atomically and not changed after they are made.
final class Sample: @unchecked Sendable {
    let raw: OpaquePointer

    /// Takes over a reference.
    init(adopting sample: OpaquePointer) { raw = sample }

    deinit { gst_sample_unref(raw) }

    var buffer: UnsafeMutablePointer<GstBuffer>? { gst_sample_get_buffer(raw) }
    var caps: UnsafeMutablePointer<GstCaps>? { gst_sample_get_caps(raw) }
}

extension Element {
    /// Calls `body` on the streaming thread with every sample that reaches this appsink.
    func onSample(_ body: @escaping @Sendable (Sample) -> Void) {
        var callbacks = GstAppSinkCallbacks()
        callbacks.new_sample = { sink, data in
            guard let sink, let data, let sample = gst_app_sink_pull_sample(sink) else { return GST_FLOW_EOS }
            Unmanaged<SampleHandler>.fromOpaque(data).takeUnretainedValue().body(Sample(adopting: sample))
            return GST_FLOW_OK
        }
        gst_app_sink_set_callbacks(
            pointer(), &callbacks, Unmanaged.passRetained(SampleHandler(body)).toOpaque(),
            { data in if let data { Unmanaged<SampleHandler>.fromOpaque(data).release() } })
    }
}

private final class SampleHandler: Sendable {
    let body: @Sendable (Sample) -> Void

    init(_ body: @escaping @Sendable (Sample) -> Void) { self.body = body }
}
