import CGStreamer

@testable import MediaRules

/// A session description as GStreamer's parser reads it, which webrtcbin uses.
struct GStreamerDescription {
    private struct Medium: Equatable {
        var kind: String
        var port: Int
        var transport: String
        var formats: [String]
        var attributes: [[String]]
    }

    private var session: [[String]] = []
    private var media: [Medium] = []

    /// Reads a text. Throws `FuzzViolation` when GStreamer refuses it.
    init(_ text: String) throws {
        var made: UnsafeMutablePointer<GstSDPMessage>?
        gst_sdp_message_new(&made)
        guard let message = made else { throw FuzzViolation(description: "no message") }
        defer { gst_sdp_message_free(message) }
        let bytes = Array(text.utf8)
        try require(
            gst_sdp_message_parse_buffer(bytes, guint(bytes.count), message) == GST_SDP_OK, "GStreamer refuses a text")
        session = (0..<gst_sdp_message_attributes_len(message)).map {
            Self.pair(gst_sdp_message_get_attribute(message, $0))
        }
        media = (0..<gst_sdp_message_medias_len(message)).compactMap { index in
            guard let medium = gst_sdp_message_get_media(message, index) else { return nil }
            return Medium(
                kind: Self.text(gst_sdp_media_get_media(medium)), port: Int(gst_sdp_media_get_port(medium)),
                transport: Self.text(gst_sdp_media_get_proto(medium)),
                formats: (0..<gst_sdp_media_formats_len(medium)).map {
                    Self.text(gst_sdp_media_get_format(medium, $0))
                },
                attributes: (0..<gst_sdp_media_attributes_len(medium)).map {
                    Self.pair(gst_sdp_media_get_attribute(medium, $0))
                })
        }
    }

    private static func pair(_ attribute: UnsafePointer<GstSDPAttribute>?) -> [String] {
        [text(attribute?.pointee.key), text(attribute?.pointee.value)]
    }

    private static func text(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "" }

    /// The names of all attributes.
    var attributes: [String] { (session + media.flatMap(\.attributes)).compactMap(\.first) }

    /// Whether we read the same lines.
    func agrees(with description: SessionDescription) -> Bool {
        let ours = description.media.map {
            Medium(
                kind: $0.kind, port: $0.port, transport: $0.transport, formats: $0.formats,
                attributes: $0.attributes.map { [$0.name, $0.value] })
        }
        return session == description.sessionAttributes.map { [$0.name, $0.value] } && media == ours
    }
}
