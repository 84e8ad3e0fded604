import CGStreamer
import GLibKit

extension Pad {
    /// Lets only those buffers, alone or in lists, pass that `isAdmitted` says, on the streaming thread. It sees the bytes of each buffer.
    func filterPackets(_ isAdmitted: @escaping PacketFilter) {
        let types = GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_BUFFER_LIST.rawValue
        gst_pad_add_probe(
            pointer(), GstPadProbeType(rawValue: types),
            { _, info, data in
                guard let info, let data else { return GST_PAD_PROBE_OK }
                return Pad.filter(info, CallbackData.value(PacketFilter.self, at: data))
            }, CallbackData.keeping(isAdmitted), CallbackData.release)
    }

    /// Calls `body` on the streaming thread with the pad and the bytes of each packet that passes, alone or in lists.
    func onPackets(_ body: @escaping PacketHandler) {
        let types = GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_BUFFER_LIST.rawValue
        gst_pad_add_probe(
            pointer(), GstPadProbeType(rawValue: types),
            { pad, info, data in
                guard let pad, let info, let data else { return GST_PAD_PROBE_OK }
                let body = CallbackData.value(PacketHandler.self, at: data)
                // Never refuses anything, so nothing is changed.
                return Pad.filter(info) { packet in
                    body(pad, packet)
                    return true
                }
            }, CallbackData.keeping(body), CallbackData.release)
    }

