import BaseKit
import CGStreamer
import GLibKit
import MediaRules

/// A counted reference to a GStreamer element.
///
/// Unchecked: GStreamer counts references atomically and locks its elements inside; nothing else is stored.
final class Element: Object, @unchecked Sendable {
    /// Makes an element. Throws ``MediaError/missingElement(_:)``.
    static func make(_ factory: String, name: String? = nil) throws(MediaError) -> Element {
        guard let element = gst_element_factory_make(factory, name) else { throw .missingElement(factory) }
        return Element(retaining: element)
    }

    /// Makes a bin from a description in `gst-launch` syntax, with ghost pads for its two open ends.
    static func bin(_ description: String) throws(MediaError) -> Element {
        var error: UnsafeMutablePointer<GError>?
        let flags = GST_PARSE_FLAG_FATAL_ERRORS
        let made = gst_parse_bin_from_description_full(description, 1, nil, flags, &error)
        let message = error.map { String(cString: $0.pointee.message) }
        g_clear_error(&error)
        guard let made else { throw .pipeline(message ?? "unknown error") }
        return Element(retaining: made)
    }

    /// The element of that name inside this bin. Throws ``MediaError/missingElement(_:)``.
    func child(_ name: String) throws(MediaError) -> Element {
        guard let child = gst_bin_get_by_name(pointer(), name) else { throw .missingElement(name) }
        return Element(adopting: child)
    }

    /// All elements inside this bin, at any depth, that a factory has made.
    func all(madeBy factory: String) -> [Element] {
        guard let iterator = gst_bin_iterate_all_by_element_factory_name(pointer(), factory) else { return [] }
        defer { gst_iterator_free(iterator) }
        var found: [Element] = []
        var item = GValue()
        while gst_iterator_next(iterator, &item) == GST_ITERATOR_OK {
            if let object = g_value_get_object(&item) { found.append(Element(retaining: object)) }
            g_value_reset(&item)
        }
        if item.g_type != 0 { g_value_unset(&item) }
        return found
    }

    /// The name of the factory that made the element, such as `nicesrc`.
    var factoryName: String? {
        guard let factory = gst_element_get_factory(pointer()),
            let name = gst_object_get_name(UnsafeMutableRawPointer(factory).assumingMemoryBound(to: GstObject.self))
        else { return nil }
        defer { g_free(name) }
        return String(cString: name)
    }

    /// Puts elements into this bin.
    func add(_ elements: Element...) {
        for element in elements { gst_bin_add(pointer(), element.pointer()) }
    }

    /// Links this element's one source pad with the sink pad of the next; false when they do not fit.
    @discardableResult
    func link(to next: Element) -> Bool { gst_element_link(pointer(), next.pointer()) != 0 }

    /// A pad that always exists.
    func pad(_ name: String) -> Pad? {
        gst_element_get_static_pad(pointer(), name).map { Pad(adopting: $0) }
    }

    /// Starts or stops the element; false when it refused at once.
    @discardableResult
    func setState(_ state: GstState) -> Bool {
        gst_element_set_state(pointer(), state) != GST_STATE_CHANGE_FAILURE
    }

    /// Waits until the last change of state is over, at most so long; false when it failed or is not over.
    func waitForState(within time: Duration) -> Bool {
        let outcome = gst_element_get_state(pointer(), nil, nil, GstClockTime(time.wholeNanoseconds))
        return outcome == GST_STATE_CHANGE_SUCCESS || outcome == GST_STATE_CHANGE_NO_PREROLL
    }

    /// Sets a property that holds a structure from text; an element without it stays as it is.
    func setStructure(_ name: String, _ text: String) {
        gst_util_set_object_arg(pointer(), name, text)
    }

    /// Sets `caps` from text.
    func setCaps(_ text: String) {
        guard let caps = Caps(text) else { return }
        set("caps", caps.boxed)
    }
}

extension Element {
    /// Time since the pipeline began to run, in nanoseconds; nil while it does not.
    var runningTime: UInt64? {
        guard let clock = gst_element_get_clock(pointer()) else { return nil }
        defer { gst_object_unref(clock) }
        let now = gst_clock_get_time(clock)
        let base = gst_element_get_base_time(pointer())
        return now >= base ? UInt64(now - base) : nil
    }
}

extension Element {
    /// A time of the clock as a time since the pipeline began to run, in nanoseconds.
    func runningTime(at clockTime: Int64) -> Int64 {
        clockTime.subtractingReportingOverflow(Int64(clamping: gst_element_get_base_time(pointer()))).partialValue
    }
}

extension Element {
    /// Tells this appsrc the format of what is pushed next, if it has changed.
    func setSourceFormat(_ caps: UnsafeMutablePointer<GstCaps>) {
        guard let current = gst_app_src_get_caps(pointer()) else { return gst_app_src_set_caps(pointer(), caps) }
        defer { gst_caps_unref(current) }
        if gst_caps_is_equal(current, caps) == 0 { gst_app_src_set_caps(pointer(), caps) }
    }
}
