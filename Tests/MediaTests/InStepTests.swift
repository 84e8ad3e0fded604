import CGStreamer
import GLibKit
import Synchronization
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    /// What has to hold for sound and picture to be in step. How far apart they are is measured by `parley-bench call`.
    @Suite struct InStepTests {
        @Test
        func `the jitter buffer of sound waits less than that of pictures, also after the call's latency has changed`()
            async throws
        {
            let call = try await Loopback()
            try await call.connect()
            await call.answererLog.wait(for: .firstAudioFrame)
            await call.answererLog.wait(for: .firstVideoFrame)
            for latency in [nil, 400, 250] {
                // Where there is none the call's own, which the network may have changed.
                let waits = await call.answerer.waits(settingLatency: latency)
                let pictures = try #require(waits.max())
                #expect(latency.map { $0 == pictures } ?? true)
                #expect(Set(waits) == [pictures, PlayoutDelay.wait(latency: pictures, own: nil)])
            }
            await call.close()
        }

        @Test func `reports say when frames were captured, not when they left`() async throws {
            let call = try await Loopback()
            #expect(await call.offerer.reportsTimeOfCapture == true)
            await call.close()
        }

        @Test func `a captured frame keeps its time in the call`() async throws {
            try MediaRuntime.start()
            let call = try Pipeline { _ in }
            let chain = try Element.bin("appsrc name=inlet format=time is-live=true ! appsink name=out sync=false")
            let times = Mutex<Set<Int64>>([])
            try chain.child("out").onSample { sample in
                if let time = sample.clockTime { _ = times.withLock { $0.insert(time) } }
            }
            call.element.add(chain)
            call.element.setState(GST_STATE_PLAYING)
            let inlet = FrameInlet()
            inlet.connect(to: try chain.child("inlet"))
            let source = try Pipeline { _ in }
            let tone = try Element.bin(
                "audiotestsrc is-live=true samplesperbuffer=480 ! appsink name=frames sync=false")
            let captured = Mutex<Set<Int64>>([])
            try tone.child("frames").onSample { sample in
                if let time = sample.clockTime { _ = captured.withLock { $0.insert(time) } }
                inlet.push(sample)
            }
            source.element.add(tone)
            source.element.setState(GST_STATE_PLAYING)
            // A frame that a busy machine holds up for half a second is not believed.
            try await waitUntil("frames have come with their times", within: .seconds(30)) {
                times.withLock { $0 }.intersection(captured.withLock { $0 }).count > 10
            }
            source.close()
            call.close()
        }
    }
}

extension PeerSession {
    /// How long the jitter buffers wait, in milliseconds, once they were told to, if they are.
    fileprivate func waits(settingLatency latency: Int?) -> [Int] {
        if let latency { transports.current.setJitterLatency(latency) }
        return transports.current.pipeline.element.all(madeBy: "rtpjitterbuffer")
            .compactMap { $0[property: "latency"] as UInt32? }.map(Int.init)
    }

    fileprivate var reportsTimeOfCapture: Bool? {
        (transports.current.pipeline.element.all(madeBy: "rtpbin").first?[property: "rtcp-sync-send-time"] as Bool?)
            .map { !$0 }
    }
}
