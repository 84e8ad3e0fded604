import BaseKit
import CGStreamer
import GLibKit
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    @Suite struct ProbeSenderTests {
        /// Pictures of a test, in packets that an element keeps, and what leaves behind it.
        private struct Line {
            let pipeline: Pipeline
            let chain: Element
            let packets = Shared<[(payloadType: Int, isLast: Bool)]>([])
            let ended: Shared<Bool>

            init(pictures: Int) throws {
                try MediaRuntime.start()
                let ended = Shared(false)
                self.ended = ended
                pipeline = try Pipeline { message in
                    if case .endOfStream = message { ended.value = true }
                }
                chain = try Element.bin(
                    """
                    videotestsrc num-buffers=\(pictures) is-live=true pattern=snow ! \
                    video/x-raw,format=I420,width=160,height=120,framerate=30/1 ! \
                    vp8enc name=encoder deadline=1 cpu-used=8 keyframe-max-dist=20 \
                    target-bitrate=300000 ! \
                    parleyvp8pay name=payloader pt=96 mtu=600 ! \
                    capsfilter name=label caps=application/x-rtp,ssrc=(uint)7 ! \
                    rtprtxsend name=again payload-type-map="application/x-rtp-pt-map,96=(uint)97" ! \
                    fakesink name=end sync=false
                    """)
                pipeline.element.add(chain)
            }

            func run() throws {
                let end = try #require(try chain.child("end").pad("sink"))
                end.onPackets { [packets] _, packet in
                    guard packet.count >= 12 else { return }
                    packets.value.append((Int(packet[1] & 0x7F), packet[1] & 0x80 != 0))
                }
                pipeline.element.setState(GST_STATE_PLAYING)
            }

            func close() async { await MediaQueue.run { [pipeline] in pipeline.close() } }
        }

        @Test func `a probe leaves as retransmissions nobody asked for, which no bound on the peer's wishes counts`()
            async throws
        {
            let line = try Line(pictures: 90)
            let (gate, counters) = (RetransmissionGate(), MediaCounters())
            // No room for any wish of the peer's.
            gate.setRate(1)
            let again = try line.chain.child("again")
            gate.watch(again)
            PacketGuard(counters: counters, onDeparture: {}).watch(again)
            let sender = ProbeSender(source: 7, gate: gate)
            sender.listen(at: try #require(try line.chain.child("label").pad("src")))
            try line.run()
            try await eventually { line.packets.value.count > 20 }
            let moments = Shared<[(from: Instant, to: Instant)?]>([])
            sender.send(Probe(bitrate: 1_000_000)) { moments.value.append($0) }
            try await eventually { !moments.value.isEmpty }
            let told = try #require(moments.value.first ?? nil)
            #expect(told.from < told.to)
            try await eventually {
                line.packets.value.count { $0.payloadType == 97 } >= Probe.packets.lowerBound
            }
            #expect(counters.packetsRefused == 0)
            gate.clear()
            sender.send(Probe(bitrate: 1_000_000)) { moments.value.append($0) }
            #expect(moments.value.count == 2 && moments.value[1] == nil)
            await line.close()
        }

        @Test func `frames that wait are let go up to a key frame where they are not worth sending any more`()
            async throws
        {
            let line = try Line(pictures: 45)
            let pacing = Pacing()
            VP8PayloadElement.gclass.peer(of: try line.chain.child("payloader")).setPacing(pacing, dropsWaiting: true)
            let made = Shared(0)
            try #require(try line.chain.child("encoder").pad("src")).onBuffer { _, _ in
                made.value += 1
                if made.value == 6 { pacing.dropWaiting() }
            }
            try line.run()
            try await eventually { line.ended.value }
            #expect(made.value == 45)
            // The frames from the sixth to the next key frame, which is the 21st, are missing.
            let sent = line.packets.value.count { $0.isLast && $0.payloadType == 96 }
            #expect(sent == 45 - 15, "\(sent)")
            await line.close()
        }
    }
}
