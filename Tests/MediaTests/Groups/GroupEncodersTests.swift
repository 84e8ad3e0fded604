import BaseKit
import CGStreamer
import GLibKit
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    @Suite struct GroupEncodersTests {
        @Test func `small pictures for a server begin anew every few seconds, though nobody asks`() async throws {
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
                encoders.rates.add(way, pacing: Pacing(), former: nil, takesBoth: true)
                let outlet = SealedOutlet(
                    try bin.child("inlet"), slot: .camera, counters: MediaCounters(), onNeed: {})
                encoders.connect(small: outlet, way: way)
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
