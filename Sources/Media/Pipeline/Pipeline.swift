import BaseKit
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

    /// Is told of a code that an element inside has read: of what kind it is, and what it says. On the streaming thread.
    typealias CodeHandler = @Sendable (_ kind: String, _ text: String) -> Void

    /// Makes an empty pipeline on the system's clock, so that all pipelines of a call measure time alike.
    init(
        name: String? = nil, onCode: CodeHandler? = nil, onMessage: @escaping @Sendable (Message) -> Void
    ) throws(MediaError) {
        guard let made = gst_pipeline_new(name), let clock = gst_system_clock_obtain() else {
            throw .pipeline("no pipeline")
        }
        element = Element(retaining: made)
        gst_pipeline_use_clock(element.pointer(), clock)
        gst_object_unref(clock)
        Self.count.add(1, ordering: .relaxed)
        watchBus(Handlers(onMessage: onMessage, onCode: onCode))
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

    private struct Handlers: Sendable {
        let onMessage: @Sendable (Message) -> Void
        let onCode: CodeHandler?
    }

    private func watchBus(_ handlers: Handlers) {
        guard let bus = gst_pipeline_get_bus(element.pointer()) else { return }
        defer { gst_object_unref(bus) }
        gst_bus_set_sync_handler(
            bus,
            { _, message, data in
                if let message, let data {
                    let handlers = CallbackData.value(Handlers.self, at: data)
                    if let content = Pipeline.read(message) { handlers.onMessage(content) }
                    if let onCode = handlers.onCode, let code = Pipeline.code(message) { onCode(code.kind, code.text) }
                }
                if let message { gst_message_unref(message) }
                return GST_BUS_DROP
            }, CallbackData.keeping(handlers), CallbackData.release)
    }

    /// What `zbar` tells of a code (its documentation, "barcode").
    private static func code(_ message: UnsafeMutablePointer<GstMessage>) -> (kind: String, text: String)? {
        guard message.pointee.type == GST_MESSAGE_ELEMENT, let content = gst_message_get_structure(message),
            gst_structure_has_name(content, "barcode") != 0, let kind = gst_structure_get_string(content, "type"),
            let text = gst_structure_get_string(content, "symbol")
        else { return nil }
        return (String(cString: kind), String(cString: text))
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
