import CGStreamer
import GLibKit

@testable import Media

/// The event in which an RTP session tells what became of packets.
enum FeedbackEvent {
    /// One packet as it is described there, in nanoseconds.
    struct Packet {
        var sent: UInt64? = 1_000_000
        var arrived: UInt64? = 5_000_000
        var size: UInt32? = 100
        var isLost = false
    }

    /// The event, which is the caller's.
    static func make(_ packets: [Packet], name: String = "RTPTWCCPackets") -> UnsafeMutablePointer<GstEvent>? {
        var values = packets.map(value(of:))
        defer { for index in values.indices { g_value_unset(&values[index]) } }
        let content = gst_structure_new_empty(name)
        values.withUnsafeMutableBufferPointer { values in
            var array = GValueArray(
                n_values: guint(values.count), values: values.baseAddress, n_prealloced: guint(values.count))
            var value = GValue()
            g_value_init(&value, g_type_from_name("GValueArray"))
            // The structure takes a copy.
            withUnsafePointer(to: &array) { g_value_set_static_boxed(&value, $0) }
            gst_structure_set_value(content, "packets", &value)
            g_value_unset(&value)
        }
        return gst_event_new_custom(GST_EVENT_CUSTOM_UPSTREAM, content)
    }

    private static func value(of packet: Packet) -> GValue {
        let structure = gst_structure_new_empty("RTPTWCCPacket")
        set(structure, "local-ts", packet.sent.map { "(guint64)\($0)" })
        set(structure, "remote-ts", packet.arrived.map { "(guint64)\($0)" })
        set(structure, "size", packet.size.map { "(guint)\($0)" })
        set(structure, "lost", packet.isLost ? "(boolean)true" : "(boolean)false")
        var value = GValue()
        g_value_init(&value, gst_structure_get_type())
        g_value_take_boxed(&value, structure)
        return value
    }

    /// Takes a field over from text.
    private static func set(_ structure: UnsafeMutablePointer<GstStructure>?, _ field: String, _ text: String?) {
        guard let text, let parsed = gst_structure_from_string("packet,field=\(text)", nil) else { return }
        gst_structure_set_value(structure, field, gst_structure_get_value(parsed, "field"))
        gst_structure_free(parsed)
    }
}
