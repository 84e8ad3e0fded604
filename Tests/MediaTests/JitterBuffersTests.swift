import CGStreamer
import GLibKit
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    /// What the jitter buffers are told and tell, in the elements that an `rtpbin` makes for the sources of a call.
    @Suite struct JitterBuffersTests {
        private static let source: UInt32 = 77
        private let pipeline: Pipeline
        private let bin: Element
        private let inlet: Element
        private let outlet: Element
        private let buffers = JitterBuffers(latency: 150)
        private let connection: SignalConnection

        init() throws {
            try MediaRuntime.start()
            pipeline = try Pipeline { _ in }
            let chain = try Element.bin(
                """
                appsrc name=inlet format=time is-live=true do-timestamp=true \
                caps="application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000,payload=96" ! \
                bin.recv_rtp_sink_0 rtpbin name=bin latency=150
                """)
            outlet = try Element.make("fakesink")
            outlet.set("sync", false)
            outlet.set("async", false)
            chain.add(outlet)
            (bin, inlet) = (try chain.child("bin"), try chain.child("inlet"))
            connection = buffers.listen(to: bin)
            bin.linkLater("application/x-rtp", to: outlet)
            pipeline.element.add(chain)
            pipeline.element.setState(GST_STATE_PLAYING)
        }

        /// Sends packets of one picture each, thirty a second by their times.
        private func send(_ numbers: ClosedRange<Int>) {
            for number in numbers {
                let (number, time) = (UInt16(number), UInt32(number * 3_000))
                let packet =
                    [0x80, 0x80 | 96] + Self.bytes(number) + Self.bytes(time) + Self.bytes(Self.source)
                    + [0x10, 0x00, 0x01]
                let buffer = packet.withUnsafeBytes { gst_buffer_new_memdup($0.baseAddress, gsize($0.count)) }
                if let buffer { gst_app_src_push_buffer(inlet.pointer(), buffer) }
            }
        }

        private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: number.bigEndian) { Array($0) }
        }

        /// Sends the first packets and gives their jitter buffer, once it is known what they are.
        private func begin(isSound: Bool) async throws -> Element {
            send(1...2)
            // By then the bin has told of it, which it does after it is there.
            try await waitUntil("a packet has left the jitter buffer") {
                try gst_pad_is_linked(#require(outlet.pad("sink")).pointer()) != 0
            }
            buffers.know(source: Self.source, isSound: isSound)
            return try #require(bin.all(madeBy: "rtpjitterbuffer").first)
        }

        private func passed(_ buffer: Element, most: Int) async throws {
            try await waitUntil("the packets have come") {
                guard let stats = buffer.value(of: "stats"), let content = gst_value_get_structure(stats.storage)
                else { return false }
                var count: guint64 = 0
                return gst_structure_get_uint64(content, "num-pushed", &count) != 0 && count >= most
            }
        }

        private func end() async {
            connection.disconnect()
            await MediaQueue.run { [pipeline] in pipeline.close() }
        }

        @Test func `a packet of sound is waited for as long as was said, one of pictures as long as the rtpbin says`()
            async throws
        {
            for isSound in [false, true] {
                let buffer = try await begin(isSound: isSound)
                buffers.set(retry: 40, soundLatency: 55)
                #expect(buffer[property: "latency"] as UInt32? == (isSound ? 55 : 150))
            }
            await end()
        }

        @Test(arguments: [false, true]) func `a packet that is missing is told once`(isSound: Bool) async throws {
            let buffer = try await begin(isSound: isSound)
            send(3...5)
            send(7...7)
            try await passed(buffer, most: 6)
            try await waitUntil("the gap is told") { buffers.takeArrivals(now: .now).areSomeMissing }
            #expect(!buffers.takeArrivals(now: .now).areSomeMissing)
            await end()
        }

        @Test(arguments: [false, true])
        func `how late packets come is told of what they are, once enough have come`(isSound: Bool) async throws {
            let buffer = try await begin(isSound: isSound)
            send(3...4)
            try await passed(buffer, most: 4)
            let few = buffers.takeArrivals(now: .now)
            #expect(few.sound == nil && few.pictures == nil)
            send(5...80)
            try await passed(buffer, most: 80)
            let arrivals = buffers.takeArrivals(now: .now)
            #expect((arrivals.sound != nil) == isSound && (arrivals.pictures != nil) == !isSound)
            #expect(arrivals.packet == (isSound ? 62 : 0))
            await end()
        }
    }
}
