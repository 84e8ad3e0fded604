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
        func
            `a packet of sound is waited for as long as sound waits, one of pictures longer, and pictures as was said`()
            async throws
        {
            let call = try await Loopback()
            try await call.connect()
            await call.answererLog.wait(for: .firstAudioFrame)
            await call.answererLog.wait(for: .firstVideoFrame)
            for wait in [PlayoutWait(pictures: 250), PlayoutWait(pictures: 90, sound: 30), PlayoutWait(pictures: 170)] {
                let setting = JitterLatency.Setting(latency: 250, retry: 40, wait: wait)
                await call.answerer.set(setting)
                try await waitUntil("pictures wait as was said") {
                    // The link's own may have been set meanwhile.
                    await call.answerer.set(setting)
                    return await call.answerer.pictureLatencies == [wait.pictures + PlayoutDelay.lastStep]
                }
                #expect(await call.answerer.bufferLatencies == [250, PlayoutDelay.wait(wait, own: nil)])
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
    fileprivate func set(_ setting: JitterLatency.Setting) { transports.current.set(setting) }

    /// How long the jitter buffers wait for packets that are missing, in milliseconds.
    fileprivate var bufferLatencies: Set<Int> {
        let buffers = transports.current.pipeline.element.all(madeBy: "rtpjitterbuffer")
        return Set(buffers.compactMap { $0[property: "latency"] as UInt32? }.map(Int.init))
    }

    /// How long the sinks of pictures wait until the time of one is over, in milliseconds.
    fileprivate var pictureLatencies: Set<Int> {
        let sinks = transports.current.pipeline.element.all(madeBy: "appsink").filter { $0[property: "sync"] == true }
        return Set(sinks.map { Int(gst_base_sink_get_latency($0.pointer()) / 1_000_000) })
    }

    fileprivate var reportsTimeOfCapture: Bool? {
        (transports.current.pipeline.element.all(madeBy: "rtpbin").first?[property: "rtcp-sync-send-time"] as Bool?)
            .map { !$0 }
    }
}
