import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct LayerAnnouncementTests {
    private static let offer = [
        "v=0", "m=audio 9 UDP/TLS/RTP/SAVPF 111", "a=ssrc:5 cname:me", "m=video 9 UDP/TLS/RTP/SAVPF 96",
        "a=ssrc-group:FID 7 9", "a=ssrc:7 msid:me camera", "a=ssrc:7 cname:me", "a=ssrc:9 cname:me",
    ].map { $0 + "\r\n" }.joined()

    private var layers: SentLayers {
        SentLayers(
            large: 7, low: SentLayers.Smaller(source: 17, again: 19), lowest: SentLayers.Smaller(source: 27, again: 29))
    }

    @Test func `the smallest pictures come first in the group, and all belong to the same stream`() {
        let lines = LayerAnnouncement.added(to: Self.offer, layers).split(separator: "\r\n").map(String.init)
        #expect(lines.firstIndex(of: "a=ssrc-group:SIM 27 17 7") == 4)
        for pair in ["27 29", "17 19", "7 9"] { #expect(lines.contains("a=ssrc-group:FID \(pair)")) }
        for source in [17, 19, 27, 29] {
            #expect(lines.contains("a=ssrc:\(source) msid:me camera") && lines.contains("a=ssrc:\(source) cname:me"))
        }
        #expect(lines.filter { $0.hasPrefix("a=ssrc:5") } == ["a=ssrc:5 cname:me"])
    }

    @Test func `each source's own source for what is sent again is known`() {
        let text = LayerAnnouncement.added(to: Self.offer, layers)
        #expect(LayerAnnouncement.repeaters(in: text) == [7: 9, 17: 19, 27: 29])
    }

    @Test func `where nothing is sent again no source is announced for it`() {
        let plain = Self.offer.replacing("a=ssrc-group:FID 7 9\r\n", with: "").replacing(
            "a=ssrc:9 cname:me\r\n", with: "")
        let text = LayerAnnouncement.added(to: plain, layers)
        #expect(text.contains("a=ssrc-group:SIM 27 17 7") && !text.contains("19") && !text.contains("29"))
        #expect(LayerAnnouncement.repeaters(in: text) == [:])
    }

    @Test func `pictures of all sizes are sent, and none by what only repeats`() {
        #expect([7, 17, 27].allSatisfy(layers.contains) && ![5, 9, 19, 29].contains(where: layers.contains))
    }

    @Test func `a text without the source stays as it is`() {
        #expect(LayerAnnouncement.added(to: "v=0\r\nm=audio 9\r\n", layers) == "v=0\r\nm=audio 9\r\n")
    }
}
