import CGStreamer
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct PacketFeedbackTests {
    private func reports(
        _ packets: [FeedbackEvent.Packet], name: String = "RTPTWCCPackets"
    ) throws -> [PacketReport]? {
        try MediaRuntime.start()
        let event = try #require(FeedbackEvent.make(packets, name: name))
        defer { gst_mini_object_unref(UnsafeMutableRawPointer(event).assumingMemoryBound(to: GstMiniObject.self)) }
        return PacketFeedback.reports(of: event)
    }

    @Test func `packets that arrived and packets that did not are told apart`() throws {
        let packets = [
            FeedbackEvent.Packet(), FeedbackEvent.Packet(sent: 2_000_000, arrived: nil, size: 70, isLost: true),
        ]
        #expect(
            try reports(packets) == [
                PacketReport(sentAt: at(1), arrivedAt: .milliseconds(5), size: 100),
                PacketReport(sentAt: at(2), arrivedAt: nil, size: 70),
            ])
    }

    @Test func `a packet of which too little is known is left out`() throws {
        let packets = [
            FeedbackEvent.Packet(sent: nil), FeedbackEvent.Packet(sent: .max), FeedbackEvent.Packet(size: nil),
            FeedbackEvent.Packet(arrived: nil), FeedbackEvent.Packet(arrived: .max),
        ]
        #expect(try reports(packets) == [])
    }

    @Test func `other events are none of its business`() throws {
        #expect(try reports([FeedbackEvent.Packet()], name: "Something") == nil)
    }
}
