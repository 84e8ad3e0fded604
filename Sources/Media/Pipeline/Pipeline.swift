import CGStreamer
import Dispatch
import GLibKit
import MediaRules
import Synchronization

/// One GStreamer pipeline with its bus. Stops and frees everything inside when it is closed or goes.
///
/// Unchecked: the stored element is Sendable and nothing else changes after `init`.
final class Pipeline: @unchecked Sendable {
    /// What a pipeline says by itself. Delivered on whichever thread noticed it.
    enum Message: Sendable {
        case error(String)
        case endOfStream
        case latencyChanged
    }

    private static let count = Atomic(0)
    /// How many pipelines live in this process.
    static var live: Int { count.load(ordering: .relaxed) }

    let element: Element

    /// Makes an empty pipeline on the system's clock, so that all pipelines of a call measure time alike.
    init(name: String? = nil, onMessage: @escaping @Sendable (Message) -> Void) throws(MediaError) {
        guard let made = gst_pipeline_new(name), let clock = gst_system_clock_obtain() else {
            throw .pipeline("no pipeline")
        }
        element = Element(retaining: made)
        gst_pipeline_use_clock(element.pointer(), clock)
        gst_object_unref(clock)
        Self.count.add(1, ordering: .relaxed)
        watchBus(onMessage)
    }

    deinit {
        close()
        Self.count.subtract(1, ordering: .relaxed)
    }

    /// Stops the pipeline; it can't be used again. Blocks until its threads are gone.
    func close() {
        if let bus = gst_pipeline_get_bus(element.pointer()) {
            gst_bus_set_sync_handler(bus, nil, nil, nil)
            gst_bus_set_flushing(bus, 1)
            gst_object_unref(bus)
        }
        element.setState(GST_STATE_NULL)
    }

    /// Starts and waits until everything runs, at most so long. Gives false when something failed or takes longer; the pipeline
    /// is then closed, as soon as it lets itself be: PipeWire's source waits half a minute for a device that hangs.
    func play(within time: Duration) -> Bool {
        let (over, outcome) = (DispatchSemaphore(value: 0), Shared(false))
        MediaQueue.start { [self] in
            outcome.value =
                element.setState(GST_STATE_PLAYING) && element.waitForState(within: time)
            if !outcome.value { close() }
            over.signal()
        }
        guard over.wait(timeout: .now() + DispatchTimeInterval(time)) == .success else {
            MediaQueue.start { [self] in
                over.wait()
                close()
            }
            return false
        }
        return outcome.value
    }

    /// Lets the pipeline run on another's base time, so that timestamps mean the same in both.
    func shareTime(with other: Pipeline) {
        gst_element_set_start_time(element.pointer(), GstClockTime.max)
        gst_element_set_base_time(element.pointer(), gst_element_get_base_time(other.element.pointer()))
    }

    private typealias Handler = @Sendable (Message) -> Void

    private func watchBus(_ body: @escaping Handler) {
        guard let bus = gst_pipeline_get_bus(element.pointer()) else { return }
        defer { gst_object_unref(bus) }
        gst_bus_set_sync_handler(
            bus,
            { _, message, data in
                if let message, let data, let content = Pipeline.read(message) {
                    CallbackData.value(Handler.self, at: data)(content)
                }
                if let message { gst_message_unref(message) }
                return GST_BUS_DROP
            }, CallbackData.keeping(body), CallbackData.release)
    }

    private static func read(_ message: UnsafeMutablePointer<GstMessage>) -> Message? {
        switch message.pointee.type {
        case GST_MESSAGE_EOS: return .endOfStream
        case GST_MESSAGE_LATENCY: return .latencyChanged
        case GST_MESSAGE_ERROR:
            var error: UnsafeMutablePointer<GError>?
            gst_message_parse_error(message, &error, nil)
            defer { g_clear_error(&error) }
            return .error(error.map { String(cString: $0.pointee.message) } ?? "unknown error")
        default: return nil
        }
    }
}
