import BaseKit
import CGStreamer
import GLibKit
import MediaRules
import Synchronization

/// What a call's loudspeaker plays, for the echo canceller behind its microphone.
///
/// The canceller (`webrtcdsp`) finds the probe (`webrtcechoprobe`) by name among all of the process, so each call has one of
/// its own name. The probe is in a pipeline of its own beside the loudspeaker's, for two reasons. The canceller needs it before a
/// loudspeaker is open, and whichever is. And it takes the latency above it for the time from the loudspeaker to the
/// microphone: above it in the loudspeaker's pipeline are the jitter buffer and the mixer, so it would ask for sound that has not
/// yet come this far, and compare with silence. Here its latency is what it is to be.
final class EchoReference: Sendable {
    /// The sound at both ends of the canceller, but for the channels.
    static let format = "audio/x-raw,format=S16LE,layout=interleaved,rate=48000"

    /// What the canceller is told of how long sound needs from the loudspeaker to the microphone, in milliseconds. Less than 20 it
    /// does not believe. It finds echoes from this to 40 ms later (measured).
    static let delay = 20
    /// The delay that is aimed at, in milliseconds, so that small errors do not matter.
    static let aim = 36
    /// By how many milliseconds the delay has to be wrong before it is changed: the filter then begins anew.
    static let tolerance = 8

    private static let count = Atomic(0)

    /// The probe's name.
    let name: String
    /// Runs as soon as there is a loudspeaker.
    private let pipeline: Pipeline
    private let inlet: Element
    private let estimator = Lock(EchoDelayEstimator())
    /// By how much the echo is later than computed, in milliseconds.
    private let lateness = Atomic(0)

    /// Nil when the elements are not installed.
    init?() {
        let number = Self.count.add(1, ordering: .relaxed).newValue
        name = "parley-echo-\(number)"
        guard Self.isAvailable,
            let pipeline = try? Pipeline(onMessage: { _ in }),
            let chain = try? Element.bin(
                """
                appsrc name=inlet format=time is-live=true min-latency=\(Self.delay * 1_000_000) max-bytes=0 max-buffers=50 \
                leaky-type=downstream caps=\(Self.format),channels=2 ! webrtcechoprobe name=\(name) ! \
                fakesink sync=false async=false
                """),
            let inlet = try? chain.child("inlet")
        else { return nil }
        (self.pipeline, self.inlet) = (pipeline, inlet)
        pipeline.element.add(chain)
    }

    /// Whether sound can be processed here at all.
    static var isAvailable: Bool {
        ["webrtcdsp", "webrtcechoprobe"].allSatisfy { name in
            guard let factory = gst_element_factory_find(name) else { return false }
            gst_object_unref(UnsafeMutableRawPointer(factory))
            return true
        }
    }

    /// Hears what passes this pad on its way to a loudspeaker: two channels of ``format``, in a pipeline with the call's time.
    func listen(to pad: Pad) {
        pipeline.element.setState(GST_STATE_PLAYING)
        let latency = Shared<GstClockTime?>(nil)
        pad.onLatency { latency.value = $0 }
        pad.onBuffer { [weak self] _, buffer in
            // Only with the latency is it known when it will be heard.
            guard let self, let latency = latency.value, let time = Self.time(of: buffer, adding: latency) else {
                return
            }
            Self.read(buffer) { samples in self.estimator.withLock { $0.plays(samples, channels: 2, at: time) } }
            guard let copy = gst_buffer_copy(buffer) else { return }
            // The canceller looks for what it is given `delay` after this time, as the sink's latency here is none.
            let correction = lateness.load(ordering: .relaxed) - (Self.aim - Self.delay)
            copy.pointee.pts = GstClockTime(max(time + Int64(correction) * 1_000_000, 0))
            gst_app_src_push_buffer(inlet.pointer(), copy)
        }
    }

    /// Hears what the microphone gives to the canceller: one channel of ``format``, in a pipeline with the call's time.
    func compare(with pad: Pad) {
        pad.onBuffer { [weak self] _, buffer in
            guard let self, let time = Self.time(of: buffer) else { return }
            Self.read(buffer) { samples in
                guard let comparison = self.estimator.withLock({ $0.hears(samples, at: time) }) else { return }
                let lag = comparison.lag()
                guard let found = self.estimator.withLock({ $0.add(lag) }) else { return }
                let before = self.lateness.load(ordering: .relaxed)
                if abs(found - before) > Self.tolerance { self.lateness.store(found, ordering: .relaxed) }
            }
        }
    }

    /// In nanoseconds; nil for what has no timestamp, or one that can't be.
    private static func time(of buffer: UnsafeMutablePointer<GstBuffer>, adding latency: GstClockTime = 0) -> Int64? {
        let (sum, isTooLarge) = buffer.pointee.pts.addingReportingOverflow(latency)
        return isTooLarge || sum > GstClockTime(Int64.max / 2) ? nil : Int64(sum)
    }

    private static func read(
        _ buffer: UnsafeMutablePointer<GstBuffer>, _ body: (UnsafeBufferPointer<Int16>) -> Void
    ) {
        var map = GstMapInfo()
        guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return }
        defer { gst_buffer_unmap(buffer, &map) }
        body(UnsafeRawBufferPointer(start: map.data, count: Int(map.size)).bindMemory(to: Int16.self))
    }
}

extension SoundProcessing {
    /// The part of a `gst-launch` description that does it; nil when there is nothing to do, or nothing to do it with.
    func description(echo: EchoReference?) -> String? {
        guard self != .off, EchoReference.isAvailable else { return nil }
        let cancels = echoCancellation && echo != nil
        return """
            webrtcdsp probe=\(echo?.name ?? "none") echo-cancel=\(cancels) noise-suppression=\(noiseSuppression) \
            gain-control=\(automaticGain)
            """
    }
}
