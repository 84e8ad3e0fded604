import BaseKit
import CGStreamer
import GLibKit
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    @Suite struct SourceAnnouncementTests {
        @Test func `each source of a bundle is told with its clock rate before its first packet`() async throws {
            try MediaRuntime.start()
            let (told, unknown) = (Shared<[UInt32: UInt32]>([:]), Shared(0))
            let pipeline = try Pipeline { _ in }
            let bundle = try Element.bin(
                """
                videotestsrc is-live=true ! video/x-raw,width=64,height=64 ! vp8enc ! rtpvp8pay pt=96 ssrc=7 ! bundle. \
                audiotestsrc is-live=true ! opusenc ! rtpopuspay pt=111 ssrc=9 ! bundle. \
                audiotestsrc is-live=true ! opusenc ! rtpopuspay pt=111 ssrc=4000000000 ! bundle. \
                rtpfunnel name=bundle ! identity name=session ! fakesink name=end sync=false
                """)
            let announcement = SourceAnnouncement()
            announcement.admit(clockRates: [96: 90_000, 111: 48_000])
            announcement.begin(at: try #require(try bundle.child("session").pad("sink")))
            try #require(try bundle.child("end").pad("sink")).onPackets { pad, packet in
                let source = packet.word(at: 8)
                if told.value[source] != nil { return }
                guard let caps = gst_pad_get_current_caps(pad) else {
                    unknown.value += 1
                    return
                }
                defer { gst_caps_unref(caps) }
                let structure = gst_caps_get_structure(caps, 0)
                var (number, rate) = (guint(0), gint(0))
                guard gst_structure_get_uint(structure, "ssrc", &number) != 0, number == source,
                    gst_structure_get_int(structure, "clock-rate", &rate) != 0
                else {
                    unknown.value += 1
                    return
                }
                told.value[source] = UInt32(rate)
            }
            pipeline.element.add(bundle)
            pipeline.element.setState(GST_STATE_PLAYING)
            try await eventually { told.value.count == 3 || unknown.value > 0 }
            #expect(told.value == [7: 90_000, 9: 48_000, 4_000_000_000: 48_000])
            #expect(unknown.value == 0)
            #expect(announcement.sources == [7, 9, 4_000_000_000])
            await MediaQueue.run { pipeline.close() }
        }
    }
}
