import BaseKit
import CGStreamer
import GLibKit
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    @Suite struct FrameMeetingTests {
        @Test func `what is still in a decoder when its member goes is not shown`() async throws {
            try MediaRuntime.start()
            // Two, as a meeting keeps its timeline and what comes keeps the meeting: one would keep itself.
            let (timeline, sender) = (try Pipeline { _ in }, try Pipeline { _ in })
            let (video, counter) = (VideoFeed(), Shared<UInt32>(0))
            let meeting = FrameMeeting(video: video, screen: VideoFeed(), timeline: timeline, latency: 200)
            let source = try Element.bin(
                """
                videotestsrc is-live=true ! video/x-raw,width=64,height=48,framerate=30/1 ! vp8enc deadline=1 ! \
                appsink name=encoded sync=false
                """)
            try source.child("encoded").onSample { sample in
                counter.change { $0 += 1 }
                let place = FramePlace(stream: .high, generation: 1, counter: counter.value)
                _ = meeting.take(sample, at: place, of: .camera, by: 1)
            }
            sender.element.add(source)
            timeline.element.setState(GST_STATE_PLAYING)
            sender.shareTime(with: timeline)
            sender.element.setState(GST_STATE_PLAYING)
            try await eventually { video.latest() != nil }

            let endings = meeting.rest(isOver: true)
            video.show(nil)
            // As long as pictures wait in the decoder.
            try await Task.sleep(for: .milliseconds(400))
            #expect(endings.count == 1)
            #expect(video.latest() == nil)
            await MediaQueue.run {
                for end in endings { end() }
                sender.close()
                timeline.close()
            }
        }
    }
}
