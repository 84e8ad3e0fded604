import CGStreamer
import GLibKit
import Synchronization

/// Where captured pictures or sound enter the call's pipeline: an `appsrc` that any capture can feed.
///
/// Capture runs in a pipeline of its own, so a device that fails or is exchanged never disturbs encoder and payloader.
final class FrameInlet: Sendable {
    private let source: Element
    private let rebase = Mutex(TimestampRebase())

    init(source: Element) { self.source = source }

    /// Passes a sample on, at the present. On any thread.
    func push(_ sample: Sample) {
        guard let buffer = sample.buffer, let caps = sample.caps else { return }
        push(buffer, caps: caps)
    }

    /// Passes a buffer on, at the present. On any thread. The buffer is not changed: the call gets a shallow copy.
    func push(_ buffer: UnsafeMutablePointer<GstBuffer>, caps: UnsafeMutablePointer<GstCaps>) {
        guard let now = source.runningTime, let copy = gst_buffer_copy(buffer) else { return }
        let timestamp = buffer.pointee.pts == GstClockTime.max ? nil : UInt64(buffer.pointee.pts)
        let duration = buffer.pointee.duration == GstClockTime.max ? 0 : UInt64(buffer.pointee.duration)
        nonisolated(unsafe) let outgoing = copy  // handed over inside the lock, so that order is kept
        nonisolated(unsafe) let format = caps
        rebase.withLock { rebase in
            outgoing.pointee.pts = GstClockTime(rebase.rebase(timestamp: timestamp, duration: duration, now: now))
            outgoing.pointee.dts = GstClockTime.max
            setFormat(format)
            gst_app_src_push_buffer(source.pointer(), outgoing)
        }
    }

    private func setFormat(_ caps: UnsafeMutablePointer<GstCaps>) {
        guard let current = gst_app_src_get_caps(source.pointer()) else {
            gst_app_src_set_caps(source.pointer(), caps)
            return
        }
        defer { gst_caps_unref(current) }
        if gst_caps_is_equal(current, caps) == 0 { gst_app_src_set_caps(source.pointer(), caps) }
    }
}
