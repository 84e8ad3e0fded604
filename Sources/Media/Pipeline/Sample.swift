import CGStreamer
import GLibKit

/// One buffer with its format, as an appsink hands it out.
///
/// Keeps the two, not the `GstSample`: the appsink reuses that one and wants it back.
/// Unchecked: buffers and formats are counted atomically and not changed after they are made.
final class Sample: @unchecked Sendable {
    let buffer: UnsafeMutablePointer<GstBuffer>
    let caps: UnsafeMutablePointer<GstCaps>

    /// Takes what the sample holds; nil when it is empty.
    init?(_ sample: OpaquePointer) {
        guard let buffer = gst_sample_get_buffer(sample), let caps = gst_sample_get_caps(sample) else { return nil }
        self.buffer = gst_buffer_ref(buffer)
        self.caps = gst_caps_ref(caps)
    }

    deinit {
        gst_buffer_unref(buffer)
        gst_caps_unref(caps)
    }
}

extension Element {
    typealias SampleHandler = @Sendable (Sample) -> Void

    /// Calls `body` on the streaming thread with every sample that reaches this appsink.
    func onSample(_ body: @escaping SampleHandler) {
        var callbacks = GstAppSinkCallbacks()
        callbacks.new_sample = { sink, data in
            guard let sink, let data, let sample = gst_app_sink_pull_sample(sink) else { return GST_FLOW_EOS }
            let content = Sample(sample)
            gst_sample_unref(sample)
            if let content { CallbackData.value(SampleHandler.self, at: data)(content) }
            return GST_FLOW_OK
        }
        gst_app_sink_set_callbacks(pointer(), &callbacks, CallbackData.keeping(body), CallbackData.release)
    }
}
