import CGStreamer
import GLibKit
import Testing

@testable import Media

@Suite struct PacketFeedbackTests {
    /// One packet as the RTP session describes it, in nanoseconds.
    private struct Described {
        var sent: UInt64? = 1_000_000
        var arrived: UInt64? = 5_000_000
        var size: UInt32? = 100
        var isLost = false
    }

    /// The event of these packets, for the length of the call.
    private func reports(_ packets: [Described], name: String = "RTPTWCCPackets") throws -> [PacketReport]? {
        try MediaRuntime.start()
        var values = packets.map(value(of:))
        defer { for index in values.indices { g_value_unset(&values[index]) } }
        let content = gst_structure_new_empty(name)
        try values.withUnsafeMutableBufferPointer { values in
            var array = GValueArray(
                n_values: guint(values.count), values: values.baseAddress, n_prealloced: guint(values.count))
            var value = GValue()
            g_value_init(&value, try #require(Optional(g_type_from_name("GValueArray"))))
            // The structure takes a copy.
            withUnsafePointer(to: &array) { g_value_set_static_boxed(&value, $0) }
            gst_structure_set_value(content, "packets", &value)
            g_value_unset(&value)
        }
        let event = try #require(gst_event_new_custom(GST_EVENT_CUSTOM_UPSTREAM, content))
        defer { gst_event_unref(event) }
        return PacketFeedback.reports(of: event)
    }

    private func value(of packet: Described) -> GValue {
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
    private func set(_ structure: UnsafeMutablePointer<GstStructure>?, _ field: String, _ text: String?) {
        guard let text, let parsed = gst_structure_from_string("packet,field=\(text)", nil) else { return }
        gst_structure_set_value(structure, field, gst_structure_get_value(parsed, "field"))
        gst_structure_free(parsed)
    }

    @Test func `packets that arrived and packets that did not are told apart`() throws {
        let packets = [Described(), Described(sent: 2_000_000, arrived: nil, size: 70, isLost: true)]
        #expect(
            try reports(packets) == [
                PacketReport(sentAt: 1_000, arrivedAt: 5_000, size: 100),
                PacketReport(sentAt: 2_000, arrivedAt: nil, size: 70),
            ])
    }

    @Test func `a packet of which too little is known is left out`() throws {
        let packets = [
            Described(sent: nil), Described(sent: .max), Described(size: nil), Described(arrived: nil),
            Described(arrived: .max),
        ]
        #expect(try reports(packets) == [])
    }

    @Test func `other events are none of its business`() throws {
        #expect(try reports([Described()], name: "Something") == nil)
    }
}
