import CGStreamer

extension Pad {
    /// Lets only those buffers pass that `isAdmitted` says, on the streaming thread. It sees the bytes of each buffer.
    func filterBuffers(_ isAdmitted: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool) {
        let types = GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_BUFFER_LIST.rawValue
        addProbe(GstPadProbeType(rawValue: types)) { info in
            if let buffer = gst_pad_probe_info_get_buffer(info) {
                return Self.look(at: buffer, isAdmitted) ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP
            }
            guard let list = gst_pad_probe_info_get_buffer_list(info) else { return GST_PAD_PROBE_OK }
            let refused = (0..<gst_buffer_list_length(list)).filter { index in
                gst_buffer_list_get(list, index).map { !Self.look(at: $0, isAdmitted) } ?? true
            }
            guard !refused.isEmpty else { return GST_PAD_PROBE_OK }
            guard let writable = gst_mini_object_make_writable(info.pointee.data.map(Self.miniObject)) else {
                return GST_PAD_PROBE_DROP
            }
            info.pointee.data = UnsafeMutableRawPointer(writable)
            for index in refused.reversed() { gst_buffer_list_remove(OpaquePointer(writable), index, 1) }
            return GST_PAD_PROBE_OK
        }
    }

    /// Lets only those upstream events of a name pass that `isAdmitted` says.
    func filterUpstreamEvents(_ name: String, _ isAdmitted: @escaping @Sendable () -> Bool) {
        addProbe(GST_PAD_PROBE_TYPE_EVENT_UPSTREAM) { info in
            guard let event = gst_pad_probe_info_get_event(info), gst_event_has_name(event, name) != 0 else {
                return GST_PAD_PROBE_OK
            }
            return isAdmitted() ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP
        }
    }

    private static func miniObject(_ data: UnsafeMutableRawPointer) -> UnsafeMutablePointer<GstMiniObject> {
        data.assumingMemoryBound(to: GstMiniObject.self)
    }

    private static func look(
        at buffer: UnsafeMutablePointer<GstBuffer>, _ isAdmitted: (UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        var map = GstMapInfo()
        guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return false }
        defer { gst_buffer_unmap(buffer, &map) }
        return isAdmitted(UnsafeRawBufferPointer(start: map.data, count: Int(map.size)))
    }

    private typealias ProbeBody = @Sendable (UnsafeMutablePointer<GstPadProbeInfo>) -> GstPadProbeReturn

    private final class FilterBox: Sendable {
        let body: ProbeBody

        init(_ body: @escaping ProbeBody) { self.body = body }
    }

    private func addProbe(_ type: GstPadProbeType, _ body: @escaping ProbeBody) {
        gst_pad_add_probe(
            pointer(), type,
            { _, info, data in
                guard let info, let data else { return GST_PAD_PROBE_OK }
                return Unmanaged<FilterBox>.fromOpaque(data).takeUnretainedValue().body(info)
            }, Unmanaged.passRetained(FilterBox(body)).toOpaque(),
            { data in if let data { Unmanaged<FilterBox>.fromOpaque(data).release() } })
    }
}
