import BaseKit
import CGStreamer
import GLibKit
import MediaRules

/// How long before it is to be heard sound passes on its way to a loudspeaker.
enum SoundArrival {
    /// The time for which nothing more is told.
    private static let pause: Duration = .milliseconds(50)

    /// Calls `onLate` on the streaming thread when a piece passes this pad less than `least` milliseconds before it is to be heard, with how many it
    /// was; less than 0 where it is too late.
    static func watch(_ pad: Pad, atLeast least: Int, onLate: @escaping @Sendable (Int) -> Void) {
        let (latency, told) = (Shared<GstClockTime?>(nil), Shared<Instant?>(nil))
        pad.onLatency { latency.value = $0 }
        pad.onBuffer { pad, piece in
            guard let latency = latency.value, let ahead = time(until: piece, at: pad, latency: latency) else { return }
            let now = Instant.now
            guard ahead < least, now.isAfter(told.value, by: pause) else { return }
            told.value = now
            onLate(ahead)
        }
    }

    /// In milliseconds; nil for what has no time, or before the pipeline has one.
    private static func time(
        until piece: UnsafeMutablePointer<GstBuffer>, at pad: UnsafeMutablePointer<GstPad>, latency: GstClockTime
    ) -> Int? {
        guard let element = gst_pad_get_parent_element(pad) else { return nil }
        defer { gst_object_unref(element) }
        let now = gst_element_get_current_running_time(element)
        let (due, isTooLarge) = piece.pointee.pts.addingReportingOverflow(latency)
        guard piece.pointee.pts != GstClockTime.max, now != GstClockTime.max, !isTooLarge else { return nil }
        return (Int(clamping: due) - Int(clamping: now)) / 1_000_000
    }
}
