import BaseKit
import CGStreamer
import GLibKit
import MediaRules

/// Tells webrtcbin's RTP session what it needs to know of a source of ours before the source's first packet.
///
/// The streams of a bundle come to the session in one, whose caps name neither source nor clock rate. So the session of 1.22 asks for
/// the clock rate with its first report on each source, and lets go of its lock for that in the middle of its table of sources. If a
/// source of the peer is put into the table meanwhile, GLib complains ("g_hash_table_foreach: assertion 'version ==
/// hash_table->version' failed") and the report stays incomplete; later versions go through a copy of the table.
///
/// It also knows them all for the goodbye.
final class SourceAnnouncement: Sendable {
    /// The most sources that are told: four m-lines, and what is sent again of two.
    private static let limit = 16

    private struct State: Sendable {
        /// By payload type.
        var clockRates: [Int: Int] = [:]
        var known: Set<UInt32> = []
        /// The caps without anything of a single source.
        var common = "application/x-rtp"
    }

    private let state = Lock(State())

    /// Takes the clock rates of our own description, by payload type.
    func admit(clockRates: [Int: Int]) { state.withLock { $0.clockRates = clockRates } }

    /// The sources that have sent.
    var sources: Set<UInt32> { state.withLock { $0.known } }

    /// Watches what goes into the session through its pad for sending.
    func begin(at pad: Pad) {
        pad.onPackets { [weak self] pad, packet in
            guard packet.count >= 12 else { return }
            self?.announce(packet.word(at: 8), payloadType: Int(packet[1] & 0x7F), at: pad)
        }
    }

    private func announce(_ source: UInt32, payloadType: Int, at pad: UnsafeMutablePointer<GstPad>) {
        let caps = state.withLock { state -> String? in
            guard state.known.count < Self.limit, state.known.insert(source).inserted else { return nil }
            state.common = Self.commonCaps(of: pad) ?? state.common
            return state.clockRates[payloadType].map {
                "\(state.common), ssrc=(uint)\(source), payload=(int)\(payloadType), clock-rate=(int)\($0)"
            }
        }
        guard let caps = caps.flatMap({ gst_caps_from_string($0) }) else { return }
        gst_pad_send_event(pad, gst_event_new_caps(caps))
        gst_caps_unref(caps)
    }

    /// The pad's caps as text, unless they are those of one source: then they come from here.
    private static func commonCaps(of pad: UnsafeMutablePointer<GstPad>) -> String? {
        guard let caps = gst_pad_get_current_caps(pad) else { return nil }
        defer { gst_caps_unref(caps) }
        guard gst_caps_get_size(caps) == 1, gst_structure_has_field(gst_caps_get_structure(caps, 0), "ssrc") == 0,
            let text = gst_caps_to_string(caps)
        else { return nil }
        defer { g_free(text) }
        return String(cString: text)
    }
}
