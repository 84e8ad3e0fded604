import BaseKit
import CGStreamer
import GLibKit
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    @Suite struct GroupEncodersTests {
        @Test func `pictures are made for what the narrowest way carries, more and less than at first`() async throws {
            try await Mesh.run(1) { mesh in
                let encoders = try await mesh[1].encoders
                let source = try #require(encoders.sources[.camera])
                let encoder = try #require(
                    try await mesh[1].pipeline.element.all(madeBy: "parleyvp8enc").first {
                        Self.parent(of: $0) == Self.parent(of: source)
                    })
                var rate: Int { Int((encoder[property: "target-bitrate"] as Int32?) ?? 0) }
                let (ways, narrowed) = ([GroupWays.next(), GroupWays.next()], Shared(false))
                for way in ways { encoders.rates.add(way, pacing: Pacing(), former: nil) }
                encoders.setOpen([.camera], SendShares())
                let feeding = Task {
                    var queue = Duration.zero
                    while !Task.isCancelled {
                        encoders.rates.receive(Self.reports(40), by: ways[0])
                        if narrowed.value { queue += .milliseconds(40) }
                        encoders.rates.receive(
                            Self.reports(narrowed.value ? 5 : 40, after: queue), by: ways[1])
                        try await Task.sleep(for: .milliseconds(100))
                    }
                }
                defer { feeding.cancel() }
                try await eventually { rate > 0 }
                let first = rate
                try await eventually { rate > first + first / 2 }
                narrowed.value = true
                try await eventually { rate < first }
                // The first one carries on what it did.
                #expect(try #require(encoders.rates.bitrate(of: ways[0])) > first)
            }
        }

        @Test func `what a screen's sound takes is left out of what pictures get, also of smaller ones`() async throws {
            try await Mesh.run(1) { mesh in
                let encoders = try await mesh[1].encoders
                let way = GroupWays.next()
                encoders.rates.add(way, pacing: Pacing(), former: nil, takesAll: true)
                func target(_ layer: PictureLayer) -> Int {
                    LowestRate(rates: encoders.rates, layer: layer).target.bitrate
                }
                let before = (low: target(.low), lowest: target(.lowest))
                encoders.setOpen([.camera, .screenSound], SendShares(hasScreenSound: true))
                #expect(target(.low) == before.low + SendShares.screenSound)
                #expect(target(.lowest) == before.lowest + SendShares.screenSound)
                encoders.setOpen([.camera], SendShares())
                #expect(target(.low) == before.low && target(.lowest) == before.lowest)
            }
        }

        private static func parent(of element: Element) -> UnsafeMutablePointer<GstObject>? {
            let object: UnsafeMutablePointer<GstObject> = element.pointer()
            return object.pointee.parent
        }

        /// So many packets of a kilobyte that left within 100 ms and have waited so long in a queue.
        private static func reports(_ count: Int, after queue: Duration = .zero) -> [PacketReport] {
            let begin = Instant.now - .milliseconds(150)
            return (0..<count).map { index in
                let sent = begin + .milliseconds(100) * index / count
                return PacketReport(
                    sentAt: sent, arrivedAt: sent.sinceStart + .milliseconds(20) + queue, size: 1_000)
            }
        }

        @Test(arguments: [PictureLayer.low, .lowest])
        func `smaller pictures for a server begin anew every few seconds, though nobody asks`(
            layer: PictureLayer
        ) async throws {
            try await Mesh.run(1) { mesh in
                let encoders = try await mesh[1].encoders
                let (way, pictures, keyFrames) = (GroupWays.next(), Shared(0), Shared(0))
                let bin = try Element.bin("appsrc name=inlet format=time is-live=true ! fakesink name=end sync=false")
                let pipeline = try Pipeline { _ in }
                pipeline.element.add(bin)
                try bin.child("end").pad("sink")?.onBuffer { _, buffer in
                    pictures.change { $0 += 1 }
                    if buffer.pointee.mini_object.flags & GST_BUFFER_FLAG_DELTA_UNIT.rawValue == 0 {
                        keyFrames.change { $0 += 1 }
                    }
                }
                pipeline.element.setState(GST_STATE_PLAYING)
                encoders.rates.add(way, pacing: Pacing(), former: nil, takesAll: true)
                let outlet = SealedOutlet(
                    try bin.child("inlet"), slot: .camera, counters: MediaCounters(), onNeed: {})
                encoders.connect(outlet, of: layer, way: way)
                encoders.setOpen([.camera], SendShares())
                outlet.setOpen(true)
                try await eventually { keyFrames.value >= 3 }
                // Not each of them.
                #expect(pictures.value > 3 * keyFrames.value)
                encoders.disconnect(way: way)
                await MediaQueue.run { pipeline.close() }
            }
        }
    }
}
