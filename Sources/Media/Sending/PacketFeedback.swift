import BaseKit
import CGStreamer
import GLibKit
import MediaRules

/// Reads what GStreamer's RTP session tells of transport-wide feedback: the event `RTPTWCCPackets`, sent upstream for each
/// feedback packet of the peer.
enum PacketFeedback {
    /// The packets of the event in the order of sending; nil for another event.
    static func reports(of event: UnsafeMutablePointer<GstEvent>) -> [PacketReport]? {
        guard let structure = gst_event_get_structure(event),
            gst_structure_has_name(structure, "RTPTWCCPackets") != 0,
            let value = gst_structure_get_value(structure, "packets"), let content = g_value_get_boxed(value)
        else { return nil }
        let packets = content.assumingMemoryBound(to: GValueArray.self).pointee
        return (0..<Int(packets.n_values)).compactMap { index in
            packets.values.map { $0 + index }.flatMap { gst_value_get_structure($0) }.flatMap(report)
        }
    }

    /// One packet. Nil when it is not known when it left.
    private static func report(_ packet: UnsafePointer<GstStructure>) -> PacketReport? {
        var sent: guint64 = 0
        var arrived: guint64 = 0
        var size: guint = 0
        var lost: gboolean = 0
        guard gst_structure_get_uint64(packet, "local-ts", &sent) != 0, sent != guint64.max,
            gst_structure_get_uint(packet, "size", &size) != 0
        else { return nil }
        let isLost = gst_structure_get_boolean(packet, "lost", &lost) != 0 && lost != 0
        let hasArrival = gst_structure_get_uint64(packet, "remote-ts", &arrived) != 0 && arrived != guint64.max
        guard isLost || hasArrival else { return nil }
        return PacketReport(
            sentAt: Instant(sinceStart: .nanoseconds(sent)), arrivedAt: isLost ? nil : .nanoseconds(arrived),
            size: Int(size))
    }
}