    /// Puts other bytes in the place of each single buffer for which `body` gives some, on the streaming thread.
    func replacePackets(_ body: @escaping PacketReplacement) {
        gst_pad_add_probe(
            pointer(), GST_PAD_PROBE_TYPE_BUFFER,
            { _, info, data in
                guard let info, let data, let buffer = gst_pad_probe_info_get_buffer(info) else {
                    return GST_PAD_PROBE_OK
                }
                var map = GstMapInfo()
                guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return GST_PAD_PROBE_OK }
                let bytes = CallbackData.value(PacketReplacement.self, at: data)(
                    UnsafeRawBufferPointer(start: map.data, count: Int(map.size)))
                gst_buffer_unmap(buffer, &map)
                guard let bytes,
                    let new = bytes.withUnsafeBytes({ gst_buffer_new_memdup($0.baseAddress, gsize($0.count)) })
                else { return GST_PAD_PROBE_OK }
                let parts = GstBufferCopyFlags(
                    rawValue: GST_BUFFER_COPY_FLAGS.rawValue | GST_BUFFER_COPY_TIMESTAMPS.rawValue)
                gst_buffer_copy_into(new, buffer, parts, 0, gsize.max)
                info.pointee.data = UnsafeMutableRawPointer(new)
                gst_buffer_unref(buffer)
                return GST_PAD_PROBE_OK
            }, CallbackData.keeping(body), CallbackData.release)
    }

    /// Writes another source into each RTP packet that passes as a single buffer (RFC 3550 §5.1).
    func setSource(ofPackets source: UInt32) {
        gst_pad_add_probe(
            pointer(), GST_PAD_PROBE_TYPE_BUFFER,
            { _, info, data in
                guard let info, let data, let buffer = gst_pad_probe_info_get_buffer(info) else {
                    return GST_PAD_PROBE_OK
                }
                let object = UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self)
                guard let own = gst_mini_object_make_writable(object) else { return GST_PAD_PROBE_OK }
                info.pointee.data = UnsafeMutableRawPointer(own)
                let source = CallbackData.value(UInt32.self, at: data)
                withUnsafeBytes(of: source.bigEndian) { bytes in
                    _ = gst_buffer_fill(
                        UnsafeMutableRawPointer(own).assumingMemoryBound(to: GstBuffer.self), 8, bytes.baseAddress,
                        gsize(bytes.count))
                }
                return GST_PAD_PROBE_OK
            }, CallbackData.keeping(source), CallbackData.release)
    }

    /// Pushes several packets in the place of each single buffer for which `body` gives some, on the streaming thread. What is pushed
    /// comes here too, and has to stay as it is.
    func splitPackets(_ body: @escaping PacketSplit) {
        gst_pad_add_probe(
            pointer(), GST_PAD_PROBE_TYPE_BUFFER,
            { pad, info, data in
                guard let pad, let info, let data, let buffer = gst_pad_probe_info_get_buffer(info) else {
                    return GST_PAD_PROBE_OK
                }
                var map = GstMapInfo()
                guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return GST_PAD_PROBE_OK }
                let packets = CallbackData.value(PacketSplit.self, at: data)(
                    UnsafeRawBufferPointer(start: map.data, count: Int(map.size)))
                gst_buffer_unmap(buffer, &map)
                guard let packets else { return GST_PAD_PROBE_OK }
                for packet in packets {
                    if let new = packet.withUnsafeBytes({ gst_buffer_new_memdup($0.baseAddress, gsize($0.count)) }) {
                        gst_pad_push(pad, new)
                    }
                }
                return GST_PAD_PROBE_DROP
            }, CallbackData.keeping(body), CallbackData.release)
    }

    /// Gives the packets that take one's place; nil when it stays.
    typealias PacketSplit = @Sendable (UnsafeRawBufferPointer) -> [[UInt8]]?

    /// Gives the bytes that take a packet's place; nil when it stays.
    typealias PacketReplacement = @Sendable (UnsafeRawBufferPointer) -> [UInt8]?

    /// Calls `body` on the streaming thread with how many bytes pass at once, in one buffer or a list.
    func onSizes(_ body: @escaping @Sendable (Int) -> Void) {
        let types = GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_BUFFER_LIST.rawValue
        gst_pad_add_probe(
            pointer(), GstPadProbeType(rawValue: types),
            { _, info, data in
                guard let info, let data else { return GST_PAD_PROBE_OK }
                let body = CallbackData.value((@Sendable (Int) -> Void).self, at: data)
                if info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER_LIST.rawValue != 0 {
                    if let list = gst_pad_probe_info_get_buffer_list(info) {
                        body(Int(gst_buffer_list_calculate_size(list)))
                    }
                } else if let buffer = gst_pad_probe_info_get_buffer(info) {
                    body(Int(gst_buffer_get_size(buffer)))
                }
                return GST_PAD_PROBE_OK
            }, CallbackData.keeping(body), CallbackData.release)
    }

    /// What is called with a pad and the bytes of a packet.
    typealias PacketHandler = @Sendable (UnsafeMutablePointer<GstPad>, UnsafeRawBufferPointer) -> Void

    /// Says of the bytes of a packet whether it goes on.
    typealias PacketFilter = @Sendable (UnsafeRawBufferPointer) -> Bool

    private static func filter(
        _ info: UnsafeMutablePointer<GstPadProbeInfo>, _ isAdmitted: (UnsafeRawBufferPointer) -> Bool
    ) -> GstPadProbeReturn {
        // Asked for a buffer where there is a list, GStreamer complains.
        let isList = info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER_LIST.rawValue != 0
        if !isList, let buffer = gst_pad_probe_info_get_buffer(info) {
            return look(at: buffer, isAdmitted) ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP
        }
        guard isList, let list = gst_pad_probe_info_get_buffer_list(info) else { return GST_PAD_PROBE_OK }
        let refused = (0..<gst_buffer_list_length(list)).filter { index in
            gst_buffer_list_get(list, index).map { !look(at: $0, isAdmitted) } ?? true
        }
        guard !refused.isEmpty else { return GST_PAD_PROBE_OK }
        guard let writable = gst_mini_object_make_writable(info.pointee.data.map(miniObject)) else {
            return GST_PAD_PROBE_DROP
        }
        info.pointee.data = UnsafeMutableRawPointer(writable)
        for index in refused.reversed() { gst_buffer_list_remove(OpaquePointer(writable), index, 1) }
        return GST_PAD_PROBE_OK
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
}
