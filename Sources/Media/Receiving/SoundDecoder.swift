import BaseKit
import CGStreamer
import GLibKit
import MediaRules

/// Decodes the packets of a source of sound, in its place in a chain: each when the next has come, which may tell of one that is lost
/// (in-band FEC, RFC 6716 §2.1.7), or at once, a packet earlier. It can change between the two while packets come.
///
/// `opusdec` itself can't: what it has kept would stay in it, and all that follows would have the time of the packet before.
final class SoundDecoder: Sendable {
    /// The first one of a chain, which recovers what is lost.
    static let description = "opusdec plc=true use-inband-fec=true max-errors=-1"
    /// So many packets a decoder is given that takes the place of another: one that knows nothing of those before begins too quietly,
    /// for 140 ms.
    private static let most = 10

    private struct Current: Sendable {
        var element: Element
        var recovers = true
        /// The last packets.
        var recent: [Sample] = []
    }

    private let current: Lock<Current>
    private let recovers: Shared<Bool>

    /// `first` is made by ``description``; `recovers` says how packets are to be decoded.
    init(_ first: Element, recovers: Shared<Bool>) {
        current = Lock(Current(element: first))
        self.recovers = recovers
    }

    /// A packet is about to come from this pad, on its streaming thread. Where it is to be decoded otherwise than the one before, another decoder
    /// takes the place of the last.
    func follow(_ pad: UnsafeMutablePointer<GstPad>, _ packet: UnsafeMutablePointer<GstBuffer>) {
        let wanted = recovers.value
        let last = current.withLock { $0 }
        if wanted != last.recovers, let next = exchange(last, recovers: wanted, at: pad, packet) {
            current.withLock { ($0.element, $0.recovers) = (next, wanted) }
        }
        guard let packet = Sample(packet, passing: pad) else { return }
        current.withLock { $0.recent = $0.recent.suffix(Self.most - 1) + [packet] }
    }

    private func exchange(
        _ last: Current, recovers: Bool, at pad: UnsafeMutablePointer<GstPad>, _ packet: UnsafeMutablePointer<GstBuffer>
    ) -> Element? {
        let old = last.element
        guard let new = try? Element.make("opusdec"), let sink = new.pad("sink"), let source = new.pad("src"),
            let input = old.pad("sink"), let output = old.pad("src"),
            let parent = gst_object_get_parent(old.pointer()), let next = gst_pad_get_peer(output.pointer())
        else { return nil }
        defer {
            gst_object_unref(parent)
            gst_object_unref(next)
        }
        new.set("plc", true)
        new.set("use-inband-fec", recovers)
        new.set("max-errors", -1)
        let bin = Element(retaining: UnsafeMutableRawPointer(parent))
        bin.add(new)
        gst_element_sync_state_with_parent(new.pointer())
        Self.prepare(source, sink, by: last.recent, at: pad, before: packet)
        // It gives the packet that it has kept for this one; this one it would keep.
        if !recovers { Self.decode(packet, at: input) }
        gst_pad_unlink(pad, input.pointer())
        gst_pad_unlink(output.pointer(), next)
        gst_pad_link(source.pointer(), next)
        gst_pad_link(pad, sink.pointer())
        gst_bin_remove(bin.pointer(), old.pointer())
        old.setState(GST_STATE_NULL)
        return new
    }

    /// Lets a new decoder decode the last packets. What it makes of them is not heard again, also what it gives only with the next packet.
    private static func prepare(
        _ source: Pad, _ sink: Pad, by recent: [Sample], at pad: UnsafeMutablePointer<GstPad>,
        before packet: UnsafeMutablePointer<GstBuffer>
    ) {
        let (begin, left) = (packet.pointee.pts, Shared(recent.count))
        source.filterBuffers { _, piece in
            let isHeard = left.value == 0 || piece.pointee.pts >= begin
            left.value = isHeard ? 0 : left.value - 1
            return isHeard
        }
        gst_pad_sticky_events_foreach(
            pad,
            { _, event, sink in
                if let event = event?.pointee, let sink {
                    gst_pad_send_event(sink.assumingMemoryBound(to: GstPad.self), gst_event_ref(event))
                }
                return 1
            }, UnsafeMutableRawPointer(sink.pointer() as UnsafeMutablePointer<GstPad>))
        for packet in recent { decode(packet.buffer, at: sink) }
    }

    /// Gives a packet to a decoder aside from its stream. One that comes with a jump would give its time to the one before.
    private static func decode(_ packet: UnsafeMutablePointer<GstBuffer>, at sink: Pad) {
        guard let copy = gst_buffer_copy(packet) else { return }
        gst_buffer_unset_flags(copy, GST_BUFFER_FLAG_DISCONT)
        gst_pad_chain(sink.pointer(), copy)
    }
}
