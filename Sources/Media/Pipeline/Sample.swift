import CGStreamer
import GLibKit

/// One buffer with its format, as an appsink hands it out or as it passes a pad.
///
/// Keeps the two, not the `GstSample`: the appsink reuses that one and wants it back.
/// Unchecked: buffers and formats are counted atomically and not changed after they are made.
final class Sample: @unchecked Sendable {
    let buffer: UnsafeMutablePointer<GstBuffer>
    let caps: UnsafeMutablePointer<GstCaps>
    /// When its content was captured or is to be shown, on the clock of the pipeline it comes from, in nanoseconds; nil when it
    /// does not say.
    let clockTime: Int64?

    /// Takes what the sample holds; nil when it is empty. `baseTime` is the pipeline's.
    init?(_ sample: OpaquePointer, baseTime: GstClockTime) {
        guard let buffer = gst_sample_get_buffer(sample), let caps = gst_sample_get_caps(sample) else { return nil }
        self.buffer = gst_buffer_ref(buffer)
        self.caps = gst_caps_ref(caps)
        let running = gst_sample_get_segment(sample).map {
            gst_segment_to_running_time($0, GST_FORMAT_TIME, buffer.pointee.pts)
        }
        clockTime = running.flatMap { running in
            guard running != guint64.max, baseTime != GstClockTime.max else { return nil }
            return Int64(exactly: running.addingReportingOverflow(guint64(baseTime)).partialValue)
        }
    }

    /// Takes a buffer that passes a pad; nil before the pad has a format.
    init?(_ buffer: UnsafeMutablePointer<GstBuffer>, passing pad: UnsafeMutablePointer<GstPad>) {
        guard let caps = gst_pad_get_current_caps(pad) else { return nil }
        (self.buffer, self.caps, clockTime) = (gst_buffer_ref(buffer), caps, nil)
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
            let base = gst_element_get_base_time(UnsafeMutableRawPointer(sink).assumingMemoryBound(to: GstElement.self))
            let content = Sample(sample, baseTime: base)
            gst_sample_unref(sample)
            if let content { CallbackData.value(SampleHandler.self, at: data)(content) }
            return GST_FLOW_OK
        }
        gst_app_sink_set_callbacks(pointer(), &callbacks, CallbackData.keeping(body), CallbackData.release)
    }
}
