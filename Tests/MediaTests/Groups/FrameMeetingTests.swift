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
            let member = try FilmedMember(latency: 200)
            try await eventually { member.video.latest() != nil }

            let endings = member.meeting.rest(isOver: true)
            member.video.show(nil)
            // As long as pictures wait in the decoder.
            try await Task.sleep(for: .milliseconds(400))
            #expect(endings.count == 1)
            #expect(member.video.latest() == nil)
            await member.close(endings)
        }

        @Test func `the first picture is shown at once, what follows in its time`() async throws {
            let (member, shown) = (try FilmedMember(latency: 60_000), Shared(0))
            member.video.setHandler { shown.change { $0 += 1 } }
            try await waitUntil("a picture is shown", within: .seconds(30)) { member.video.latest() != nil }
            let sent = member.sent
            try await waitUntil("more pictures have come") { member.sent > sent + 20 }
            #expect(shown.value == 1)
            await member.close(member.meeting.rest(isOver: true))
        }

        @Test func `where the picture was taken away the next one is shown at once`() async throws {
            let member = try FilmedMember(latency: 60_000)
            try await waitUntil("a picture is shown", within: .seconds(30)) { member.video.latest() != nil }
            member.video.setOn(false)
            #expect(member.video.latest() == nil)
            member.video.setOn(true)
            try await waitUntil("another is shown", within: .seconds(30)) { member.video.latest() != nil }
            await member.close(member.meeting.rest(isOver: true))
        }
    }
}

/// A member whose camera's pictures come by one way to where they meet.
private struct FilmedMember {
    let video = VideoFeed()
    let meeting: FrameMeeting
    private let counter = Shared<UInt32>(0)
    private let timeline: Pipeline
    private let sender: Pipeline

    init(latency: Int) throws {
        try MediaRuntime.start()
        // Two, as a meeting keeps its timeline and what comes keeps the meeting: one would keep itself.
        (timeline, sender) = (try Pipeline { _ in }, try Pipeline { _ in })
        meeting = FrameMeeting(video: video, screen: VideoFeed(), timeline: timeline, latency: latency)
        let source = try Element.bin(
            """
            videotestsrc is-live=true ! video/x-raw,width=64,height=48,framerate=30/1 ! vp8enc deadline=1 ! \
            appsink name=encoded sync=false
            """)
        try source.child("encoded").onSample { [counter, meeting] sample in
            counter.change { $0 += 1 }
            let place = FramePlace(stream: .high, generation: 1, counter: counter.value)
            _ = meeting.receive(sample, at: place, of: .camera, by: 1)
        }
        sender.element.add(source)
        timeline.element.setState(GST_STATE_PLAYING)
        sender.shareTime(with: timeline)
        sender.element.setState(GST_STATE_PLAYING)
    }

    /// How many pictures have come.
    var sent: UInt32 { counter.value }

    /// Ends all; `endings` are what the meeting left to be done.
    func close(_ endings: [@Sendable () -> Void]) async {
        await MediaQueue.run { [sender, timeline] in
            for end in endings { end() }
            sender.close()
            timeline.close()
        }
    }
}
