import BaseKit
import CGStreamer
import GLibKit
import Testing

@testable import Media

extension RealMedia {
    /// What a transport does with the peer's wishes for packets, in the element that webrtcbin makes for them.
    @Suite struct RetransmissionTests {
        private let pipeline: Pipeline
        private let sender: Element
        private let signals = TransportSignals(jitterLatency: 150)
        private let counters = MediaCounters()
        private let packets: PacketGuard

        init() throws {
            try MediaRuntime.start()
            pipeline = try Pipeline { _ in }
            packets = PacketGuard(counters: counters) { [gate = signals.retransmissions] in
                gate.refuse($0)
            } onDeparture: {
            }
            let tones = ToneLine(isOffered: false, protection: FrameProtection(.none), counters: counters) { _ in }
            signals.prepare(pipeline.element, certificate: nil, packets: packets, tones: tones)
            sender = try Element.make("rtprtxsend")
            pipeline.element.add(sender)
            pipeline.element.setState(GST_STATE_PAUSED)
            _ = sender.waitForState(within: .seconds(5))
        }

        /// `G_TYPE_UINT`, a macro.
        private static let unsignedNumber = GType(7 << 2)

        private func ask(for number: Int, of source: UInt32) {
            guard let structure = gst_structure_new_empty("GstRTPRetransmissionRequest") else { return }
            var value = GValue()
            g_value_init(&value, Self.unsignedNumber)
            for (name, content) in [("seqnum", guint(number)), ("ssrc", source)] {
                g_value_set_uint(&value, content)
                gst_structure_set_value(structure, name, &value)
            }
            g_value_unset(&value)
            guard let event = gst_event_new_custom(GST_EVENT_CUSTOM_UPSTREAM, structure), let pad = sender.pad("src")
            else { return }
            gst_pad_send_event(pad.pointer(), event)
        }

        private func end() async {
            signals.disconnect()
            await MediaQueue.run { [pipeline] in pipeline.close() }
        }

        @Test func `wishes beyond three hundred a second are refused and counted, and make a key frame due`()
            async throws
        {
            #expect(PacketGuard.retransmissionRate == 300)
            let due = Shared<[UInt32]>([])
            for source in [7, 9] as [UInt32] {
                signals.retransmissions.onRefusal(of: source) { due.value.append(source) }
            }
            #expect(PacketGuard.retransmissionRate == 300)
            for number in 0..<2_000 { ask(for: number, of: 7) }
            // At once, and as many a second while they were asked.
            #expect(counters.packetsRefused > 2_000 - 2 * PacketGuard.retransmissionRate)
            #expect(counters.packetsRefused <= 2_000 - PacketGuard.retransmissionRate)
            #expect(due.value.count == counters.packetsRefused && Set(due.value) == [7])
            await end()
        }

        @Test func `wishes in reports that are too many make key frames of their sources due, too`() async throws {
            let due = Shared<[UInt32]>([])
            for source in [7, 9] as [UInt32] {
                signals.retransmissions.onRefusal(of: source) { due.value.append(source) }
            }
            let decryption = try Element.make("srtpdec")
            packets.watch(decryption)
            pipeline.element.add(decryption)
            decryption.setState(GST_STATE_PAUSED)
            _ = decryption.waitForState(within: .seconds(5))
            let pad = try #require(decryption.pad("rtcp_src"))
            pad.beginStream(ofType: "application/x-rtcp")
            // A packet of 7 again (RFC 4585 §6.2.1), and a key frame of 9 (§6.3.1).
            let lost: [UInt8] = [0x81, 205, 0, 3, 0, 0, 0, 1, 0, 0, 0, 7, 0, 1, 0, 0]
            let picture: [UInt8] = [0x81, 206, 0, 2, 0, 0, 0, 1, 0, 0, 0, 9]
            for _ in 0..<2_000 { _ = pad.push(lost + picture) }
            #expect(counters.packetsRefused > 2_000 - 2 * PacketGuard.reportRate)
            for source in [7, 9] as [UInt32] {
                #expect(due.value.count { $0 == source } == counters.packetsRefused)
            }
            await end()
        }

        @Test func `a wish that the rate has no room for makes a key frame of that source due`() async throws {
            let due = Shared<[UInt32]>([])
            for source in [7, 9] as [UInt32] {
                signals.retransmissions.onRefusal(of: source) { due.value.append(source) }
            }
            for number in 0..<10 { ask(for: number, of: 7) }
            #expect(due.value.isEmpty)
            // Two packets of 1,200 bytes fill a half second of 30 % of 80 kbit/s.
            signals.retransmissions.setRate(80_000)
            for number in 0..<5 { ask(for: number, of: 7) }
            ask(for: 5, of: 9)
            ask(for: 6, of: 11)
            #expect(due.value == [7, 7, 7, 9])
            // The guard before it has refused none.
            #expect(counters.packetsRefused == 0)
            await end()
        }
    }
}
