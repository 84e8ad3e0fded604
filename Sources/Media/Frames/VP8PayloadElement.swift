import CGStreamer
import GLibKit
import MediaRules

/// `parleyvp8pay`: puts VP8 frames, encrypted or not, into RTP packets without looking into them.
///
/// `rtpvp8pay` parses each frame and stops with an error at the first encrypted one. The base class adds header extensions
/// and forwards key frame requests.
final class VP8PayloadElement: InstancePeer {
    static let gclass: SubclassedType<VP8PayloadElement> = .init(
        name: "ParleyVP8Pay", parent: gst_rtp_base_payload_get_type()
    ) { structure in
        describe(structure)
        let klass = structure.assumingMemoryBound(to: GstRTPBasePayloadClass.self)
        klass.pointee.set_caps = { payload, _ in
            gst_rtp_base_payload_set_options(payload, "video", 1, "VP8", 90_000)
            return gst_rtp_base_payload_set_outcaps_structure(payload, nil)
        }
        klass.pointee.handle_buffer = { payload, buffer in
            guard let payload, let buffer else { return GST_FLOW_ERROR }
            defer { gst_buffer_unref(buffer) }
            return gclass.peer(of: UnsafeMutableRawPointer(payload)).send(buffer, through: payload)
        }
    }

    /// Bytes of IP, UDP, header extensions and SRTP that a packet gets on its way.
    private static let lowerHeaders = 58

    private var pacing: Pacing?
    private var dropsWaiting = false
    /// Up to which wish waiting frames have been dropped.
    private var dropCount = 0
    private var packetizer = VP8Packetizer(pictureID: UInt16.random(in: 0...0x7FFF))

    /// Spreads packets over time from now on, and with `dropsWaiting` lets frames go where the pacing says so. Before the element runs.
    func setPacing(_ pacing: Pacing, dropsWaiting: Bool = false) {
        (self.pacing, self.dropsWaiting) = (pacing, dropsWaiting)
    }

    /// Whether a frame is sent: one that waited and is not worth it any more is let go, with all that need it.
    private func admits(_ frame: UnsafeMutablePointer<GstBuffer>) -> Bool {
        guard dropsWaiting, let count = pacing?.dropCount, count != dropCount else { return true }
        guard frame.pointee.mini_object.flags & GST_BUFFER_FLAG_DELTA_UNIT.rawValue == 0 else { return false }
        dropCount = count
        return true
    }

    private static func describe(_ structure: UnsafeMutableRawPointer) {
        let klass = structure.assumingMemoryBound(to: GstElementClass.self)
        gst_element_class_set_metadata(
            klass, "RTP VP8 payloader", "Codec/Payloader/Network/RTP", "Packetizes VP8 frames unseen", "Parley")
        let source = "application/x-rtp,media=video,clock-rate=90000,encoding-name=VP8"
        for (pad, direction, text) in [("sink", GST_PAD_SINK, "video/x-vp8"), ("src", GST_PAD_SRC, source)] {
            guard let caps = gst_caps_from_string(text) else { continue }
            gst_element_class_add_pad_template(klass, gst_pad_template_new(pad, direction, GST_PAD_ALWAYS, caps))
            gst_caps_unref(caps)
        }
    }

    private func send(
        _ frame: UnsafeMutablePointer<GstBuffer>, through payload: UnsafeMutablePointer<GstRTPBasePayload>
    ) -> GstFlowReturn {
        guard admits(frame) else { return GST_FLOW_OK }
        let room = gst_rtp_buffer_calc_payload_len(payload.pointee.mtu, 0, 0)
        let fragments = packetizer.fragments(frameSize: Int(gst_buffer_get_size(frame)), payloadSize: Int(room))
        for fragment in fragments {
            guard let packet = packet(fragment, of: frame, payload: payload) else { continue }
            pacing?.wait(forPacketOf: Int(gst_buffer_get_size(packet)) + Self.lowerHeaders)
            let result = gst_rtp_base_payload_push(payload, packet)
            guard result == GST_FLOW_OK else { return result }
        }
        return GST_FLOW_OK
    }

    /// One packet: RTP header and descriptor in memory of its own, then the fragment as a reference to the frame's memory.
    private func packet(
        _ fragment: VP8Packetizer.Fragment, of frame: UnsafeMutablePointer<GstBuffer>,
        payload: UnsafeMutablePointer<GstRTPBasePayload>
    ) -> UnsafeMutablePointer<GstBuffer>? {
        guard
            let packet = gst_rtp_base_payload_allocate_output_buffer(payload, guint(fragment.descriptor.count), 0, 0)
        else { return nil }
        var header = GstRTPBuffer()
        if gst_rtp_buffer_map(packet, GstMapFlags(rawValue: GST_MAP_READ.rawValue | GST_MAP_WRITE.rawValue), &header)
            != 0
        {
            gst_rtp_buffer_set_marker(&header, fragment.isLast ? 1 : 0)
            gst_rtp_buffer_get_payload(&header)?.copyMemory(
                from: fragment.descriptor, byteCount: fragment.descriptor.count)
            gst_rtp_buffer_unmap(&header)
        }
        let part = gst_buffer_copy_region(
            frame, GST_BUFFER_COPY_MEMORY, gsize(fragment.range.lowerBound), gsize(fragment.range.count))
        guard let whole = gst_buffer_append(packet, part) else { return nil }
        whole.pointee.pts = frame.pointee.pts
        whole.pointee.dts = frame.pointee.dts
        return whole
    }
}
